import type { SimpleCommand } from '../model/reading.ts'

/**
 * What can be made out of any PowerShell text, however it is nested: wherever a command could begin, the words from there on.
 * For the destructive rules and for display, never for approval, so it may see too much.
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
  // A backtick at the end of a line joins it with the next.
  for (const { 0: token, index } of line
    .slice(0, LONGEST)
    .replace(/`\r?\n/g, ended => ' '.repeat(ended.length))
    .matchAll(TOKEN)) {
    if (/^[^\S\n]*$/.test(token)) continue
    if (/^(?:[;|&{}()\n]|\$[\w:]+\s*[-+*/%]?=)/.test(token) || (token === '.' && words.length === 0)) close()
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
    .replace(/\$\{(\w+:?[\w()]*)\}/g, '$$$1')
    .replace(/^[\u2013-\u2015]/, '-')
}

/**
 * The text with what it says itself put in place: `$p='C:\'; rm -r $p` and `& ('Remove' + '-Item')`. Rough, for the
 * destructive rules only.
 */
export function putInPlace(line: string): string {
  const written = loopsOfCmd(line.slice(0, LONGEST))
    .replace(/(['"])\s{0,9}\+\s{0,9}\1/g, '')
    .replace(/\$\(\s{0,9}'([\w-]{0,64})'\s{0,9}\)/g, '$1')
    .replace(/\$\(\s{0,9}(\$[\w:.]{1,64})\s{0,9}\)/g, '$1')
    .replace(/(\$[\w:]{1,64})\s{0,9}\+\s{0,9}(['"])([^'"]{0,200})\2/g, '$1$3')
    .replace(JOIN_PATH, (_, one: string, two: string) => `'${unquoted(one)}\\${unquoted(two)}'`)
    .replace(/\[scriptblock\]::Create\(\s{0,9}(['"])([^'"]{0,999})\1\s{0,9}\)/gi, '; $2 ;')
    .replace(/\[(?:System\.)?Environment\]::GetFolderPath\(\s{0,9}['"]?UserProfile['"]?\s{0,9}\)/gi, '$HOME')
    .replace(/([&.])\s{0,9}\(\s{0,9}(?:(?:get-command|gcm)\s{1,9})?(['"]?)([\w-]{1,64})\2\s{0,9}\)/gi, '$1 $3')
    .replace(PRINTS_ITS_WORD, ' $1 ')

  const aliased = [...written.matchAll(ALIAS)].slice(0, MOST_KNOWN)
  const joined = aliased.reduce(
    (text, [, name = '', value = '']) =>
      text.replace(new RegExp(`((?:^|[;|&{(\\n])\\s{0,9})${name}(?=\\s)`, 'gi'), `$1${value}`),
    written,
  )

  const known = new Map<string, string>()
  for (const [, name = '', value = ''] of joined.matchAll(ASSIGNED))
    if (known.size < MOST_KNOWN && !/^(?:env|home|_|true|false|null)$/i.test(name)) known.set(name.toLowerCase(), value)

  // cmd: `set X=C:\ & rd /s %X%`
  const set = new Map([...joined.matchAll(SET_BY_CMD)].map(([, name = '', value = '']) => [name.toLowerCase(), value]))
  const filled =
    set.size === 0 ? joined : joined.replace(/%(\w{1,64})%/g, (all, name: string) => set.get(name.toLowerCase()) ?? all)

  if (known.size === 0) return filled
  return filled
    .replace(/\$\{?(\w{1,64})\}?(?![\w:])(?!\s{0,9}=[^=])/g, (whole, name: string) => {
      const value = known.get(name.toLowerCase())
      if (value === undefined) return whole
      const bare = value.slice(1, -1)
      return /^(['"])[\w:\\/.*~$-]*\1$/.test(value) ? bare : value
    })
    .slice(0, LONGEST)
}

/** cmd: `for /d %x in (C:\*) do rd /s %x` once for each place the loop names; `/r` reaches all below it. */
function loopsOfCmd(text: string): string {
  const [loop] = text.matchAll(LOOP_OF_CMD)
  if (!loop) return text
  const [, kind = '', root = '', variable = '', items = '', body = ''] = loop
  const below = /^\/r$/i.test(kind) ? ' /s' : ''
  const places = [...(below === '' ? [] : [root || '.']), ...items.replace(/['"`]/g, '').split(/[\s,;]+/)]
    .filter(word => word !== '')
    .slice(0, MOST_KNOWN)
  const used = new RegExp(`%{1,2}(?:~[a-z$:]{0,8}?)?${variable}(?!\\w)`, 'gi')
  return places.map(place => body.replace(/@(?=[a-z])/gi, '').replace(used, () => `${place}${below}`)).join('\n')
}

const MOST_KNOWN = 16
const LOOP_OF_CMD =
  /\bfor\s{1,9}(?:(\/[dfrl])\s{1,9})?(?:"?([^\s%"(]{1,200})"?\s{1,9}|"[^"]{0,200}"\s{1,9})?%{1,2}([a-z])\s{1,9}in\s{1,9}\(([^)]{0,500})\)\s{0,9}do\s{1,9}(.{1,2000})/gis
const SET_BY_CMD = /\bset\s{1,9}"?(\w{1,64})=([^"&|\n]{0,200}?)\s{0,9}(?=["&|\n]|$)/gi
const ALIAS =
  /\b(?:(?:set|new)-alias|sal|nal)\s{1,9}(?:-name\s{1,9})?['"]?(\w{1,32})['"]?\s{1,9}(?:-value\s{1,9})?['"]?([\w-]{1,32})/gi
const JOIN_PATH =
  /\bjoin-path\s{1,9}(?:-path\s{1,9})?('[^']{0,200}'|"[^"]{0,200}"|[^\s'"(){}|;&]{1,200})\s{1,9}(?:-childpath\s{1,9})?('[^']{0,200}'|"[^"]{0,200}"|[^\s'"(){}|;&]{1,200})/gi
const unquoted = (word: string): string => word.replace(/^(['"])(.*)\1$/s, '$2')
/** `(Resolve-Path ~)`, `$(echo C:\)`, `@('x')`: what is left of the brackets is one word. */
const PRINTS_ITS_WORD =
  /(?<![\w\]])[$@]?\(\s{0,9}(?:(?:echo|write-output|resolve-path|rvpa|convert-path|get-item|gi)\s{1,9})?('[^'()]{0,500}'|"[^"()]{0,500}"|[^\s'"(){}|;&]{1,200})\s{0,9}\)(?!\s{0,9}\.)/gi
const ASSIGNED =
  /\$(\w{1,64})\s{0,9}(?:=|in\b)\s{0,9}(?:(?:get-childitem|gci|ls|dir)\s{1,9})?((?:'[^']{0,500}'|"[^"]{0,500}"|[^\s;|&{}()'"]{1,500})(?:\s{0,9},\s{0,9}(?:'[^']{0,200}'|"[^"]{0,200}"))*)/gi
