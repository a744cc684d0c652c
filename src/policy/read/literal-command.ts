import type { SimpleCommand } from '../model/reading.ts'
import { GiveUp, type LiteralWord, RESERVED } from './literal-word.ts'

const MOST_WORDS = 2048

/** A command while its words are read. */
export class LiteralCommand {
  readonly words: LiteralWord[] = []
  readonly sets: string[] = []
  readonly inputs: string[] = []
  /** Redirections alone make a command too: `> /dev/null` runs nothing, but a separator may follow it. */
  redirected = false
  #start = -1
  #end = -1

  add(words: readonly LiteralWord[]): void {
    const [first] = words
    if (this.words.length === 0 && first) mustBeProgram(first)
    if (this.words.length + words.length > MOST_WORDS) throw new GiveUp(`more than ${MOST_WORDS} words`)
    this.words.push(...words)
  }

  /** From here to there it is part of the line. */
  spans(from: number, to: number): void {
    if (this.#start < 0) this.#start = from
    this.#end = to
  }

  finished(joint: string | null): SimpleCommand {
    const globs = this.words.flatMap((word, i) => (word.glob ? [i] : []))
    return {
      argv: this.words.map(word => word.text),
      start: this.#start,
      end: this.#end,
      globs,
      ...(globs.length > 0 && { patterns: globs.map(i => this.words[i]?.pattern ?? '') }),
      ...(this.sets.length > 0 && { sets: this.sets }),
      ...(this.inputs.length > 0 && { inputs: this.inputs }),
      ...(joint !== null && { joinedBy: joint }),
    }
  }
}

function mustBeProgram({ text, raw }: LiteralWord): void {
  if (/^[-+]/.test(text)) throw new GiveUp('a program name that looks like an option')
  if (raw.includes('$')) throw new GiveUp('a program name in a variable')
  if (RESERVED.has(raw)) throw new GiveUp(`the shell keyword ${raw}`)
}
