import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { type Credential, FakeWindow, openWindow, openWindowHost, ticketIn } from '../drivers/window.ts'

let live: LiveHost
let opened: { readonly url: string }[]
beforeAll(async () => {
  ;({ live, opened } = await openWindowHost())
})
afterAll(() => live.close())

const connect = () => FakeWindow.connect(live.host.approverPort)
const journal = () => readFileSync(join(live.state, 'journal.db'), 'latin1')

/** A ticket as the host would give it to a browser; what the page then does is the test's. */
async function ticket(): Promise<Credential> {
  const before = opened.length
  await eventually('a window is opened', () => {
    if (opened.length === before) void live.host.showWindow()
    return opened.length > before
  })
  const page = opened.at(-1)
  if (!page) throw new Error('nothing was opened')
  return ticketIn(page)
}

test('a window that was opened with a ticket is an approver', async () => {
  const window = await openWindow(live, opened)
  expect(await window.heard.next('admitted')).toMatchObject({ arming_ms: 400, grave_text: 'run it' })
  expect(await window.heard.next('host_status')).toMatchObject({
    protection: { not_stopped: expect.any(Array) },
    windows: 1,
  })
  window.close()
})

test('the ticket lies in a file that only its owner can read, and is gone when the page is there', async () => {
  const credential = await ticket()
  const file = fileURLToPath(opened.at(-1)?.url ?? '')
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
  const window = await (await connect()).admitted(credential)
  await eventually('the file is gone', () => !existsSync(file))
  expect(readdirSync(dirname(file))).toEqual([])
  window.close()
})

test('A25c: neither ticket nor secret is written down anywhere', async () => {
  const credential = await ticket()
  const window = await (await connect()).admitted(credential)
  expect(window.session?.secret).toMatch(/^[0-9a-f]{64}$/)
  for (const secret of [credential.secret, window.session?.secret ?? '?']) expect(journal()).not.toContain(secret)
  const files = readdirSync(live.state, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  for (const entry of files)
    expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).not.toContain(credential.secret)
  window.close()
})

test('a client that asks for the window gets no ticket', async () => {
  const client = await live.client()
  const asked = client.ask('show_window')
  const window = await (async () => {
    await eventually('a window is opened', () => opened.length > 0)
    return (await connect()).admitted(ticketIn(opened.at(-1) ?? { url: '' }))
  })()
  const answer = await client.heard.next('window_shown', frame => frame.request_id === asked)
  expect(answer).toEqual({
    type: 'window_shown',
    id: asked,
    request_id: asked,
    trace_id: 'trace_1',
    shown: true,
    message: 'The window is open.',
  })
  window.close()
})

test('a ticket that two redeem shuts both out, and every other window hears of it', async () => {
  const witness = await openWindow(live, opened)
  witness.send({ type: 'visibility', visible: false })
  const credential = await ticket()
  const first = await (await connect()).admitted(credential)
  const second = await connect()
  await second.prove(credential)
  await eventually('both are shut out', () => first.closed !== null && second.closed !== null)
  expect([first.closed, second.closed]).toEqual([1008, 1008])
  expect(await witness.heard.next('alarm')).toMatchObject({ message: expect.stringMatching(/same ticket/) })
  // What the first one held is worth nothing any more.
  const again = await connect()
  await expect(again.prove(first.session as Credential)).rejects.toThrow('admitted by another host, or too long ago')
  witness.close()
})

test('A9x: a wrong secret opens nothing, and does not use up the ticket', async () => {
  const credential = await ticket()
  const stranger = await connect()
  await stranger.prove(credential, { secret: 'ab'.repeat(32) })
  await eventually('the stranger is out', () => stranger.closed === 1008)
  const window = await (await connect()).admitted(credential)
  window.close()
})

test('nothing is told to a page before it has proved itself, and nothing it says is heard', async () => {
  const [client, person] = [await live.client(), await live.approver()]
  const id = client.command('/bin/echo secret-question')
  const question = await person.question(each => each.request_id === id)
  for (const first of [
    { type: 'shown', ask_id: question.ask_id },
    { type: 'attach', protocol_version: 2, surface: 'window', name: 'me' },
    {
      type: 'answer',
      ask_id: question.ask_id,
      plan_hash: question.plan_hash,
      decision: { kind: 'approve', scope: { kind: 'once' } },
    },
    { type: 'window_prove', proof: 'ab'.repeat(32) },
    { type: 'admitted' },
  ]) {
    const stranger = await connect()
    stranger.socket.send(JSON.stringify(first))
    await eventually('the stranger is out', () => stranger.closed !== null)
    expect(stranger.heard.all).toEqual([{ type: 'refused', reason: expect.any(String) }])
  }
  person.decline(question)
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
})

test('a page comes back with its session, under a new secret each time', async () => {
  const window = await openWindow(live, opened)
  const before = window.session as Credential
  window.close()
  const back = await (await connect()).admitted(before)
  expect(back.session?.secret).not.toBe(before.secret)
  await eventually('the old secret is over', async () => {
    const late = await connect()
    const refused = await late.prove(before).then(
      () => false,
      () => true,
    )
    late.close()
    return refused
  })
  const again = await (await connect()).admitted(back.session as Credential)
  again.close()
})

test('a page that was let in but never heard so comes back with what it has', async () => {
  const window = await openWindow(live, opened)
  const before = window.session as Credential
  window.close()
  const deaf = await connect()
  await deaf.prove(before)
  await deaf.heard.next('admitted')
  deaf.close()
  const back = await (await connect()).admitted(before)
  back.close()
})

test('a page that left for good does not come back', async () => {
  const window = await openWindow(live, opened)
  window.send({ type: 'detach' })
  await eventually('it left', () => window.closed !== null)
  const again = await connect()
  await expect(again.prove(window.session as Credential)).rejects.toThrow('admitted by another host, or too long ago')
})

test('a session ends with its host', async () => {
  const other = await openWindowHost()
  const window = await openWindow(other.live, other.opened)
  const session = window.session as Credential
  await other.live.close()
  const stranger = await connect()
  await expect(stranger.prove(session)).rejects.toThrow('admitted by another host, or too long ago')
})

test('A9x: what a run has started cannot open the feed', async () => {
  const [client, person] = [await live.client(), await live.approver()]
  const { approverPort } = live.host
  const code = `const r=require('http').request({port:${approverPort},host:'127.0.0.1',path:'/feed',headers:{host:'localhost:${approverPort}',origin:'http://localhost:${approverPort}',connection:'Upgrade',upgrade:'websocket','sec-websocket-version':'13','sec-websocket-key':'AAAAAAAAAAAAAAAAAAAAAA=='}});r.on('response',x=>{x.on('data',d=>process.stdout.write(x.statusCode+' '+d))});r.on('upgrade',()=>{console.log('let in');process.exit()});r.end()`
  const id = client.command(process.execPath, { args: ['-e', code] })
  person.approve(await person.question(each => each.request_id === id))
  expect(await client.response(id)).toMatchObject({ output: '403 A command that runs here cannot answer.\r\n' })
})
