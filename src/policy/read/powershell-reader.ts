import type { LineReading, SimpleCommand } from '../model/reading.ts'
import { seenInPowerShell } from './powershell-seen.ts'

/**
 * Reads a PowerShell line made of literal simple commands: bare words, 'single quotes', "double quotes" without $ and
 * backtick, joined by | ; && ||. Everything else PowerShell knows makes it give up. Pure.
 *
 *   Get-Content 'my file.txt' | Select-String foo   →   Get-Content · my file.txt    Select-String · foo
 */
export function readPowerShell(line: string): LineReading {
  const gaveUp = (why: string): LineReading => ({ gaveUp: why, seen: seenInPowerShell(line) })
  if (line.length > LONGEST_LINE) return gaveUp('more text than a PowerShell line runs unasked with')

  const commands: SimpleCommand[] = []
  const operators: string[] = []
  let words: PowerShellWord[] = []
  let at = 0
  const close = (): string | null => {
    const command = commandOf(words)
    if (typeof command === 'string') return command
    commands.push(command)
    words = []
    return null
  }

  while (at < line.length) {
    const blank = /^[ \t]+/.exec(line.slice(at))
    if (blank) {
      at += blank[0].length
      continue
    }

    const join = /^(?:&&|\|\||\||;)/.exec(line.slice(at, at + 2))
    if (join) {
      const problem = close()
      if (problem) return gaveUp(problem)
      operators.push(join[0])
      at += join[0].length
      continue
    }

    const merge = /^(?:2>&1|[1-6*]?>>?[ \t]*\$null)(?=[ \t;|]|$)/i.exec(line.slice(at, at + 64))
    if (merge && words.length > 0) {
      operators.push(merge[0])
      at += merge[0].length
      continue
    }

    const read = readWords(line, at, words.length === 0)
    if (typeof read === 'string') return gaveUp(read)
    words.push(...read.words)
    at = read.end
  }

  // A last `;` ends the line like no separator at all; a last | or && leaves it unfinished.
  if (words.length > 0 || operators.at(-1) !== ';') {
    const problem = close()
    if (problem) return gaveUp(problem)
  }
  return { commands, operators }
}

const LONGEST_LINE = 8 * 1024

interface PowerShellWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly bare: boolean
}

