import type { Read, Reads } from './read.ts'

/** Tests that compare with another file. */
const FILE_TESTS = /^-(?:newer|anewer|cnewer|samefile|newer[aBcm][aBcm])$/
const FIRST = /^(?:-[HP]|-D|-O\d?)$/

/** `find` names its directories before its expression. It prints names. */
export function findReads(argv: readonly string[]): Reads {
  const reads: Read[] = []
  const read = (at: number): Read => ({ path: argv[at] ?? '', at, prints: 'names', below: null })
  let at = 1
  for (; at < argv.length; at += 1) {
    const word = argv[at] as string
    if (word === '-L') return { problem: 'it follows links' }
    if (word === '-D') at += 1
    else if (FIRST.test(word) || word === '--') continue
    else if (/^[-(),!]/.test(word)) break
    else reads.push(read(at))
  }
  if (reads.length === 0) reads.push({ path: '.', at: null, prints: 'names', below: null })
  for (; at < argv.length; at += 1) {
    const word = argv[at] as string
    if (word === '-follow') return { problem: 'it follows links' }
    if (word === '-files0-from') return { problem: 'it reads the names of files from a file' }
    // `-newermt` takes a time.
    if (FILE_TESTS.test(word)) reads.push(read(++at))
  }
  return reads
}
