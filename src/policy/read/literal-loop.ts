import { mayBeSet } from './line-variables.ts'
import { GiveUp, readBraces, readWord, type WordReading } from './literal-word.ts'

interface LoopHead {
  readonly name: string
  readonly items: readonly string[]
  /** Whether a variable is in one of them. */
  readonly expanded: boolean
  /** Where its body begins. */
  readonly body: number
}

const MOST_TURNS = 32

/** `NAME in words; do`, from behind `for` on. */
export function readLoopHead(line: string, start: number, how: WordReading): LoopHead {
  const [opening = '', name = ''] = /^[ \t]+([A-Za-z_]\w*)[ \t]+in[ \t]+/.exec(line.slice(start, start + 120)) ?? []
  if (!mayBeSet(name)) throw new GiveUp('the shell keyword for')
  const items: string[] = []
  let expanded = false
  let at = start + opening.length
  for (; !/[;\n]/.test(line[at] ?? ';'); at = behindBlanks(line, at)) {
    if (/[#&|<>()]/.test(line[at] as string)) throw new GiveUp('an unusual loop')
    const words = readBraces(line, at, how) ?? [readWord(line, at, how)]
    if (words.some(({ glob, status }) => glob || status)) throw new GiveUp('a loop over a wildcard')
    items.push(...words.map(({ text }) => text))
    expanded ||= words.some(word => word.expanded)
    at = words[0]?.end ?? line.length
    if (items.length > MOST_TURNS) throw new GiveUp('a loop of many turns')
  }
  if (items.length === 0) throw new GiveUp('a loop over nothing')
  const [then] = /^[;\n][ \t\n]*do[ \t\n]+/.exec(line.slice(at, at + 120)) ?? []
  if (then === undefined) throw new GiveUp('the shell keyword for')
  return { name, items, expanded, body: at + then.length }
}

function behindBlanks(line: string, from: number): number {
  let at = from
  while (line[at] === ' ' || line[at] === '\t') at += 1
  return at
}