const SPECIAL: Readonly<Record<string, string>> = {
  $: 'a variable',
  '`': 'a backtick',
  '(': 'a parenthesis',
  ')': 'a parenthesis',
  '{': 'a script block',
  '}': 'a script block',
  '<': 'a redirection',
  '>': 'a redirection',
  '&': 'a call or background operator',
  '\n': 'a line break',
}
// A bare word holds letters, digits and these; PowerShell takes other dashes and quotes for its own.
const BARE = /[\p{L}\p{N}\p{M}!%*+./:=?[\\\]^_~@#-]/u
// Inside quotes all that is visible, but for the typographic quotes, which close a string like plain ones.
const QUOTED = /[\p{L}\p{N}\p{M}\p{P}\p{S}\n\t ]/u
const TYPOGRAPHIC_QUOTE = /[\u2018-\u201f]/

/** One word, or several where commas make a list of them; a text is why it gave up. */
function readWords(line: string, start: number, isProgram: boolean): { words: PowerShellWord[]; end: number } | string {
  const words: PowerShellWord[] = []
  let from = start
  while (true) {
    const one = readItem(line, from)
    if (typeof one === 'string') return one
    words.push(one)
    const comma = /^[ \t]*,[ \t]*/.exec(line.slice(one.end))
    if (!comma || isProgram) return { words, end: one.end }
    from = one.end + comma[0].length
  }
}

function readItem(line: string, start: number): PowerShellWord | string {
  const first = line[start] ?? ''
  if (first === "'" || first === '"') {
    const quote = readQuotes(line, start)
    if (typeof quote === 'string') return quote
    // "a"b is two arguments, not one.
    if (!/^(?:[ \t;|,]|$)/.test(line.slice(quote.end, quote.end + 1))) return 'text right after a quote'
    return { text: quote.text, start, end: quote.end, bare: false }
  }

  if (/[@#]/.test(first)) return first === '#' ? 'a comment' : 'an array, hash table or splat'

  let text = ''
  let at = start
  while (at < line.length) {
    const char = String.fromCodePoint(line.codePointAt(at) ?? 0)
    if (/[ \t;|,]/.test(char)) break
    if (char === "'" || char === '"') {
      const quote = readQuotes(line, at)
      if (typeof quote === 'string') return quote
      if (/^-[^-]/.test(text)) return 'a quote inside a parameter'
      text += quote.text
      at = quote.end
      continue
    }
    if (SPECIAL[char]) return SPECIAL[char]
    if (!BARE.test(char)) return 'a character PowerShell may read in its own way'
    text += char
    at += char.length
  }

  if (text === '') return 'a comma without a word'
  if (text.startsWith('--%')) return 'the stop-parsing mark'
  // PowerShell hands `-a.b` to a program as two words.
  if (/^-[A-Za-z_][^-=]*\./.test(text)) return 'a parameter with a dot in it'
  return { text, start, end: at, bare: true }
}

function readQuotes(line: string, start: number): { text: string; end: number } | string {
  const quote = line[start] as string
  let text = ''
  let at = start + 1
  while (at < line.length) {
    const char = String.fromCodePoint(line.codePointAt(at) ?? 0)
    if (char === quote) {
      if (line[at + 1] !== quote) return { text, end: at + 1 }
      at += 1
    } else if (quote === '"' && /[$`]/.test(char)) return 'an expansion inside double quotes'
    else if (TYPOGRAPHIC_QUOTE.test(char)) return 'a typographic quote, which PowerShell reads as a plain one'
    else if (!QUOTED.test(char)) return 'an invisible or control character'
    text += char
    at += char.length
  }
  return 'a quote that is not closed'
}

const PROGRAM = /^(?:[A-Za-z_]|\.{1,2}[\\/]|[\\/])[\w.\\/:+-]*$/
const KEYWORD =
  /^(?:begin|break|catch|class|clean|configuration|continue|data|define|do|dynamicparam|else|elseif|end|enum|exit|filter|finally|for|foreach|from|function|hidden|if|in|inlinescript|parallel|param|process|return|sequence|static|switch|throw|trap|try|until|using|var|while|workflow)$/i
/** Cmdlets get their words as they are; programs get them through a command line that PowerShell writes anew. */
const CMDLET =
  /^(?:add|clear|compare|convert|convertfrom|convertto|copy|disable|enable|export|find|format|get|group|import|invoke|join|measure|move|new|out|read|remove|rename|resolve|select|set|show|sort|split|start|stop|tee|test|update|where|write)-[a-z]+$/i

/** Text is all they get; a path in it is not looked for. */
const SAYS_ITS_WORDS = /^(?:write-(?:output|host|error|warning|verbose|debug|information)|write|echo)$/i

const isPattern = (words: readonly PowerShellWord[], word: PowerShellWord): boolean =>
  /^-(?:pattern|simplematch)$/i.test(words[words.indexOf(word) - 1]?.text ?? '')

function commandOf(words: readonly PowerShellWord[]): SimpleCommand | string {
  const [first, ...rest] = words
  const last = words.at(-1)
  if (!first || !last) return 'a separator without a command'
  if (!first.bare || !PROGRAM.test(first.text)) return 'an expression instead of a command'
  if (KEYWORD.test(first.text)) return `the keyword ${first.text}`
  if (
    rest.some(
      word => word.text.startsWith('~') && (word.bare || !(SAYS_ITS_WORDS.test(first.text) || isPattern(words, word))),
    )
  )
    return 'a home directory'
  const toCmdlet = CMDLET.test(first.text) || SAYS_ITS_WORDS.test(first.text)
  if (!toCmdlet && rest.some(word => word.text === '' || /"|[ \t\n].*\\$/s.test(word.text)))
    return 'a word that older PowerShells hand to a program in other pieces'
  const globs = words.flatMap((word, i) => (!toCmdlet && word.bare && /[*?[]/.test(word.text) ? [i] : []))
  return { argv: words.map(word => word.text), start: first.start, end: last.end, globs }
}
