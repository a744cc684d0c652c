import { expect, test } from 'vitest'
import type { PreviewItem } from '../../contract/preview/preview-frames.ts'
import { previewLines } from './preview-lines.ts'

const words = (item: PreviewItem, complete = true) =>
  previewLines({ items: [item], complete }).map(({ text, tone, below }) => [tone, text, ...below].join(' | '))
const deletes = {
  about: 'deletes',
  paths: ['a'],
  count: 1,
  files: 0,
  directories: 0,
  bytes: 0,
  at_least: false,
  tracked: 0,
  missing: [],
  refused: [],
} satisfies PreviewItem
const pushes = {
  about: 'pushes',
  remote: 'origin',
  address: 'git@x:a',
  branch: 'main',
  is_new: false,
  commits: 0,
  first: [],
  lost: null,
  deletes: false,
} satisfies PreviewItem

test.each<[PreviewItem, string[]]>([
  [{ ...deletes, files: 1, bytes: 999 }, ['careful | Deletes 1 file, 999 bytes; git keeps none of them']],
  [
    {
      ...deletes,
      files: 1234,
      directories: 1,
      bytes: 1_300_000,
      at_least: true,
      tracked: 4,
      paths: [],
      missing: ['b'],
    },
    ['careful | Deletes at least 1,234 files and 1 directory, 1.3 MB; git keeps 4 of them', 'plain | Not there: b'],
  ],
  [{ ...deletes, files: 2, tracked: null }, ['careful | Deletes 2 files, 0 bytes; whether git keeps them is unknown']],
  [{ ...deletes, refused: ['src'], paths: [] }, ['plain | Not deleted without -r, a directory: src']],
  [
    { about: 'glob', pattern: '*.ts', names: ['a.ts', 'b.ts'], count: 9 },
    ['plain | *.ts stands for a.ts, b.ts and 7 more'],
  ],
  [{ about: 'glob', pattern: '*.ts', names: [], count: 0 }, ['plain | *.ts matches nothing']],
  [{ about: 'variable', name: 'OUT', value: null }, ['careful | $OUT is not set']],
  [{ about: 'writes', path: 'a', how: 'overwritten', bytes: 12_000 }, ['careful | Overwrites a, 12 KB']],
  [{ about: 'writes', path: 'a', how: 'new', bytes: null }, ['plain | Makes a, which is not there yet']],
  [
    { ...pushes, commits: 3, first: ['abc one', 'def two'], is_new: true },
    ['plain | Pushes 3 commits to main of origin (git@x:a), which is new there | abc one | def two | and 1 more'],
  ],
  [
    { ...pushes, lost: 1 },
    [
      'plain | Pushes no new commits to main of origin (git@x:a)',
      'careful | 1 commit there is not here and would be lost',
    ],
  ],
  [{ ...pushes, deletes: true }, ['careful | Deletes the branch main of origin (git@x:a)']],
  [
    { about: 'signals', count: 2, processes: [{ pid: 4, program: 'vite', whose: 'started_here' }] },
    ['careful | Signals 2 processes | 4 vite (started here) | and 1 more'],
  ],
  [{ about: 'signals', count: 0, processes: [] }, ['plain | No process of yours fits now']],
  [
    { about: 'unknown', what: 'what rm deletes', why: 'the line has a loop' },
    ['unknown | Unknown: what rm deletes (the line has a loop)'],
  ],
])('%j is said in words', (item, expected) => {
  expect(words(item)).toEqual(expected)
})

test('what was not looked up in time is said to be unknown', () => {
  expect(words({ ...deletes, files: 1 }, false).at(-1)).toContain('unknown')
  expect(previewLines({ items: [], complete: true })).toEqual([])
})
