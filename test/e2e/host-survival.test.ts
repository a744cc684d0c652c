import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readJournal } from '../../src/runs/journal/journal.ts'
import { endedRun, HostProcesses, readAll } from '../drivers/host-process.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { eventually, isAlive } from '../drivers/mcp-client.ts'

let at: HostProcesses
beforeEach(() => {
  at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_APPROVER_WAIT_MS: '5000' })
})
afterEach(() => at.close())

/** Prints, notes that it ran, waits for a word, prints on: so that whatever dies dies in the middle of it. */
const printing = (name: string, go: string) =>
  `seq 1 5000; /bin/echo ${name} >> ran; while [ ! -e ${go} ]; do sleep 0.03; done; seq 5001 20000; exit 7`
const WHOLE = Array.from({ length: 20_000 }, (_, i) => `${i + 1}\r\n`).join('')
const FIRST_PART = WHOLE.slice(0, WHOLE.indexOf('5001'))
/** Printed is not read yet: what is still in the terminal dies with whoever owns it. */
const hasRead = (client: FakeClient, id: string) =>
  eventually('all it printed is read', async () => (await readAll(client, id)).text === FIRST_PART)
const say = (word: string) => at.place.write(`work/${word}`, '')
const ran = () => at.place.read('work/ran').split('\n').filter(Boolean).sort()
const journal = () => readJournal(join(at.place.home, 'state', 'journal.db'))

test('a host that is killed while ten commands print loses none of them: the next one has every byte, once', async () => {
  await at.start()
  const { client, approver } = await at.meet()
  const names = Array.from({ length: 10 }, (_, i) => `n${i}`)
  // Half of them end while no host is there.
  const ids = names.map((name, i) => at.line(client, printing(name, i % 2 ? 'go-early' : 'go-late')))
  await eventually('all ten print', () => ran().length === 10)
  const pending = client.command('touch asked', { working_directory: at.place.work })
  await approver.question(question => question.request_id === pending)
  const ptyHost = at.told('pty-host')?.pid
  await at.kill('host')
  say('go-early')

  await at.start()
  const next = await at.meet()
  expect(at.told('pty-host')?.pid).toBe(ptyHost)
  const [, , late = ''] = ids
  const read = next.client.ask('read_output', { session_id: late })
  expect(await next.client.heard.next('output', frame => frame.request_id === read)).toMatchObject({
    state: 'running',
    approved_by: 'allowlist',
  })
  say('go-late')
  for (const id of ids) {
    expect(await endedRun(next.client, id)).toMatchObject({ state: 'exited', exit_code: 7 })
    const { text } = await readAll(next.client, id)
    expect(text === WHOLE).toBe(true)
  }
  // The same request finds its run, and nothing ran twice.
  at.line(next.client, printing('n0', 'go-late'), { request_id: ids[0] })
  expect(await next.client.response(ids[0] ?? '')).toMatchObject({ state: 'exited', exit_code: 7 })
  expect(ran()).toEqual(names)
  // A question that was open is gone as not answered.
  const asked = next.client.ask('read_output', { session_id: pending })
  expect(await next.client.heard.next('output', frame => frame.request_id === asked)).toMatchObject({
    state: 'withdrawn',
    error: { code: 'PM_TERM_DISCONNECTED' },
  })
  expect([existsSync(join(at.place.work, 'asked')), next.approver.heard.all.map(frame => frame.type)]).toEqual([
    false,
    expect.not.arrayContaining(['question']),
  ])
  const written = await journal()
  expect(written.verify()).toMatchObject({ sound: true })
  expect(written.rowsOf(ids[1] ?? '').map(row => row.kind)).toEqual([
    'received',
    'judged',
    'starting',
    'started',
    'taken_back',
    'ended',
  ])
  written.close()
}, 60_000)

