import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FirstLines } from './first-line.ts'

const root = mkdtempSync(join(tmpdir(), 'it-first-line-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const LATER_MS = 60_000
/** As if the files had been there for a while. */
const muchLater = new FirstLines(() => Date.now() + LATER_MS)

/** Until the disk gives it another time: it counts in steps. */
function rewrite(path: string, text: string): void {
  const before = statSync(path).ctimeMs
  do writeFileSync(path, text)
  while (statSync(path).ctimeMs === before)
}

test('a program that becomes a script of the same length is read again, also when its time is set back', () => {
  const path = join(root, 'rewritten')
  writeFileSync(path, '#!/bin/aa\n')
  const { atime, mtime } = statSync(path)
  expect(muchLater.of(path)).toBe('#!/bin/aa\n')
  rewrite(path, '#!/bin/bb\n')
  utimesSync(path, atime, mtime)
  expect(muchLater.of(path)).toBe('#!/bin/bb\n')
})

test('another file put in its place is read', () => {
  const path = join(root, 'replaced')
  writeFileSync(path, '#!/bin/aa\n')
  expect(muchLater.of(path)).toBe('#!/bin/aa\n')
  writeFileSync(`${path}.new`, '#!/bin/bb\n')
  renameSync(`${path}.new`, path)
  expect(muchLater.of(path)).toBe('#!/bin/bb\n')
  rmSync(path)
  expect(muchLater.of(path)).toBeNull()
})

test('what was written a moment ago is not kept: it may be written again without another time', () => {
  const path = join(root, 'fresh')
  const now = new FirstLines(Date.now)
  for (const text of ['#!/bin/aa\n', '#!/bin/bb\n', '#!/bin/cc\n']) {
    writeFileSync(path, text)
    expect(now.of(path)).toBe(text)
  }
})
