import { expect, test } from 'vitest'
import { markedTree, membersOf, type Tree } from './kill-tree.ts'
import type { ProcessRow } from './process-table.ts'

const row = (pid: number, ppid: number, group = pid, session = group, start = `t${pid}`): ProcessRow => ({
  pid,
  ppid,
  group,
  session,
  start,
})
const tree: Tree = { pid: 100, start: 't100', mark: 'RUN=a', leads: true }

function members(rows: ProcessRow[], of: Tree = tree, marks: Readonly<Record<number, string>> = {}): number[] {
  const table = {
    rows: () => rows,
    row: () => null,
    carries: (pid: number, mark: string) => marks[pid] === mark,
    hasVariable: () => false,
  }
  return membersOf(table, of).map(({ pid }) => pid)
}

const STRANGERS = [row(1, 0), row(50, 1), row(51, 50)]

test('children and their children belong to the tree, strangers do not', () => {
  const rows = [...STRANGERS, row(100, 50), row(101, 100, 100), row(102, 101, 100)]
  expect(members(rows)).toEqual([100, 101, 102])
})

test('a grandchild in a session of its own belongs to the tree while its parent lives', () => {
  expect(members([...STRANGERS, row(100, 50), row(101, 100, 100), row(102, 101)])).toEqual([100, 101, 102])
})

test('an orphan of the group belongs to the tree although the root is gone', () => {
  expect(members([...STRANGERS, row(101, 1, 100)])).toEqual([101])
})

test('an orphan in a session of its own is found by its mark', () => {
  expect(members([...STRANGERS, row(101, 1), row(102, 1)], tree, { 101: 'RUN=a', 102: 'RUN=b' })).toEqual([101])
})

test('a stranger that got the pid of the root, and all that belongs to it, is left alone', () => {
  const rows = [...STRANGERS, row(100, 50, 100, 100, 'later'), row(101, 100, 100), row(102, 1)]
  expect(members(rows, tree, { 102: 'RUN=a' })).toEqual([102])
})

test('a shell is not part of what runs below it', () => {
  const below: Tree = { pid: 50, start: 't50', mark: null, leads: false }
  expect(members([...STRANGERS, row(61, 1, 50, 50)], below)).toEqual([51])
})

test('without a mark nobody is found by what stands in an environment: a browser that wiped its own is left alone', () => {
  const below: Tree = { pid: 50, start: 't50', mark: null, leads: false }
  expect(members([...STRANGERS, row(70, 1)], below, { 70: '\0' })).toEqual([51])
})

test('all that a server started is what carries its mark and what is below that; its browser is left alone', () => {
  const browser = row(51, 50)
  const rows = [row(1, 0), row(50, 1), browser, row(52, 51), row(60, 50), row(61, 60), row(62, 1)]
  expect(members(rows, markedTree('SERVER=s'), { 60: 'SERVER=s', 62: 'SERVER=s' })).toEqual([60, 61, 62])
})