test('a command taken back can be killed, keeps its time limit, and its terminal is busy until it ends', async () => {
  await at.start()
  const { client } = await at.meet()
  const id = at.line(client, '/bin/echo up; setsid sleep 300 & sleep 300')
  const limited = at.line(client, '/bin/echo up; sleep 300', { timeout_seconds: 4 })
  for (const session_id of [id, limited]) {
    const output = { wait_for: 'text', text: 'up', wait_ms: 8000 }
    const read = client.ask('read_output', { session_id, output })
    await client.heard.next('output', frame => frame.request_id === read)
  }
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  await at.kill('host')
  await at.start()
  const { client: later } = await at.meet()
  const second = at.line(later, 'true', { terminal_id })
  expect(await later.heard.next('progress', frame => frame.request_id === second)).toMatchObject({ behind: id })
  const kill = later.ask('kill', { session_id: id })
  expect(await later.heard.next('killed', frame => frame.request_id === kill)).toMatchObject({
    state: 'killed',
    exit_code: -1,
    output: 'up\r\n',
  })
  expect(await later.response(second)).toMatchObject({ terminal_id, exit_code: 0 })
  expect(await endedRun(later, limited)).toMatchObject({ state: 'timed_out', output: 'up\r\n' })
}, 40_000)

test('when pty-host is killed the host lives, says what was lost with its output so far, and runs new commands', async () => {
  const host = await at.start()
  const { client } = await at.meet()
  const ids = ['a', 'b', 'c'].map(name => at.line(client, printing(name, 'never')))
  for (const id of ids) await hasRead(client, id)
  const before = at.told('pty-host')?.pid
  await at.kill('pty-host')
  for (const id of ids) {
    expect(await client.response(id)).toMatchObject({ state: 'lost', running: false })
    const { text } = await readAll(client, id)
    expect(text === FIRST_PART).toBe(true)
  }
  const after = at.line(client, '/bin/echo again; exit 3')
  expect(await client.response(after)).toMatchObject({ state: 'exited', exit_code: 3, output: 'again\r\n' })
  expect([host.exitCode, at.told('pty-host')?.pid === before]).toEqual([null, false])
  const written = await journal()
  expect(written.newest('pty_host_lost', 5).map(row => row.body.pid)).toEqual([before])
  written.close()
}, 30_000)

test('a pty-host that keeps dying is not started for ever, and the answer says so', async () => {
  await at.start()
  const { client } = await at.meet()
  let said = ''
  for (let i = 0; i < 8 && said === ''; i++) {
    const { state, error } = await client.response(at.line(client, 'true'))
    if (state === 'failed') said = error?.message ?? ''
    else {
      const { pid } = at.told('pty-host') ?? {}
      await at.kill('pty-host')
      await eventually('it is gone', () => !isAlive(pid ?? -1))
    }
  }
  expect(said).toMatch(/ended \d times within a minute/)
}, 40_000)

test('when host and pty-host are both killed, what ran is lost, with its output, and is never run again', async () => {
  await at.start()
  const { client } = await at.meet()
  const id = at.line(client, printing('both', 'never'))
  await hasRead(client, id)
  // Only then is it certain that it has run once: it is killed next.
  await eventually('it wrote down that it ran', () => ran().length === 1)
  await at.kill('pty-host')
  await at.kill('host')
  await at.start()
  const { client: later } = await at.meet()
  const { text, page } = await readAll(later, id)
  expect([page.state, text === FIRST_PART]).toEqual(['lost', true])
  at.line(later, printing('both', 'never'), { request_id: id })
  expect(await later.response(id)).toMatchObject({ state: 'lost' })
  expect(await later.response(at.line(later, '/bin/echo new'))).toMatchObject({ output: 'new\r\n' })
  expect(ran()).toEqual(['both'])
}, 30_000)

