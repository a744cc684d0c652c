import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePairingFile } from '../../src/base/keys/key-file.ts'
import { HostProcesses, type Met } from '../drivers/host-process.ts'
import type { FakeApprover } from '../drivers/live-host.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

/** docs/spec.md D26: key files and programs in the settings that somebody wrote there by hand, and what was there before a start. */

let hosts: HostProcesses
beforeEach(() => {
  hosts = new HostProcesses({ PM_TERM_WINDOW: 'never' })
})
afterEach(() => hosts.close())

const found = async (approver: FakeApprover) => {
  const question = await approver.question(each => each.kind === 'found')
  if (question.kind !== 'found') throw new Error('another question')
  return question
}
const answered = ({ approver }: Met, ask_id: string) =>
  approver.heard.next('answered', frame => frame.ask_id === ask_id)
const settings = (values: object) => hosts.place.write('home/settings.json', JSON.stringify(values))
const decided = () => JSON.parse(hosts.place.read('home/data/decisions.v1.json')).now

test('A28b: a key file written by hand lets nobody in, is a card, and lets them in after a yes', async () => {
  await hosts.start()
  const met = await hosts.meet()
  makePairingFile(join(hosts.place.home, 'state', 'keys', 'evil.key'), 'evil')
  await expect(met.live.client('evil')).rejects.toThrow()
  const question = await found(met.approver)
  expect(question).toMatchObject({ when: 'now', rows: [{ what: 'pairing', text: 'evil' }] })
  await expect(met.live.client('evil')).rejects.toThrow()
  met.approver.approve(question)
  await answered(met, question.ask_id)
  expect((await met.live.client('evil')).closed).toBeNull()
})

test('A28b: another key in place of one that was agreed to does not count either', async () => {
  const file = hosts.place.pair('box')
  await hosts.start()
  const met = await hosts.meet()
  expect((await met.live.client('box')).closed).toBeNull()
  hosts.place.write('home/state/keys/box.key', `box ${'ab'.repeat(32)}\n`)
  await expect(met.live.client('box')).rejects.toThrow()
  const question = await found(met.approver)
  met.approver.approve(question, { drop: question.rows.map(({ id }) => id) })
  await answered(met, question.ask_id)
  expect(existsSync(file)).toBe(false)
})

test('A5: a browser named in settings.json by hand is a card, and counts after a yes', async () => {
  await hosts.start()
  const met = await hosts.meet()
  settings({ PM_TERM_BROWSER: '/tmp/evil-browser' })
  const question = await found(met.approver)
  expect(question.rows).toMatchObject([{ what: 'program', text: '/tmp/evil-browser' }])
  expect(decided().programs).toEqual({})
  met.approver.approve(question)
  await answered(met, question.ask_id)
  expect(decided().programs).toEqual({ PM_TERM_BROWSER: '/tmp/evil-browser' })
})

test('A5: after a restart it is not started as the window’s browser', async () => {
  const mark = join(hosts.place.root, 'browser-ran')
  const browser = hosts.place.write('evil.sh', `#!/bin/sh\ntouch ${mark}\n`, 0o755)
  settings({ PM_TERM_BROWSER: browser })
  const screen = { PM_TERM_WINDOW: 'auto', DISPLAY: ':97', PM_TERM_APPROVER_WAIT_MS: '1500' }
  await hosts.start([], screen)
  const { live } = await meetAlone()
  const client = await live.client()
  const id = client.command('expr 9', { working_directory: hosts.place.work })
  expect(await client.response(id)).toMatchObject({ error: { code: 'PM_TERM_GUI_UNAVAILABLE' } })
  expect(existsSync(mark)).toBe(false)
})

/** Nobody is there to answer. */
async function meetAlone() {
  const { LiveHost } = await import('../drivers/live-host.ts')
  const at = hosts.told()
  if (!at) throw new Error('no host')
  return { live: new LiveHost(hosts.place, { port: at.port, approverPort: at.approver_port } as never) }
}

