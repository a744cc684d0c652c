/**
 * Finds every command a line might run, without a grammar: nested, substituted, in a here-document, half broken. It never
 * gives up and never decides that something may run; it only feeds the destructive rules.
 *
 * Quoted text stays one word, so `echo 'rm -rf /'` holds no `rm`. What it cannot know it keeps as text: `$HOME` stays `$HOME`.
 */
export interface RoughCommand {
  readonly argv: readonly string[]
  /** Files it writes through `>`. */
  readonly sinks: readonly string[]
  /** Text it is fed with: a here-document, a here-string. */
  readonly fed: readonly string[]
  /** The command left of the pipe. */
  readonly pipedFrom: RoughCommand | null
}

const MOST_COMMANDS = 500
const MOST_NESTED = 500
const DEEPEST = 12
const MOST_HEREDOCS = 16
const MOST_LOOKS = 100_000
const PLAIN = /[\w./=:@%+,^~*?[\]{}!-]+/y
const OPENERS = new Set('if then else elif do while until ! { coproc && || ('.split(' '))

export function roughScan(line: string): RoughCommand[] {
  const found: RoughCommand[] = []
  new RoughScanner(line, found, { depth: 0, nested: { left: MOST_NESTED } }).scan()
  return found
}

interface How {
  readonly depth: number
  /** Shared by all scanners of a line. */
  readonly nested: { left: number }
}

interface Draft {
  argv: string[]
  sinks: string[]
  fed: string[]
  pipedFrom: RoughCommand | null
}
const fresh = (pipedFrom: RoughCommand | null): Draft => ({ argv: [], sinks: [], fed: [], pipedFrom })

class RoughScanner {
  #at = 0
  #draft = fresh(null)
  #word: string | null = null
  #bare = true
  #sink: 'none' | 'file' | 'string' = 'none'
  #bodies = 0
  /** Looking for a closing bracket from every opening one would take quadratic time. */
  #looks = MOST_LOOKS
  readonly #heredocs: { mark: string; quoted: boolean; owner: Draft }[] = []
  readonly #text: string
  readonly #found: RoughCommand[]
  readonly #how: How

  constructor(text: string, found: RoughCommand[], how: How) {
    this.#text = text
    this.#found = found
    this.#how = how
  }

  scan(): void {
    while (this.#at < this.#text.length && this.#found.length < MOST_COMMANDS) this.#step()
    this.#endCommand(null)
  }

  #step(): void {
    PLAIN.lastIndex = this.#at
    const plain = PLAIN.exec(this.#text)
    if (plain) {
      this.#put(plain[0])
      return
    }
    const char = this.#text[this.#at] as string
    if (char === '\\') this.#escape()
    else if (char === "'") this.#singleQuoted()
    else if (char === '"') this.#doubleQuoted()
    else if (char === '$' || char === '`') this.#expansion()
    else if (char === '#' && this.#word === null) this.#at = this.#lineEnd()
    else if (char === '\n') this.#lineBreak()
    else if (/\s/.test(char)) this.#endWord(1)
    else if (char === '<' || char === '>') this.#redirection(char)
    else if (char === '&' && this.#text[this.#at + 1] === '>') this.#endWord(1)
    else if (char === '|') this.#pipe()
    else if (/[;&()]/.test(char)) this.#endCommand(null, 1)
    else this.#put(char)
  }

  #put(text: string, length = text.length, quoted = false): void {
    this.#word = (this.#word ?? '') + text
    if (quoted) this.#bare = false
    this.#at += length
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#at)
    return end < 0 ? this.#text.length : end
  }

  #escape(): void {
    const next = this.#text[this.#at + 1]
    if (next === '\n' || next === undefined) this.#at += 2
    else this.#put(next, 2)
  }

  #singleQuoted(): void {
    const close = this.#text.indexOf("'", this.#at + 1)
    const end = close < 0 ? this.#text.length : close
    this.#put(this.#text.slice(this.#at + 1, end), end + 1 - this.#at, true)
  }

