import type { SimpleCommand } from './reading.ts'

/**
 * What can be made out of any PowerShell text, however it is nested: wherever a command could begin, the words from there on.
 * For the destructive rules and for display, never for a yes, so it may see too much.
 *
 *   if ($true) { & Remove-Item -Recurse C:\ }   →   $true    Remove-Item · -Recurse · C:\
 */
export function seenInPowerShell(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let words: { text: string; start: number; end: number }[] = []
  const close = (): void => {
    const [first] = words
    if (first) {
      const end = words.at(-1)?.end ?? first.end
      commands.push({ argv: words.map(word => word.text), start: first.start, end, globs: [] })
    }
    words = []
  }
  for (const { 0: token, index } of line.slice(0, LONGEST).matchAll(TOKEN)) {
    if (/^\s*$/.test(token)) continue
    if (/^(?:[;|&{}()\n]|\$[\w:]+\s*[-+*/%]?=)/.test(token) || token === '.') close()
    else {
      words.push({ text: plain(token), start: index, end: index + token.length })
      for (const inner of subexpressions(token)) commands.push(...seenInPowerShell(inner))
    }
  }
  close()
  return commands
}

/** What runs inside "double quotes"; each is shorter than the text around it, so this ends. */
function subexpressions(token: string): string[] {
  return [...token.matchAll(/"((?:[^"`]|`[\s\S]|"")*)"/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map(([, inner = '']) => inner),
  )
}

const LONGEST = 8 * 1024
// Assignments, words with their quotes, separators. A variable keeps its braces, so that ${env:x} stays one word.
const TOKEN =
  /\$[\w:]+\s*[-+*/%]?=|(?:\$\{[^}]{0,99}\}|`[\s\S]|'(?:[^']|'')*'|\u2018[^\u2018-\u201b]*[\u2018-\u201b]|"(?:[^"`]|`[\s\S]|"")*"|\u201c[^\u201c-\u201e]*[\u201c-\u201e]|[^\s;|&{}(),'"`])+|[;|&{}()\n]|\s|[\s\S]/gu

/** The word as PowerShell would see it: quotes and backticks gone, typographic dashes plain. */
function plain(token: string): string {
  return token
    .replace(/'((?:[^']|'')*)'/g, (_all, inside: string) => inside.replaceAll("''", "'"))
    .replace(/"((?:[^"`]|`[\s\S]|"")*)"/g, (_all, inside: string) => inside.replaceAll('""', '"'))
    .replace(/[\u2018-\u201f]/g, '')
    .replace(/`([\s\S])/g, '$1')
    .replace(/\$\{(\w+:?\w*)\}/g, '$$$1')
    .replace(/^[\u2013-\u2015]/, '-')
}
