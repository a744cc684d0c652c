import { diff, type Step } from '../../contract/diff.ts'

/** Beyond this many pairs of lines to compare, what differs in the middle is taken to differ as a whole. */
const MOST_PAIRS = 1_000_000

export interface Changed {
  /** The lines that differ, with the number of the line in the new output where each place begins. */
  readonly text: string
  readonly added: number
  readonly removed: number
}

/** What is different in a text against an earlier one, line by line. Pure. */
export function changedLines(before: string, after: string): Changed {
  const old = linesOf(before)
  const fresh = linesOf(after)
  let head = 0
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1

  const steps = diff(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail), MOST_PAIRS)
  return {
    text: placesOf(steps, head + 1),
    added: steps.filter(({ kind }) => kind === 'added').length,
    removed: steps.filter(({ kind }) => kind === 'removed').length,
  }
}

/** A text that ends without a line break has a last line of its own. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

const SIGNS = { added: '+', removed: '-' } as const

function placesOf(steps: readonly Step[], first: number): string {
  const lines: string[] = []
  let number = first
  let before: Step['kind'] = 'same'
  for (const { kind, text } of steps) {
    if (kind !== 'same' && before === 'same') lines.push(`@@ line ${number} @@`)
    if (kind !== 'same') lines.push(`${SIGNS[kind]}${text}`)
    if (kind !== 'removed') number += 1
    before = kind
  }
  return lines.map(line => `${line}\n`).join('')
}
