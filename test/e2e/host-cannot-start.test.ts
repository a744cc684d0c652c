import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/runs/journal/open-database.ts'
import { commandLine } from '../drivers/command-line.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { SmallDisk } from '../drivers/small-disk.ts'

/** Why a host cannot start, or cannot do what it is asked, reaches whoever asked: the agent, and the person at a terminal. */
let here: LivelyPlace
beforeEach(() => {
  here = new LivelyPlace()
  here.settings({ PM_TERM_APPROVER_WAIT_MS: 300 })
})
afterEach(() => here.end())

/** Nothing of how it is made: no frame of a stack, no path of whoever built it. */
const OURS = /\n?\s*at \S+ \(|app\.cjs:\d|node:internal|The host failed/

const broken: readonly (readonly [what: string, how: (journal: string) => void])[] = [
  ['is garbage', journal => writeFileSync(journal, 'garbage '.repeat(4096))],
  ['was cut in half', journal => truncateSync(journal, 6000)],
]

test.each(broken)('a journal that %s is told to the agent and by every command, with how to go on', async (_, how) => {
  const agent = await here.server()
  await here.asks(agent, 'true', { runtime: { approval_timeout_ms: 1 } })
  const { host } = here
  host?.kill('SIGTERM')
  await eventually('the host has ended', () => host?.lives === false)
  const journal = join(here.place.home, 'state', 'journal.db')
  // All of it into the one file that is then damaged. The agent's server may be reading it.
  const database = await openDatabase(journal, { readonly: false })
  const moved = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  await eventually('everything is in the one file', () => (moved.get() as { busy: number }).busy === 0)
  database.close()
  for (const beside of ['-wal', '-shm']) rmSync(`${journal}${beside}`, { force: true })
  how(journal)
  const { data, text } = await here.asks(agent, 'touch ran')
  expect(data.error?.message).toMatch(/The journal is damaged and cannot be read .*move journal\.db/)
  expect(text).not.toMatch(OURS)
  for (const words of [['verify'], ['runs'], ['host']]) {
    const { code, out } = await commandLine(here.place, words)
    expect([words, code === 0, out]).toEqual([words, false, expect.stringMatching(/The journal is damaged/)])
    expect(out).not.toMatch(OURS)
  }
  expect(here.place.read('work/ran')).toBe('')
})

describe('on a disk that is full', needs('root'), () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = new SmallDisk(6)
    mkdirSync(join(disk.root, 'state'), { mode: 0o700 })
    rmSync(join(here.place.home, 'state'), { recursive: true, force: true })
    symlinkSync(join(disk.root, 'state'), join(here.place.home, 'state'))
    here.place.allow()
  })
  afterEach(async () => {
    disk.empty()
    await here.end()
    disk.close()
  })

  test('the agent whose host cannot start hears that, and doctor does not say that all is well', async () => {
    const agent = await here.server()
    disk.fill()
    const { data, text } = await here.asks(agent, 'touch ran')
    expect(data.error?.message).toMatch(/The disk of .* is full/)
    expect(text).not.toMatch(OURS)
    const { code, out } = await commandLine(here.place, ['doctor'])
    expect([code === 0, out]).toEqual([false, expect.stringMatching(/is full/)])
    expect(out).not.toMatch(/All is well/)
    expect(here.place.read('work/ran')).toBe('')
  })

  test('an agent that asks for a rule or a command hears why the host cannot, and neither happens', async () => {
    const agent = await here.server()
    await here.hostRuns(agent)
    disk.fill()
    const rule = { action: 'update_allowlist', operation: 'add', patterns: ['touch ran'], workspace_id: 'test' }
    const answers = [await here.asks(agent, 'touch ran'), await agent.headless(rule, { timeoutMs: 50_000 })]
    for (const { data, text } of answers) {
      expect(data.error?.message).toMatch(/is full|ENOSPC|no space left/i)
      expect(text).not.toMatch(OURS)
    }
    expect(here.place.read('work/ran')).toBe('')
    expect(here.place.read('home/data/test/terminal-allowlist.json')).not.toContain('touch ran')
  })

  test('a state directory that is read-only is told by doctor and to the agent', async () => {
    const agent = await here.server()
    disk.remount('ro')
    const { data, text } = await here.asks(agent, 'touch ran')
    const { code, out } = await commandLine(here.place, ['doctor'])
    disk.remount('rw')
    expect(data.error?.message).toMatch(/read-only/)
    expect(text).not.toMatch(OURS)
    expect([code === 0, out]).toEqual([false, expect.stringMatching(/read-only/)])
  })
})
