import type { LineReading, Shell, SimpleCommand } from '../model/reading.ts'
import { unsafeVariable } from '../model/request-env.ts'
import { knownBehind, MOVES, mayBeSet, STATUS, type Values } from './line-variables.ts'
import { LiteralCommand } from './literal-command.ts'
import { readLoopHead } from './literal-loop.ts'
import { readRedirection } from './literal-redirection.ts'
import { GiveUp, isPlainValue, type LiteralWord, readBraces, readWord } from './literal-word.ts'

/**
 * Our own reader of the part of shell we are sure of, written without a grammar library so that it can disagree with one:
 *
 *   simple commands · `&&` `||` `|` `;` and line breaks between them · quotes · backslashes · comments ·
 *   redirections to /dev/null and between stdout and stderr · input from a file · harmless variables before a program ·
 *   `$HOME`, `$PWD` and what the line itself sets to a literal · braces around literals · `for` over literals, unrolled
 *
 * Every other character a shell treats in a special way makes it give up. Pure.
 */
export function readLiterally(line: string, shell: Shell = 'bash', values: Values = new Map()): LineReading {
  const reader = new LiteralReader(line, shell, values)
  try {
    return reader.read()
  } catch (reason) {
    if (reason instanceof GiveUp) return { gaveUp: reason.message, seen: reader.finished() }
    throw reason
  }
}

const MOST_COMMANDS = 64

class LiteralReader {
  readonly #line: string
  readonly #shell: Shell
  #at = 0
  readonly #commands: SimpleCommand[] = []
  readonly #operators: string[] = []
  #open = new LiteralCommand()
  /** After `&&`, `||` and `|` a command must follow; line breaks may come first. */
  #owed = false
  #joint: string | null = null
  readonly #values: Map<string, string>
  /** Variables that the line gives a value, `$` where one is used, `{` where braces are. */
  readonly #given = new Set<string>()
  /** Whether the last thing was an assignment that certainly ran. */
  #justSet = false
  #loop: 'none' | 'body' | 'done' = 'none'
  #body = 0

  constructor(line: string, shell: Shell, values: Values) {
    this.#line = line
    this.#shell = shell
    this.#values = new Map(values)
  }

  finished(): readonly SimpleCommand[] {
    return this.#commands
  }