test('without a host for too long, pty-host ends every tree and itself, and leaves word how each ended', async () => {
  await at.start([], { PM_TERM_ORPHAN_GRACE_MS: '1500' })
  const { client } = await at.meet()
  const id = at.line(client, 'setsid sleep 300 & /bin/echo $! > child; sleep 300')
  const alone = at.line(client, printing('alone', 'go'))
  await eventually('both run', () => at.place.read('work/child') !== '' && ran().length === 1)
  const ptyHost = at.told('pty-host')?.pid ?? -1
  await at.kill('host')
  say('go')
  const child = Number(at.place.read('work/child'))
  expect(isAlive(child)).toBe(true)
  await eventually('pty-host has ended', () => !isAlive(ptyHost), 10_000)
  await eventually('and its trees', () => !isAlive(child))
  expect(at.told('pty-host')).toBe(null)
  await at.start()
  const { client: later } = await at.meet()
  expect(await endedRun(later, id)).toMatchObject({ state: 'killed', ended_by: 'server_end', running: false })
  expect(await endedRun(later, alone)).toMatchObject({ state: 'exited', exit_code: 7, output_bytes: WHOLE.length })
}, 30_000)

test('an orderly end of a host ends what an earlier one had started, then pty-host', async () => {
  await at.start()
  const { client } = await at.meet()
  at.line(client, 'setsid sleep 300 & /bin/echo $! > child')
  const id = at.line(client, 'sleep 300')
  await eventually('both ran', () => at.place.read('work/child') !== '')
  await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
  const ptyHost = at.told('pty-host')?.pid ?? -1
  await at.kill('host')
  const host = await at.start()
  host.kill('SIGTERM')
  await eventually('the host has ended', () => host.exitCode !== null)
  await eventually('pty-host has ended', () => !isAlive(ptyHost))
  await eventually('the child is gone', () => !isAlive(Number(at.place.read('work/child'))))
  expect(at.told('pty-host')).toBe(null)
  await at.start()
  const { client: later } = await at.meet()
  expect(await endedRun(later, id)).toMatchObject({ state: 'killed', ended_by: 'server_end' })
}, 30_000)

test('a host whose pty-host sleeps through its heartbeats ends that one and starts another', async () => {
  await at.start(['--heartbeat-interval', '1'])
  const { client } = await at.meet()
  const id = at.line(client, '/bin/echo up; sleep 300')
  const read = client.ask('read_output', { session_id: id, output: { wait_for: 'text', text: 'up', wait_ms: 8000 } })
  await client.heard.next('output', frame => frame.request_id === read)
  const asleep = at.told('pty-host')?.pid ?? -1
  process.kill(asleep, 'SIGSTOP')
  await eventually('it is gone', () => !isAlive(asleep), 25_000)
  expect(await endedRun(client, id)).toMatchObject({ state: 'lost', output: 'up\r\n' })
  expect(await client.response(at.line(client, '/bin/echo new'))).toMatchObject({ output: 'new\r\n' })
}, 40_000)

test('an orderly end does not wait for ever for a pty-host that hangs', async () => {
  const host = await at.start()
  const { client } = await at.meet()
  const id = at.line(client, '/bin/echo up; sleep 300')
  const read = client.ask('read_output', { session_id: id, output: { wait_for: 'text', text: 'up', wait_ms: 8000 } })
  await client.heard.next('output', frame => frame.request_id === read)
  const asleep = at.told('pty-host')?.pid ?? -1
  process.kill(asleep, 'SIGSTOP')
  host.kill('SIGTERM')
  await eventually('both are gone', () => host.exitCode !== null && !isAlive(asleep), 20_000)
  await at.start()
  const { client: later } = await at.meet()
  expect(await endedRun(later, id)).toMatchObject({ running: false, output: 'up\r\n' })
}, 40_000)

test('in the host’s own process terminals end with it, and the next one says so', async () => {
  const inProcess = { PM_TERM_PTY_HOST: 'in_process' }
  await at.start([], inProcess)
  const { client } = await at.meet()
  const id = at.line(client, printing('inside', 'never'))
  await eventually('it prints', () => ran().length === 1)
  expect(at.told('pty-host')).toBe(null)
  await at.kill('host')
  rmSync(join(at.place.work, 'ran'))
  await at.start([], inProcess)
  const { client: later } = await at.meet()
  expect(await endedRun(later, id)).toMatchObject({ state: 'lost', running: false })
}, 30_000)
