import type { Shell } from '../model/reading.ts'
import { STATUS, staysOneWord, type Values } from './line-variables.ts'

/** Why our own reader does not go on. */
export class GiveUp extends Error {}

export const OPEN_QUOTE = 'a quote that is not closed'

export interface LiteralWord {
  readonly text: string
  readonly raw: string
  readonly glob: boolean
  /** As `text`, with a backslash before what was quoted. */
  readonly pattern: string
  readonly end: number
  /** Whether `$?` is in it. */
  readonly status: boolean
  /** Whether any variable is in it. */
  readonly expanded: boolean
}

/** How words are read: by which shell, and what variables stand for. */
export interface WordReading {
  readonly shell: Shell
  readonly values: Values
}

/** Values that are made of values grow fast. */
const LONGEST_VALUE = 256

/** Whether a word is a literal that the rest of the line may be read with. */
export const isPlainValue = ({ glob, status }: LiteralWord, value: string): boolean =>
  !glob && !status && value.length <= LONGEST_VALUE

/** Words that begin something else than a command. */
export const RESERVED = new Set(
  'if then else elif fi do done case esac while until for in function select time { } [[ ]] ! coproc repeat foreach end nocorrect noglob'.split(
    ' ',
  ),
)

/** Quotes, escapes and wildcards in one word. */
const MOST_PIECES = 2048
const SPECIAL: Readonly<Record<string, string>> = {
  '`': 'a command substitution',
  '(': 'a parenthesis',
  ')': 'a parenthesis',
  '}': 'a brace',
}

/** `HEAD@{1}`, `{}`, `{{.Names}}`: braces without a comma or `..` in them are text. */
const LITERAL_BRACES = /^(?:\{[A-Za-z0-9_@/+-]*\}|\{\{\.?\w+(?:\.\w+)*\}\})/