test('A6: a program named in settings.json as the host by hand is not started by a server', async () => {
  const here = new LivelyPlace()
  try {
    const mark = join(here.place.root, 'host-ran')
    const evil = here.place.write('evil.sh', `#!/bin/sh\ntouch ${mark}\nexit 1\n`, 0o755)
    here.settings({ PM_INTERACTIVE_TERMINAL_BINARY: evil, PM_TERM_APPROVER_WAIT_MS: 0 })
    const server = await here.server()
    await here.hostRuns(server)
    expect(existsSync(mark)).toBe(false)
    // The same file counts once a person has agreed to it.
    const agreed = new LivelyPlace()
    const other = join(agreed.place.root, 'host-ran')
    const program = agreed.place.write('mine.sh', `#!/bin/sh\ntouch ${other}\nexit 1\n`, 0o755)
    agreed.settings({ PM_TERM_APPROVER_WAIT_MS: 0 })
    agreed.place.program('PM_INTERACTIVE_TERMINAL_BINARY', program)
    await agreed.hostRuns(await agreed.server())
    expect(existsSync(other)).toBe(true)
    await agreed.end()
  } finally {
    await here.end()
  }
})

test('what differs from the last orderly end is one card at the start, and each row is kept or dropped', async () => {
  hosts.place.allow('expr 1 *')
  await hosts.start()
  // Whoever is let in gives the passphrase, which seals what was there.
  await hosts.meet()
  await hosts.end()
  const { patterns } = JSON.parse(hosts.place.read('home/data/test/terminal-allowlist.json')) as { patterns: string[] }
  const accepted = { base: [...patterns, 'expr 2 *', 'expr 3 *'], headless: [] }
  const file = { workspace_id: 'test', directory: hosts.place.work, trusted: true, accepted, updated_at: '' }
  hosts.place.write('home/data/test/workspace.v1.json', JSON.stringify(file))
  const rules = { patterns: accepted.base, updated_at: '' }
  hosts.place.write('home/data/test/terminal-allowlist.json', JSON.stringify(rules))
  makePairingFile(join(hosts.place.home, 'state', 'keys', 'evil.key'), 'evil')
  await hosts.start()
  const met = await hosts.meet()
  const question = await found(met.approver)
  expect(question).toMatchObject({ when: 'start', more: 0 })
  expect(question.rows.map(({ what, text }) => [what, text])).toEqual([
    ['workspace', hosts.place.work],
    ['rule', 'expr 2 *'],
    ['rule', 'expr 3 *'],
    ['pairing', 'evil'],
  ])
  const asks = (line: string) => met.client.command(line, { working_directory: hosts.place.work })
  // What was decided before counts as ever.
  expect(await met.client.response(asks('expr 1 + 1'))).toMatchObject({ approved_by: 'allowlist' })
  const dropped = question.rows.filter(({ text }) => text === 'expr 3 *' || text === 'evil').map(({ id }) => id)
  met.approver.approve(question, { drop: dropped })
  await answered(met, question.ask_id)
  expect(await met.client.response(asks('expr 2 + 1'))).toMatchObject({ approved_by: 'allowlist' })
  expect(decided().workspaces.test).toMatchObject({ trusted: true })
  expect(JSON.parse(hosts.place.read('home/data/test/terminal-allowlist.json')).patterns).toEqual([
    ...patterns,
    'expr 2 *',
  ])
  expect(existsSync(join(hosts.place.home, 'state', 'keys', 'evil.key'))).toBe(false)
  expect(met.approver.heard.all.filter(each => each.type === 'question' && each.kind === 'rules')).toEqual([])
})

