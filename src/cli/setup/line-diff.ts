import { diff, type Step } from '../../contract/diff.ts'

/** Two texts line by line, as a person reads a change: lines with - go, lines with + come, and a few around them stay. */
const AROUND = 2
/** Beyond that a longest common part is not looked for: what differs is shown as one block. */
const MOST_CELLS = 4_000_000
const SIGNS = { same: ' ', added: '+', removed: '-' } as const

export function lineDiff(before: string, after: string): string[] {
  const old = linesOf(before)
  const fresh = linesOf(after)
  const steps = stepsOf(old, fresh)
  const near = steps.map((_, at) =>
    steps.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  return steps.flatMap(({ kind, text }, at) => {
    if (near[at]) return [`${SIGNS[kind]} ${text}`]
    return near[at - 1] ? ['  …'] : []
  })
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

function stepsOf(old: readonly string[], fresh: readonly string[]): Step[] {
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const same = (lines: readonly string[]): Step[] => lines.map(text => ({ kind: 'same', text }))
  const middle = diff(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail), MOST_CELLS)
  return [...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))]
}