  #doubleQuoted(): void {
    this.#at += 1
    this.#put('', 0, true)
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at] as string
      if (char === '\\') this.#put(this.#text[this.#at + 1] ?? '', 2)
      else if (char === '$' || char === '`') this.#expansion()
      else this.#put(char)
    }
    this.#at += 1
  }

  #expansion(): void {
    const rest = this.#text.slice(this.#at, this.#at + 2)
    if (rest[0] === '`') {
      const close = this.#closing('`')
      this.#nest(this.#text.slice(this.#at + 1, close).replace(/\\([`\\$])/g, '$1'))
      this.#put('`…`', close + 1 - this.#at)
    } else if (rest === '$(') {
      const close = this.#closing(')')
      this.#nest(this.#text.slice(this.#at + 2, close))
      this.#put('$(…)', close + 1 - this.#at)
    } else if (rest === "$'") {
      const close = this.#closing("'")
      this.#put(decodeAnsiC(this.#text.slice(this.#at + 2, close)), close + 1 - this.#at, true)
    } else if (/^\$(IFS\b|\{IFS[^}]*\})/.test(this.#text.slice(this.#at, this.#at + 20))) {
      const [blank = ''] = /^\$(?:IFS|\{IFS[^}]*\})/.exec(this.#text.slice(this.#at)) ?? []
      this.#endWord(blank.length)
    } else this.#put('$')
  }

  #closing(closer: string): number {
    let depth = 0
    for (let at = this.#at + (closer === '`' ? 1 : 2); at < this.#text.length && this.#looks > 0; at += 1) {
      this.#looks -= 1
      const char = this.#text[at]
      if (char === '\\') at += 1
      else if (char === closer && depth === 0) return at
      else if (closer === ')' && char === '(') depth += 1
      else if (closer === ')' && char === ')') depth -= 1
    }
    return this.#text.length
  }

  #nest(text: string): void {
    const { depth, nested } = this.#how
    nested.left -= 1
    if (depth < DEEPEST && nested.left >= 0) new RoughScanner(text, this.#found, { depth: depth + 1, nested }).scan()
  }

  #redirection(char: string): void {
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null
    this.#endWord(0)
    const [operator = char] =
      /^(?:<<<|<<-?|<>|<&|<\(|>>|>\||>&|>\(|<|>)/.exec(this.#text.slice(this.#at, this.#at + 4)) ?? []
    this.#at += operator.length
    if (operator.endsWith('(')) {
      this.#at -= 2
      const close = this.#closing(')')
      this.#nest(this.#text.slice(this.#at + 2, close))
      this.#at = close + 1
    } else if (operator === '<<' || operator === '<<-') this.#heredocMark()
    else if (operator === '<<<') this.#sink = 'string'
    else if (operator.startsWith('>') || operator === '<>') this.#sink = 'file'
  }

  #heredocMark(): void {
    const [raw = ''] = /^[ \t]*[^\s;&|<>()]+/.exec(this.#text.slice(this.#at, this.#at + 200)) ?? []
    const mark = raw.trim().replace(/['"\\]/g, '')
    this.#heredocs.push({ mark, quoted: /['"\\]/.test(raw), owner: this.#draft })
    this.#at += raw.length
  }

  #lineBreak(): void {
    this.#at += 1
    for (const { mark, quoted, owner } of this.#heredocs.splice(0)) {
      this.#bodies += 1
      if (this.#bodies > MOST_HEREDOCS) break
      const lines = this.#text.slice(this.#at).split('\n')
      const last = lines.findIndex(line => line.replace(/^\t+/, '') === mark)
      const body = lines.slice(0, last < 0 ? lines.length : last).join('\n')
      owner.fed.push(body)
      // An unquoted here-document runs its substitutions; everything else in it is text.
      if (!quoted) for (const [inner] of body.matchAll(/`[^`]*`|\$\([^)]*\)/g)) this.#nest(inner)
      this.#at += body.length + (last < 0 ? 0 : 1 + (lines[last] ?? '').length)
    }
    this.#endCommand(null)
  }

  #pipe(): void {
    const double = this.#text[this.#at + 1] === '|'
    const length = double || this.#text[this.#at + 1] === '&' ? 2 : 1
    const left = this.#endCommand(null, length)
    if (!double && left) this.#draft.pipedFrom = left
  }

  #endWord(length: number): void {
    this.#at += length
    const word = this.#word
    if (word === null) return
    const [bare, sink] = [this.#bare, this.#sink]
    this.#word = null
    this.#bare = true
    this.#sink = 'none'
    // `function name {`: what follows the brace is the body.
    if (bare && word === '{' && this.#draft.argv[0] === 'function') this.#draft.argv.length = 0
    else if (sink === 'file') this.#draft.sinks.push(word)
    else if (sink === 'string') this.#draft.fed.push(word)
    else if (this.#draft.argv.length > 0 || !bare || !isPrelude(word))
      this.#draft.argv.push(...expandBraces(word, bare))
  }

  #endCommand(pipedFrom: RoughCommand | null, length = 0): RoughCommand | null {
    this.#endWord(length)
    const done = this.#draft
    this.#draft = fresh(pipedFrom)
    if (done.argv.length === 0 && done.sinks.length === 0) return null
    this.#found.push(done)
    return done
  }
}

/** Words in front of the program: keywords and assignments. */
const isPrelude = (word: string): boolean => OPENERS.has(word) || /^[A-Za-z_]\w*\+?=/.test(word)

/** `{rm,-rf,/}` is three words to a shell. */
function expandBraces(word: string, bare: boolean): string[] {
  const list = bare ? /^([^{}]*)\{([^{}]*,[^{}]*)\}([^{}]*)$/.exec(word) : null
  if (!list) return [word]
  const [, before = '', items = '', after = ''] = list
  return items.split(',').map(item => before + item + after)
}

function decodeAnsiC(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs, (_, code: string) => {
    if (/^[xu]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8))
    return { n: '\n', t: '\t' }[code] ?? code
  })
}