test('a rule made since the last orderly end counts no more after the host was killed, until a person says so', async () => {
  await hosts.start()
  await hosts.meet()
  await hosts.end()
  await hosts.start()
  // What the passphrase seals would count (sealed-decisions.test.ts).
  const met = await hosts.meet({ seals: false })
  const id = met.client.command('expr 5 + 1', { working_directory: hosts.place.work })
  const asked = await met.approver.question(each => each.request_id === id)
  met.approver.approve(asked, { scope: { kind: 'workspace', rules: ['expr 5 + 1'] } })
  await met.client.response(id)
  await hosts.kill('host')
  await hosts.start()
  const after = await hosts.meet()
  const question = await found(after.approver)
  expect(question.rows).toMatchObject([{ what: 'rule', text: 'expr 5 + 1' }])
  after.approver.approve(question)
  await answered(after, question.ask_id)
  const again = after.client.command('expr 5 + 1', { working_directory: hosts.place.work })
  expect(await after.client.response(again)).toMatchObject({ approved_by: 'allowlist' })
})

test('a copy of the decisions that does not fit the journal counts for nothing at the next start', async () => {
  hosts.place.allow('expr 1 *')
  const copy = JSON.parse(readFileSync(join(hosts.place.home, 'data', 'decisions.v1.json'), 'utf8'))
  copy.now.workspaces.test.trusted = true
  copy.ended = copy.now
  hosts.place.write('home/data/decisions.v1.json', JSON.stringify(copy))
  await hosts.start()
  const met = await hosts.meet()
  const question = await found(met.approver)
  expect(question.rows.map(({ what }) => what)).toContain('workspace')
  const line = met.client.command('expr 1 + 1', { working_directory: hosts.place.work })
  await met.approver.question(each => each.request_id === line)
})

describe('a headless server with no host believes what counted at the last orderly end', () => {
  const runs = async (server: Opened, command: string) =>
    (await server.headless({ action: 'run', command })).data.error?.code ?? 'ran'
  const answeredForAll = async (met: Met, line: string) => {
    const id = met.client.command(line, { working_directory: hosts.place.work })
    const question = await met.approver.question(each => each.request_id === id)
    met.approver.approve(question, { scope: { kind: 'workspace', rules: [line] } })
    await met.client.response(id)
  }

  test('and nothing since, when the host was killed', async () => {
    hosts.place.allow('expr 1 *')
    await hosts.start()
    await answeredForAll(await hosts.meet(), 'expr 4 + 1')
    await hosts.end()
    await hosts.start()
    await answeredForAll(await hosts.meet({ seals: false }), 'expr 5 + 1')
    await hosts.kill('host')
    const server = await openStdio({ place: hosts.place })
    const said = [await runs(server, 'expr 1 + 1'), await runs(server, 'expr 4 + 1'), await runs(server, 'expr 5 + 1')]
    await server.close()
    expect(said).toEqual(['ran', 'ran', 'PM_TERM_APPROVAL_REQUIRED'])
  })

  test('and not what somebody wrote into the files and the copy, which the journal does not know', async () => {
    hosts.place.allow('expr 1 *')
    const server = await openStdio({ place: hosts.place })
    expect(await runs(server, 'expr 1 + 1')).toBe('ran')
    const copy = JSON.parse(hosts.place.read('home/data/decisions.v1.json'))
    copy.now.workspaces.test.accepted.base.push('expr 2 *')
    copy.ended = copy.now
    hosts.place.write('home/data/decisions.v1.json', JSON.stringify(copy))
    const file = JSON.parse(hosts.place.read('home/data/test/workspace.v1.json'))
    file.accepted.base.push('expr 2 *')
    hosts.place.write('home/data/test/workspace.v1.json', JSON.stringify(file))
    const rules = { patterns: file.accepted.base, updated_at: '' }
    hosts.place.write('home/data/test/terminal-allowlist.json', JSON.stringify(rules))
    const fresh = await openStdio({ place: hosts.place })
    const said = [await runs(server, 'expr 2 + 1'), await runs(server, 'expr 1 + 1'), await runs(fresh, 'expr 2 + 1')]
    await Promise.all([server.close(), fresh.close()])
    expect(said).toEqual(['PM_TERM_APPROVAL_REQUIRED', 'ran', 'PM_TERM_APPROVAL_REQUIRED'])
  })
})
