// A file of numbered lines of 100 bytes, so that what came back can be counted.
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const BLOCK = 1_000
const FILL = 'x'.repeat(90)

export function bigFile(scratch, lines) {
  const file = join(scratch, `lines-${lines}.txt`)
  if (existsSync(file)) return file
  const fd = openSync(file, 'w')
  for (let first = 0; first < lines; first += BLOCK) {
    const block = Array.from({ length: BLOCK }, (_, i) => `L${String(first + i).padStart(7, '0')} ${FILL}\n`)
    writeSync(fd, block.join(''))
  }
  closeSync(fd)
  return file
}

/** How much of the file a run of `cat` gave back, in its answer or in pages after it. */
export async function linesRead(session, outcome, lines) {
  const seen = new Uint8Array(lines)
  // The number of a line may be cut by the end of a page.
  let rest = ''
  const count = text => {
    for (const [, number] of (rest + text).matchAll(/L(\d{7}) x/g)) seen[Number(number)] = 1
    rest = text.slice(-'L0000000 '.length)
  }
  if (outcome) {
    count(outcome.stdout)
    rest = ''
    for await (const page of session.pages(outcome)) count(page)
  }
  return { share: seen.reduce((sum, each) => sum + each, 0) / lines, hasLast: seen[lines - 1] === 1 }
}
