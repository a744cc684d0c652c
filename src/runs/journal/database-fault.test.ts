import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFault } from './database-fault.ts'
import { openDatabase } from './open-database.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'it-fault-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const file = () => join(directory, 'a.db')
function faultOf(act: () => unknown) {
  try {
    act()
  } catch (cause) {
    return databaseFault(cause)
  }
  return 'none'
}

test('a database that another program writes is busy', async () => {
  const [one, other] = [
    await openDatabase(file(), { readonly: false }),
    await openDatabase(file(), { readonly: false }),
  ]
  one.exec('BEGIN IMMEDIATE')
  other.exec('PRAGMA busy_timeout = 0')
  expect(faultOf(() => other.exec('BEGIN IMMEDIATE'))).toBe('busy')
  one.close()
  other.close()
})

test('one that has no more room, or may only be read, cannot be written', async () => {
  const database = await openDatabase(file(), { readonly: false })
  database.exec('CREATE TABLE t (x); PRAGMA max_page_count = 3')
  const insert = database.prepare('INSERT INTO t VALUES (?)')
  expect(
    faultOf(() => {
      for (let i = 0; i < 100; i++) insert.run('y'.repeat(3000))
    }),
  ).toBe('unwritable')
  const looking = await openDatabase(file(), { readonly: true })
  expect(faultOf(() => looking.exec('INSERT INTO t VALUES (1)'))).toBe('unwritable')
  database.close()
  looking.close()
})

test('what is no database, or has no journal in it, is damaged', async () => {
  const empty = await openDatabase(file(), { readonly: false })
  expect(faultOf(() => empty.prepare('SELECT * FROM journal'))).toBe('damaged')
  empty.close()
  writeFileSync(join(directory, 'b.db'), 'x'.repeat(5000))
  await expect(openDatabase(join(directory, 'b.db'), { readonly: false })).rejects.toSatisfy(
    cause => databaseFault(cause) === 'damaged',
  )
})

test('an error of anybody else is none of these, whatever it says', () => {
  expect(databaseFault(new Error('database is locked'))).toBeNull()
})