  read(): LineReading {
    while (this.#at < this.#line.length) this.#readNext()
    this.#endCommand()
    if (this.#owed) throw new GiveUp('an operator without a command behind it')
    if (this.#commands.length === 0) throw new GiveUp('no command')
    const given = [...this.#given].sort()
    const commands = given.length === 0 ? this.#commands : this.#commands.map(command => ({ ...command, given }))
    return { commands, operators: this.#operators }
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
    else if (char === ';') this.#join(';')
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

  #join(operator: string): void {
    if (!this.#endCommand()) throw new GiveUp(`${operator === ';' ? 'a ;' : 'an operator'} without a command before it`)
    this.#operators.push(operator)
    this.#joint = operator
    this.#owed = operator !== ';'
    this.#at += operator.length
  }

  #endCommand(): boolean {
    const { words, sets, redirected } = this.#open
    if (words.length === 0) {
      if (this.#loop === 'done') return this.#endLoop()
      if (redirected) throw new GiveUp('a redirection without a command')
      // It would change what the rest of the line means.
      if (sets.length > 0) throw new GiveUp('an assignment')
      return false
    }
    if (this.#commands.length >= MOST_COMMANDS) throw new GiveUp(`more than ${MOST_COMMANDS} commands`)

    const command = this.#open.finished(this.#joint)
    const [program = ''] = command.argv
    if (command.globs[0] === 0) throw new GiveUp('a program name with a wildcard')
    if (words.some(({ status }) => status)) {
      if (program !== 'echo') throw new GiveUp('a $ expansion')
      this.#operators.push(STATUS)
    }
    if (this.#loop === 'body' && MOVES.test(program)) throw new GiveUp('a loop that changes the directory')
    knownBehind(command.argv, this.#values)

    this.#commands.push(command)
    this.#open = new LiteralCommand()
    this.#joint = null
    this.#owed = false
    this.#justSet = false
    return true
  }

  #endLoop(): true {
    this.#loop = 'none'
    this.#open = new LiteralCommand()
    return true
  }

  #takeWord(): void {
    const from = this.#at
    const braced = readBraces(this.#line, from, this.#how)
    if (braced) {
      this.#takeBraced(braced, from)
      return
    }

    const word = readWord(this.#line, from, this.#how)
    this.#at = word.end
    const next = this.#line[this.#at]
    if ((next === '>' || next === '<') && /^\d+$/.test(word.raw)) {
      if (!/^[12]$/.test(word.raw)) throw new GiveUp('a redirection of an unusual stream')
      this.#redirect(word.raw, from)
      return
    }

    if (this.#loop === 'done') throw new GiveUp('words behind a loop')
    if (word.expanded) this.#given.add('$')
    if (this.#open.words.length === 0) {
      if (this.#open.sets.length === 0 && !this.#open.redirected && (word.raw === 'for' || word.raw === 'done')) {
        if (word.raw === 'for') this.#takeLoop()
        else this.#endBody()
        return
      }
      if (/^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/.test(word.raw)) {
        this.#takeSetting(word, from)
        return
      }
    }

    this.#open.add([word])
    this.#open.spans(from, this.#at)
  }

  get #how() {
    return { shell: this.#shell, values: this.#values }
  }

  #takeBraced(words: readonly LiteralWord[], from: number): void {
    if (this.#open.words.length === 0) throw new GiveUp('a brace')
    this.#open.add(words)
    this.#given.add('{')
    this.#at = words[0]?.end ?? from
    this.#open.spans(from, this.#at)
  }

  /** `for NAME in words; do commands; done`: its body is read once for each word. */
  #takeLoop(): void {
    if (this.#loop !== 'none' || this.#shell === 'zsh' || this.#joint === '|' || this.#joint === '|&')
      throw new GiveUp('the shell keyword for')
    const { name, items, expanded, body } = readLoopHead(this.#line, this.#at, this.#how)
    if (expanded) this.#given.add('$')
    this.#body = body
    this.#operators.push('for')
    for (const item of items) {
      this.#values.set(name, item)
      this.#at = this.#body
      this.#loop = 'body'
      while (this.#inBody()) {
        if (this.#at >= this.#line.length) throw new GiveUp('a loop without an end')
        this.#readNext()
      }
      this.#joint = ';'
    }
    this.#given.add(name)
    this.#values.delete(name)
    this.#joint = null
  }

  #inBody(): boolean {
    return this.#loop === 'body'
  }

  #endBody(): void {
    const last = this.#commands.at(-1)
    if (
      this.#loop !== 'body' ||
      this.#owed ||
      last === undefined ||
      last.start < this.#body ||
      !/[;\n][ \t\n]*done$/.test(this.#line.slice(last.end, this.#at))
    )
      throw new GiveUp('the shell keyword done')
    this.#loop = 'done'
  }

  #takeSetting(word: LiteralWord, from: number): void {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(word.text) ?? []
    if (name !== undefined && value !== undefined && isPlainValue(word, value) && this.#standsAlone(name)) {
      this.#setVariable(name, value)
      return
    }
    if (name === undefined || value === undefined || word.glob || unsafeVariable({ [name]: value }) !== null)
      throw new GiveUp('an assignment before the command')
    this.#open.sets.push(word.text)
    this.#operators.push(`${name}=`)
    this.#open.spans(from, this.#at)
  }

  /** An assignment that runs whatever came before it, and that the rest of the line sees. */
  #standsAlone(name: string): boolean {
    const sure = /^[;\n]?$/.test(this.#joint ?? '') || (this.#joint === '&&' && this.#justSet)
    return (
      sure &&
      this.#shell !== 'zsh' &&
      this.#loop === 'none' &&
      this.#open.sets.length + Number(this.#open.redirected) === 0 &&
      mayBeSet(name) &&
      /^[ \t]*(?:;(?!;)|\n|&&)/.test(this.#line.slice(this.#at, this.#at + 80))
    )
  }

  #setVariable(name: string, value: string): void {
    const [separator = ''] = /^[ \t]*(?:;|\n|&&)/.exec(this.#line.slice(this.#at, this.#at + 80)) ?? []
    this.#values.set(name, value)
    this.#given.add(name)
    this.#at += separator.length
    this.#operators.push(`${name}=`)
    this.#owed = separator.endsWith('&&')
    this.#justSet = this.#owed
    this.#joint = this.#owed ? '&&' : this.#commands.length === 0 ? null : ';'
  }

  #redirect(prefix: string, from = this.#at): void {
    const found = readRedirection(this.#line, this.#at, prefix, this.#how)
    // Behind a pipe it would get another input than the pipe.
    if (found.operator.startsWith('<') && (this.#loop === 'done' || this.#joint?.startsWith('|')))
      throw new GiveUp('a redirection to or from a file')
    if (found.input) {
      this.#open.inputs.push(found.input.text)
      if (found.input.expanded) this.#given.add('$')
    }
    this.#at = found.end
    this.#operators.push(found.operator)
    this.#open.redirected = true
    this.#open.spans(from, this.#at)
  }
}
