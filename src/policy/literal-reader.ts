import type { LineReading, Shell, SimpleCommand } from './reading.ts'

/**
 * Our own reader of the part of shell we are sure of, written without a grammar library so that it can disagree with one:
 *
 *   simple commands · `&&` `||` `|` `;` and line breaks between them · quotes · backslashes · comments ·
 *   redirections to /dev/null and between stdout and stderr
 *
 * Every other character a shell treats in a special way makes it give up. Pure.
 */
export function readLiterally(line: string, shell: Shell = 'bash'): LineReading {
  const reader = new LiteralReader(line, shell)
  try {
    return reader.read()
  } catch (reason) {
    if (reason instanceof GiveUp) return { gaveUp: reason.message, seen: reader.finished() }
    throw reason
  }
}

class GiveUp extends Error {}

interface Word {
  readonly text: string
  readonly raw: string
  readonly glob: boolean
  readonly end: number
}

const MOST_COMMANDS = 64
const MOST_WORDS = 2048
/** Quotes, escapes and wildcards in one word. */
const MOST_PIECES = 2048
const RESERVED = new Set(
  'if then else elif fi do done case esac while until for in function select time { } [[ ]] ! coproc repeat foreach end nocorrect noglob'.split(
    ' ',
  ),
)
const SPECIAL: Readonly<Record<string, string>> = {
  '`': 'a command substitution',
  $: 'a $ expansion',
  '(': 'a parenthesis',
  ')': 'a parenthesis',
  '}': 'a brace',
}

class LiteralReader {
  readonly #line: string
  readonly #shell: Shell
  #at = 0
  readonly #commands: SimpleCommand[] = []
  readonly #operators: string[] = []
  #words: Word[] = []
  #start = -1
  #end = -1
  /** Redirections alone make a command too: `> /dev/null` runs nothing, but a separator may follow it. */
  #redirected = false
  /** After `&&`, `||` and `|` a command must follow; line breaks may come first. */
  #owed = false
  #joint: string | null = null

  constructor(line: string, shell: Shell) {
    this.#line = line
    this.#shell = shell
  }

  finished(): readonly SimpleCommand[] {
    return this.#commands
  }

