import { Effort } from '../model/effort.ts'
import { parameterIn, valuesGivenBy, WELL_KNOWN } from './known-variables.ts'
import { printed, scriptOf } from './printed-text.ts'
import { fresh, type How, type RoughCommand, type RoughDraft } from './rough-command.ts'
import {
  ASSIGNMENT,
  bared,
  DECLARES,
  decodeAnsiC,
  documentIn,
  endOfLine,
  expandBraces,
  isPrelude,
  listIn,
  RUN_BY_OTHERS,
  shielded,
} from './shell-words.ts'
import { closingAt, substitutionAt } from './substitutions.ts'

const DEEPEST = 12
const MOST_KNOWN = 500
/** What a command costs beside its characters: all the rules look at it. */
const COMMAND = 24
const STEP = 2
const QUOTED = /[^"\\$`]+/y
const PLAIN = /[\w./=:@%+,^~*?[\]{}!-]+/y

/**
 * Finds every command a line might run, without a grammar: nested, substituted, in a here-document, half broken. It never
 * gives up and never decides that something may run; it only feeds the destructive rules.
 *
 * Quoted text stays one word, so `echo 'rm -rf /'` holds no `rm`. What it cannot know it keeps as text: `$HOME` stays `$HOME`.
 */
export function roughScan(
  line: string,
  effort = new Effort(),
  given: ReadonlyMap<string, readonly string[]> = new Map(),
): RoughCommand[] {
  const found: RoughCommand[] = []
  new RoughScanner(line, found, { depth: 0, effort, known: new Map([...WELL_KNOWN, ...given]) }).scan()
  return found
}

class RoughScanner {
  #at = 0
  #draft = fresh(null)
  #word: string | null = null
  #bare = true
  #assigns = false
  #sink: 'none' | 'file' | 'string' | 'input' = 'none'
  readonly #heredocs: { mark: string; quoted: boolean; owner: RoughDraft }[] = []
  readonly #text: string
  readonly #found: RoughCommand[]
  readonly #how: How

  constructor(text: string, found: RoughCommand[], how: How) {
    this.#text = text
    this.#found = found
    this.#how = how
  }

  scan(): void {
    while (this.#at < this.#text.length && this.#spend(STEP)) this.#step()
    this.#endCommand(null)
  }

  #spend(steps: number): boolean {
    return this.#how.effort.spend(steps)
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
    else if (char === '#' && this.#word === null) this.#at = endOfLine(this.#text, this.#at)
    else if (char === '\n') this.#lineBreak()
    else if (/\s/.test(char)) this.#endWord(1)
    else if (char === '<' || char === '>') this.#redirection(char)
    else if (char === '&' && this.#text[this.#at + 1] === '>') this.#endWord(1)
    else if (char === '|') this.#pipe()
    else if (char === '(' && this.#list()) return
    else if (/[;&()]/.test(char)) this.#endCommand(null, 1)
    else this.#put(char)
  }

  /** `a=(-rf /)` */
  #list(): boolean {
    const list = listIn(this.#word ?? '', this.#text.slice(this.#at, this.#at + 300))
    if (!list) return false
    this.#know(list.name, list.values)
    this.#at += list.length
    this.#word = null
    return true
  }

  #put(text: string, length = text.length, quoted = false): void {
    if (quoted && this.#bare) {
      this.#assigns = ASSIGNMENT.test(this.#word ?? '')
      this.#bare = false
    }
    this.#word = (this.#word ?? '') + (quoted ? shielded(text) : text)
    this.#at += length
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
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"' && this.#spend(STEP)) {
      QUOTED.lastIndex = this.#at
      const plain = QUOTED.exec(this.#text)
      const char = this.#text[this.#at] as string
      if (plain) this.#put(plain[0], plain[0].length, true)
      else if (char === '\\') this.#put(this.#text[this.#at + 1] ?? '', 2, true)
      else this.#expansion(true)
    }
    this.#at += 1
  }

  #expansion(quoted = false): void {
    const substitution = substitutionAt(this.#text, this.#at, this.#how.effort)
    if (substitution) {
      const output = this.#nest(substitution.inner)
      this.#at = substitution.end
      this.#putWords([output ?? substitution.shown], quoted)
    } else if (this.#text.startsWith("$'", this.#at)) {
      const close = closingAt(this.#text, this.#at, "'", this.#how.effort)
      this.#put(decodeAnsiC(this.#text.slice(this.#at + 2, close)), close + 1 - this.#at, true)
    } else if (/^\$(IFS\b|\{IFS[^}]*\})/.test(this.#text.slice(this.#at, this.#at + 20))) {
      const [blank = ''] = /^\$(?:IFS|\{IFS[^}]*\})/.exec(this.#text.slice(this.#at)) ?? []
      this.#endWord(blank.length)
    } else this.#parameter(quoted)
  }

  /** `$x` and `${x:-y}` where the line itself says what they are; anything else stays as it is written. */
  #parameter(quoted: boolean): void {
    const found = parameterIn(this.#text.slice(this.#at, this.#at + 300), this.#how.known)
    if (!found) {
      this.#put('$')
      return
    }
    if (found.given) this.#know(...found.given)
    this.#at += found.text.length
    if (found.values) this.#putWords(found.values, quoted)
    else this.#put(found.text, 0)
  }

  /** Without quotes the shell makes words of it; several values are several words in any case. */
  #putWords(values: readonly string[], quoted: boolean): void {
    const words = quoted ? values : values.flatMap(value => value.trim().split(/\s+/))
    if (!this.#spend(words.reduce((sum, word) => sum + word.length + 1, 0))) return
    for (const [i, word] of words.entries()) {
      if (i > 0) this.#endWord(0)
      this.#put(word, 0, quoted)
    }
  }

  #know(name: string, values: readonly string[]): void {
    if (name !== 'HOME' && this.#how.known.size < MOST_KNOWN) this.#how.known.set(name, values)
  }

  /** Scans what is in a substitution, and says what it would print where that is plain to see. */
  #nest(text: string): string | null {
    if (text.trim() === '') return ''
    if (this.#how.depth >= DEEPEST || !this.#spend(COMMAND)) return null
    const before = this.#found.length
    new RoughScanner(text, this.#found, { ...this.#how, depth: this.#how.depth + 1 }).scan()
    const last = this.#found.length > before ? this.#found.at(-1) : undefined
    if (!last) return null
    // `$(cd ~; pwd)`
    if (last.argv[0] === 'pwd')
      return this.#found.slice(before).findLast(({ argv }) => argv[0] === 'cd')?.argv[1] ?? null
    const script = scriptOf(last.argv)
    return script === null ? printed(last) : this.#nest(script)
  }

  #redirection(char: string): void {
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null
    this.#endWord(0)
    const [operator = char] =
      /^(?:<<<|<<-?|<>|<&|<\(|>>|>\||>&|>\(|<|>)/.exec(this.#text.slice(this.#at, this.#at + 4)) ?? []
    const substitution = operator.endsWith('(') ? substitutionAt(this.#text, this.#at, this.#how.effort) : null
    this.#at += operator.length
    if (substitution) {
      const output = this.#nest(substitution.inner)
      if (operator === '<(' && output !== null) this.#draft.fed.push(output)
      this.#at = substitution.end
    } else if (operator === '<<' || operator === '<<-') this.#heredocMark()
    else if (operator === '<<<') this.#sink = 'string'
    else this.#sink = operator.startsWith('>') || operator === '<>' ? 'file' : 'input'
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
      if (!this.#spend((this.#text.length - this.#at) / 8)) break
      const { body, length } = documentIn(this.#text.slice(this.#at), mark)
      owner.fed.push(body)
      // An unquoted here-document runs its substitutions; everything else in it is text.
      if (!quoted) for (const [inner] of body.matchAll(/`[^`]*`|\$\([^)]*\)/g)) this.#nest(inner)
      this.#at += length
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
    const [bare, sink, assigns] = [this.#bare, this.#sink, this.#assigns]
    this.#word = null
    this.#bare = true
    this.#assigns = false
    this.#sink = 'none'
    const first = this.#draft.argv[0]
    if (sink === 'none' && (bare || assigns) && (first === undefined || DECLARES.test(first))) this.#assignment(word)
    // `function name {`: what follows the brace is the body.
    if (bare && word === '{' && this.#draft.argv[0] === 'function') this.#draft.argv.length = 0
    else if (sink === 'file') this.#draft.sinks.push(bared(word))
    else if (sink === 'input') this.#draft.sources.push(bared(word))
    else if (sink === 'string') this.#draft.fed.push(bared(word))
    else if (sink === 'none' && (this.#draft.argv.length > 0 || !(bare || assigns) || !isPrelude(word)))
      this.#draft.argv.push(...expandBraces(word).map(bared))
  }

  #assignment(word: string): void {
    const [, name, value = ''] = word.includes('=') ? (/^([A-Za-z_]\w*)\+?=(.*)$/s.exec(bared(word)) ?? []) : []
    if (name === undefined) return
    this.#know(name, [value])
    // A program will run what these hold.
    if (RUN_BY_OTHERS.test(name)) this.#nest(value)
  }

  #endCommand(pipedFrom: RoughCommand | null, length = 0): RoughCommand | null {
    this.#endWord(length)
    const done = this.#draft
    this.#draft = fresh(pipedFrom)
    if ([...done.argv, ...done.sinks, ...done.sources].length === 0) return null
    for (const [name, values] of valuesGivenBy(done)) this.#know(name, values)
    const alias = this.#how.known.get(`alias ${done.argv[0]}`)
    if (alias) done.argv.splice(0, 1, ...alias)
    this.#spend(COMMAND)
    const kept = { ...done, known: this.#how.known }
    this.#found.push(kept)
    return kept
  }
}
