import { beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import type { RunsTerminal, TerminalKey } from '../terminals/terminal.ts'
import { Terminals } from '../terminals/terminals.ts'
import { closeIdleTerminals } from './idle-terminals.ts'

const KEY: TerminalKey = { requester: 'local', workspaceId: null, home: '/work/shop', profile: 'bash' }
const never = () => new AbortController().signal
let clock: FakeClock
let terminals: Terminals
let kept: Set<string>

beforeEach(() => {
  clock = new FakeClock()
  terminals = new Terminals(randomIds())
  kept = new Set()
})

const watch = (idleMs: number) =>
  closeIdleTerminals({
    clock,
    idleMs: () => idleMs,
    onChange: () => ({ dispose() {} }),
    all: () => terminals.all,
    isKept: ({ id }) => kept.has(id),
    close: terminal => terminals.putAway(terminal, clock.now()),
  })
const open = () => terminals.all.map(({ name }) => name)
function create(key: TerminalKey = KEY): RunsTerminal {
  const terminal = terminals.create(key)
  terminals.use(terminal, 'Claude Code', key.home)
  return terminal
}
const used = async (terminal: RunsTerminal, run: string) => (await terminal.take(run, never()))?.dispose()

test('30 commands at once leave one tab, and that one goes, too, when nothing happens', async () => {
  for (let i = 0; i < 30; i++) await used(create(), `run ${i}`)
  watch(600_000)
  await clock.advance(60_000)
  expect(open()).toEqual(['Claude Code · shop'])
  await clock.advance(600_000)
  expect(open()).toEqual([])
  expect(terminals.away).toHaveLength(30)
})

test('a tab stays as long as something runs, waits, is asked or is looked at in it, and a person’s shell for ever', async () => {
  const busy = create()
  const turn = await busy.take('a', never())
  const looked = create({ ...KEY, home: '/work/api' })
  kept.add(looked.id)
  terminals.use(terminals.createShell({ ...KEY, requester: 'person', home: '/home/ada' }), 'You', '/home/ada')
  watch(60_000)
  await clock.advance(3_600_000)
  expect(open()).toEqual(['Claude Code · shop', 'Claude Code · api', 'You · ada'])
  turn?.dispose()
  kept.clear()
  await clock.advance(70_000)
  expect(open()).toEqual(['You · ada'])
})

test('a tab that is used now and then stays, however short its commands are', async () => {
  const terminal = create()
  watch(60_000)
  for (let i = 0; i < 5; i++) {
    await used(terminal, `run ${i}`)
    await clock.advance(50_000)
  }
  expect(open()).toEqual(['Claude Code · shop'])
})

test('where the person wants it, none closes by itself', async () => {
  create()
  watch(0)
  await clock.advance(86_400_000)
  expect(open()).toHaveLength(1)
  expect(clock.pending).toBe(0)
})
