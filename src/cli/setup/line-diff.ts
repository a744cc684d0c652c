/** Two texts line by line, as a person reads a change: lines with - go, lines with + come, and a few around them stay. */
const AROUND = 2
/** Beyond that a longest common part is not looked for: what differs is shown as one block. */
const MOST_CELLS = 4_000_000

export function lineDiff(before: string, after: string): string[] {
  const old = linesOf(before)
  const fresh = linesOf(after)
  const steps = stepsOf(old, fresh)
  const near = steps.map((_, at) =>
    steps.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' '),
  )
  return steps.flatMap(({ sign, line }, at) => {
    if (near[at]) return [`${sign} ${line}`]
    return near[at - 1] ? ['  …'] : []
  })
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

function stepsOf(old: readonly string[], fresh: readonly string[]): Step[] {
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const same = (lines: readonly string[]): Step[] => lines.map(line => ({ sign: ' ', line }))
  const middle = between(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail))
  return [...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))]
}

function between(old: readonly string[], fresh: readonly string[]): Step[] {
  const gone = (line: string): Step => ({ sign: '-', line })
  const come = (line: string): Step => ({ sign: '+', line })
  if (old.length * fresh.length > MOST_CELLS) return [...old.map(gone), ...fresh.map(come)]

  // longest[i][j]: how many lines of old from i and of fresh from j are common.
  const longest = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1))
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--) {
      const row = longest[i]
      if (row) row[j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }

  const steps: Step[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < fresh.length) {
    const left = old[i]
    const right = fresh[j]
    if (left !== undefined && left === right) {
      steps.push({ sign: ' ', line: left })
      i += 1
      j += 1
    } else if (right === undefined || (left !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      steps.push(gone(left ?? ''))
      i += 1
    } else {
      steps.push(come(right))
      j += 1
    }
  }
  return steps
}