export function readWord(line: string, start: number, { shell, values }: WordReading): LiteralWord {
  let text = ''
  let pattern = ''
  let at = start
  let glob = false
  let previous = ''
  let unquoted = ''
  let pieces = 0
  let status = false
  let expanded = false
  const put = (piece: string, length: number, bare: string): void => {
    text += piece
    pattern += bare === '' ? piece.replace(/[^/]/gu, '\\$&') : piece
    at += length
    previous = bare
    unquoted += bare
  }

  while (at < line.length) {
    const char = line[at] as string
    if (/[ \t\n;|&<>]/.test(char)) break
    if (/["'\\*?[{$]/.test(char) && ++pieces > MOST_PIECES) throw new GiveUp('a word of very many pieces')

    if (char === "'") {
      const close = line.indexOf("'", at + 1)
      if (close < 0) throw new GiveUp(OPEN_QUOTE)
      put(line.slice(at + 1, close), close + 1 - at, '')
    } else if (char === '"') {
      const quoted = readDoubleQuoted(line, at, values)
      status ||= quoted.status
      expanded ||= quoted.expanded
      put(quoted.text, quoted.length, '')
    } else if (char === '\\') {
      const next = line[at + 1]
      if (next === undefined || /[\s\u0000-\u001f]/.test(next.replace(' ', 'x')))
        throw new GiveUp('a backslash before a line break or blank')
      const pair = String.fromCodePoint(line.codePointAt(at + 1) as number)
      put(pair, 1 + pair.length, '')
    } else if (char === '{') {
      const literal = LITERAL_BRACES.exec(line.slice(at, at + 200))
      if (!literal) throw new GiveUp('a brace')
      put(literal[0], literal[0].length, literal[0])
    } else if (char === '$') {
      const found = readVariable(line, at, values)
      expanded = true
      if (found.value === STATUS) status = true
      else if (!staysOneWord(found.value)) throw new GiveUp('a $ expansion')
      put(found.value, found.length, 'v')
    } else if (SPECIAL[char]) throw new GiveUp(SPECIAL[char])
    else if (char === '~' && (at === start || previous === '=' || previous === ':'))
      throw new GiveUp('a home directory')
    // zsh puts the path of a program there. Bash does not; a line that reads so differently needs approval all the same.
    else if (char === '=' && at === start && (/[A-Za-z_]/.test(line[at + 1] ?? '') || !/^(?:ba)?sh$/.test(shell)))
      throw new GiveUp('an =command')
    else {
      if (char === '*' || char === '?' || char === '[') glob = true
      if ((char === '^' || char === '#' || char === '~') && shell === 'zsh') throw new GiveUp('a zsh pattern')
      put(char, 1, char)
    }
  }

  const raw = line.slice(start, at)
  if (raw === '[') glob = false
  // Bash looks for commas and `..` inside the braces only; zsh may be set to look closer.
  if (unquoted.includes('{') && (shell === 'zsh' ? /[,*?[]|\.\./ : /[*?[]/).test(unquoted)) throw new GiveUp('a brace')
  if (shell === 'zsh' && glob) throw new GiveUp('a zsh pattern')
  return { text, raw, glob, pattern, end: at, status, expanded }
}

/** Inside double quotes only `\` before one of four characters means anything, and `$` where no name can follow is itself. */
function readDoubleQuoted(
  line: string,
  start: number,
  values: Values,
): { text: string; length: number; status: boolean; expanded: boolean } {
  let text = ''
  let status = false
  let expanded = false
  let at = start + 1
  for (; at < line.length; at += 1) {
    const char = line[at] as string
    const next = line[at + 1] ?? ''
    if (char === '"') return { text, length: at + 1 - start, status, expanded }
    if (char === '`') throw new GiveUp('a command substitution')
    if (char === '$' && !/^["\s|)]$/.test(next)) {
      const found = readVariable(line, at, values)
      text += found.value
      expanded = true
      status ||= found.value === STATUS
      at += found.length - 1
      continue
    }
    if (char === '\\') {
      if (next === '\n') throw new GiveUp('a backslash before a line break')
      if (/^["\\$`]$/.test(next)) {
        text += next
        at += 1
        continue
      }
    }
    text += char
  }
  throw new GiveUp(OPEN_QUOTE)
}

const VARIABLE = /^\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\}|(\?))/

/** `$NAME` and `${NAME}`, where the line or the machine says what it stands for. */
function readVariable(line: string, at: number, values: Values): { value: string; length: number } {
  const [whole = '', plain, braced, status] = VARIABLE.exec(line.slice(at, at + 80)) ?? []
  const value = values.get(plain ?? braced ?? status ?? '')
  if (line[at + 1] === '(') throw new GiveUp('a command substitution')
  if (value === undefined) throw new GiveUp('a $ expansion')
  return { value, length: whole.length }
}

const PLAIN = '[A-Za-z0-9_./*?:@%+=-]*'
const LIST = `\\{${PLAIN}(?:,${PLAIN})+\\}|\\{(?:0|[1-9]\\d{0,2})\\.\\.(?:0|[1-9]\\d{0,2})\\}`
const BRACED = new RegExp(`^${PLAIN}(?:(?:${LIST})${PLAIN})+(?=[ \\t\\n;|&<>]|$)`)
const MOST_BRACED = 64

/** `src/*.{ts,tsx}`, `{1..3}`: the words that bash makes of one, where nothing in it is quoted; null: it is no such word. */
export function readBraces(line: string, start: number, reading: WordReading): LiteralWord[] | null {
  if (reading.shell !== 'bash') return null
  const [raw] = BRACED.exec(line.slice(start, start + 400)) ?? []
  // `a={b,c}` may be an assignment, in which braces are text.
  if (raw === undefined || (raw.includes('=') && !raw.startsWith('-'))) return null
  const pieces = raw.split(/\{([^}]*)\}/)
  let words = ['']
  pieces.forEach((piece, i) => {
    const choices = i % 2 === 0 ? [piece] : choicesOf(piece)
    if (words.length * choices.length > MOST_BRACED) throw new GiveUp('a brace that stands for many words')
    words = words.flatMap(word => choices.map(choice => word + choice))
  })
  // An empty word is dropped by the shell.
  if (words.includes('')) throw new GiveUp('a brace')
  return words.map(word => ({ ...readWord(word, 0, reading), end: start + raw.length }))
}

function choicesOf(list: string): string[] {
  if (list.includes(',')) return list.split(',')
  const [from = 0, to = 0] = list.split('..').map(Number)
  if (Math.abs(to - from) >= MOST_BRACED) throw new GiveUp('a brace that stands for many words')
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => String(from < to ? from + i : from - i))
}
