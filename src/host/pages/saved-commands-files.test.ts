import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { SavedCommandsFile } from '../../contract/disk/saved-commands.ts'
import { SavedCommandsFiles } from './saved-commands-files.ts'

let dataDir: string
let files: SavedCommandsFiles
let time = 0
let made = 0

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'it-saved-'))
  mkdirSync(join(dataDir, 'shop'))
  time = Date.parse('2026-07-31T10:00:00Z')
  made = 0
  files = new SavedCommandsFiles({ dataDir, now: () => time, makeId: () => `saved_${++made}` })
})

const path = (name: string) => join(dataDir, 'shop', name)
const names = () => files.read('shop').commands.map(({ name }) => name)

test('a command is saved, renamed, changed, used and deleted, and the file has its shape', () => {
  files.add('shop', { name: ' tests ', command: 'npm test' })
  files.add('shop', { name: 'build', command: 'npm run build' })
  time += 1000
  files.change('shop', 'saved_1', { name: 'all tests', command: 'npm test -- --all' })
  files.used('shop', 'saved_2')
  const { commands } = SavedCommandsFile.parse(JSON.parse(readFileSync(path('saved-commands.v1.json'), 'utf8')))
  const [first, second] = ['2026-07-31T10:00:00.000Z', '2026-07-31T10:00:01.000Z']
  expect(commands).toEqual([
    {
      id: 'saved_1',
      name: 'all tests',
      command: 'npm test -- --all',
      created_at: first,
      updated_at: second,
      last_used_at: null,
    },
    {
      id: 'saved_2',
      name: 'build',
      command: 'npm run build',
      created_at: first,
      updated_at: first,
      last_used_at: second,
    },
  ])
  files.remove('shop', 'saved_1')
  expect(names()).toEqual(['build'])
  expect(() => files.remove('shop', 'saved_1')).toThrow('That command is not saved any more.')
})

test.each([
  ['half a file', '{ "workspace_id": "shop", "comm', 'is not JSON: half-written or broken'],
  ['another shape', '{"workspace_id":"shop","schema_version":1,"commands":[{}]}', 'does not have the right shape'],
  ['a later version', '{"workspace_id":"shop","schema_version":2,"commands":[]}', 'does not have the right shape'],
  ['another project', '{"workspace_id":"api","schema_version":1,"commands":[]}', 'is of the project api'],
])('%s is reported and never written over', (_, text, problem) => {
  writeFileSync(path('saved-commands.v1.json'), text)
  expect(files.read('shop')).toEqual({ commands: [], problem: expect.stringContaining(problem) })
  expect(() => files.add('shop', { name: 'x', command: 'ls' })).toThrow('Fix or remove it first; nothing was changed.')
  expect(readFileSync(path('saved-commands.v1.json'), 'utf8')).toBe(text)
})

test.each([
  ['lines', ['npm test', 'npm run build']],
  ['lines with names', { commands: [{ command: 'npm test' }, { name: 'npm run build', command: 'npm run build' }] }],
])('the file of before there was a version (%s) is read, and written anew with the first change', (_, older) => {
  writeFileSync(path('saved-commands.json'), JSON.stringify(older))
  expect(names()).toEqual(['npm test', 'npm run build'])
  files.change('shop', 'older_1', { name: 'tests' })
  files.remove('shop', 'older_2')
  expect(names()).toEqual(['tests'])
  expect(JSON.parse(readFileSync(path('saved-commands.json'), 'utf8'))).toEqual(older)
})

test('there is a most: one more is refused, and nothing is lost', () => {
  for (let i = 0; i < 200; i++) files.add('shop', { name: `c${i}`, command: 'ls' })
  expect(() => files.add('shop', { name: 'more', command: 'ls' })).toThrow('200 commands are saved here.')
  expect(names()).toHaveLength(200)
})