  read(): LineReading {
    while (this.#at < this.#line.length) this.#readNext()
    this.#endCommand()
    if (this.#owed) throw new GiveUp('an operator without a command behind it')
    if (this.#commands.length === 0) throw new GiveUp('no command')
    return { commands: this.#commands, operators: this.#operators }
  }

  #readNext(): void {
    const char = this.#line[this.#at] as string
    const rest = this.#line.slice(this.#at, this.#at + 3)
    if (char === ' ' || char === '\t') this.#at += 1
    else if (char === '#' && this.#afterBlank()) this.#skipComment()
    else if (char === '\n') this.#lineBreak()
    else if (rest.startsWith('&&') || rest.startsWith('||')) this.#join(rest.slice(0, 2))
    else if (rest.startsWith('&>')) this.#redirect('&>')
    else if (rest.startsWith('|&') && this.#shell === 'bash') this.#join('|&')
    else if (char === '|') this.#join('|')
    else if (char === ';') this.#semicolon()
    else if (char === '&') throw new GiveUp('a & that runs it in the background')
    else if (char === '>' || char === '<') this.#redirect('')
    else this.#takeWord()
  }

  #afterBlank(): boolean {
    return this.#at === 0 || /[ \t\n]/.test(this.#line[this.#at - 1] as string)
  }

  #skipComment(): void {
    const lineEnd = this.#line.indexOf('\n', this.#at)
    this.#at = lineEnd < 0 ? this.#line.length : lineEnd
  }

  #lineBreak(): void {
    if (this.#endCommand()) this.#joint = '\n'
    this.#operators.push('\n')
    this.#at += 1
  }

  #semicolon(): void {
    if (!this.#endCommand()) throw new GiveUp('a ; without a command before it')
    this.#separate(';')
    this.#at += 1
  }

  #join(operator: string): void {
    if (!this.#endCommand()) throw new GiveUp('an operator without a command before it')
    this.#separate(operator)
    this.#owed = true
    this.#at += operator.length
  }

  #separate(operator: string): void {
    this.#operators.push(operator)
    this.#joint = operator
  }

  #endCommand(): boolean {
    if (this.#words.length === 0) {
      if (this.#redirected) throw new GiveUp('a redirection without a command')
      return false
    }
    if (this.#commands.length >= MOST_COMMANDS) throw new GiveUp(`more than ${MOST_COMMANDS} commands`)
    const globs = this.#words.flatMap((word, i) => (word.glob ? [i] : []))
    if (globs[0] === 0) throw new GiveUp('a program name with a wildcard')
    const argv = this.#words.map(word => word.text)
    const joint = this.#joint === null ? {} : { joinedBy: this.#joint }
    this.#commands.push({ argv, start: this.#start, end: this.#end, globs, ...joint })
    this.#joint = null
    this.#words = []
    this.#start = -1
    this.#redirected = false
    this.#owed = false
    return true
  }

  #touch(from: number): void {
    if (this.#start < 0) this.#start = from
    this.#end = this.#at
  }

  #takeWord(): void {
    const from = this.#at
    const word = readWord(this.#line, from, this.#shell)
    this.#at = word.end
    const next = this.#line[this.#at]
    if ((next === '>' || next === '<') && /^\d+$/.test(word.raw)) {
      if (!/^[12]$/.test(word.raw)) throw new GiveUp('a redirection of an unusual stream')
      this.#redirect(word.raw, from)
      return
    }
    if (this.#words.length === 0) {
      if (/^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/.test(word.raw)) throw new GiveUp('an assignment before the command')
      if (/^[-+]/.test(word.text)) throw new GiveUp('a program name that looks like an option')
      if (RESERVED.has(word.raw)) throw new GiveUp(`the shell keyword ${word.raw}`)
    }
    if (this.#words.length >= MOST_WORDS) throw new GiveUp(`more than ${MOST_WORDS} words`)
    this.#words.push(word)
    this.#touch(from)
  }

  #redirect(prefix: string, from = this.#at): void {
    const shape =
      /^(?:&>>?|>>?|<)(?:&[12](?=[ \t\n;|&]|$)|[ \t]*\/dev\/null(?=[ \t\n;|&<>]|$))|^>[&|][ \t]*\/dev\/null(?=[ \t\n;|&<>]|$)/.exec(
        this.#line.slice(this.#at, this.#at + 64),
      )
    if (!shape) throw new GiveUp('a redirection to or from a file')
    const [text] = shape
    if (text.startsWith('&>') && (this.#shell === 'sh' || text.includes('>&'))) throw new GiveUp('an &> redirection')
    // Only bash takes a file behind >&, and no stream before it.
    if (/^>&[^12]/.test(text) && (this.#shell !== 'bash' || prefix !== '')) throw new GiveUp('an unusual redirection')
    if (text.startsWith('>>&') || text.startsWith('<&')) throw new GiveUp('an unusual redirection')
    if (text.startsWith('<') && prefix !== '') throw new GiveUp('an unusual redirection')
    this.#at += text.length
    this.#operators.push((prefix === '&>' ? '' : prefix) + text)
    this.#redirected = true
    this.#touch(from)
  }
}

/** `HEAD@{1}`, `{}`, `{{.Names}}`: braces without a comma or `..` in them are text. */
const LITERAL_BRACES = /^(?:\{[A-Za-z0-9_@/+-]*\}|\{\{\.?\w+(?:\.\w+)*\}\})/

function readWord(line: string, start: number, shell: Shell): Word {
  let text = ''
  let at = start
  let glob = false
  let previous = ''
  let unquoted = ''
  let pieces = 0
  const put = (piece: string, length: number, bare: string): void => {
    text += piece
    at += length
    previous = bare
    unquoted += bare
  }
  while (at < line.length) {
    const char = line[at] as string
    if (/[ \t\n;|&<>]/.test(char)) break
    if (/["'\\*?[{]/.test(char) && ++pieces > MOST_PIECES) throw new GiveUp('a word of very many pieces')
    if (char === "'") {
      const close = line.indexOf("'", at + 1)
      if (close < 0) throw new GiveUp('a quote that is not closed')
      put(line.slice(at + 1, close), close + 1 - at, '')
    } else if (char === '"') {
      const quoted = readDoubleQuoted(line, at)
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
    } else if (SPECIAL[char]) throw new GiveUp(SPECIAL[char])
    else if (char === '~' && (at === start || previous === '=' || previous === ':'))
      throw new GiveUp('a home directory')
    // zsh puts the path of a program there. Bash does not; a line that reads so differently is asked all the same.
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
  // Bash looks for commas and `..` inside the braces only; zsh may be told to look closer.
  if (unquoted.includes('{') && (shell === 'zsh' ? /[,*?[]|\.\./ : /[*?[]/).test(unquoted)) throw new GiveUp('a brace')
  if (shell === 'zsh' && glob) throw new GiveUp('a zsh pattern')
  return { text, raw, glob, end: at }
}

/** Inside double quotes only `\` before one of four characters means anything, and `$` where no name can follow is itself. */
function readDoubleQuoted(line: string, start: number): { text: string; length: number } {
  let text = ''
  let at = start + 1
  for (; at < line.length; at += 1) {
    const char = line[at] as string
    const next = line[at + 1] ?? ''
    if (char === '"') return { text, length: at + 1 - start }
    if (char === '`') throw new GiveUp('a command substitution')
    if (char === '$' && !/^["\s|)]$/.test(next)) throw new GiveUp('a $ expansion')
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
  throw new GiveUp('a quote that is not closed')
}
