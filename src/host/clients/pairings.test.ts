import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Pairings } from './pairings.ts'

let directory: string
let pairings: Pairings
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'it-pair-')), 'keys')
  pairings = new Pairings(directory)
})
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }))

test('a pairing is a key of its own for each name, readable by its owner alone', () => {
  const file = pairings.add('box')
  pairings.add('other')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(pairings.key('box')?.length).toBe(32)
  expect(pairings.key('box')).not.toEqual(pairings.key('other'))
  expect(pairings.list().map(({ name }) => name)).toEqual(['box', 'other'])
})

test('a name is paired once; revoked, it may be paired again, with another key', () => {
  pairings.add('box')
  const first = pairings.key('box')
  expect(() => pairings.add('box')).toThrow('"box" is paired already')
  expect([pairings.remove('box'), pairings.key('box'), pairings.list(), pairings.remove('box')]).toEqual([
    true,
    null,
    [],
    false,
  ])
  pairings.add('box')
  expect(pairings.key('box')).not.toEqual(first)
})

test('one that is revoked while the list is made is not on it, and the others are', () => {
  class Revoking extends Pairings {
    override key(name: string) {
      const key = super.key(name)
      if (name === 'box') this.remove(name)
      return key
    }
  }
  pairings.add('box')
  pairings.add('other')
  expect(new Revoking(directory).list().map(({ name }) => name)).toEqual(['other'])
})

test.each(['local', 'approver', 'bridge', '', '..', '../local', 'a/b', '-x', '.hidden', 'a b', 'x'.repeat(64)])(
  '%j is no name to pair',
  name => {
    expect(() => pairings.add(name)).toThrow(/name/)
    expect(pairings.key(name)).toBe(null)
  },
)

test('a key file that others can read, or that was made for another name, lets nobody in', () => {
  chmodSync(pairings.add('open'), 0o644)
  copyFileSync(pairings.add('box'), pairings.fileOf('twin'))
  expect([pairings.key('open'), pairings.key('twin')]).toEqual([null, null])
  expect(pairings.list().map(({ name }) => name)).toEqual(['box'])
})
