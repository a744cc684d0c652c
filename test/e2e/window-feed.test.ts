import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Question } from '../../src/contract/wire/approver-frames.ts'
import type { LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { FakeWindow, openWindow, openWindowHost, ticketIn } from '../drivers/window.ts'

let live: LiveHost
let opened: { readonly url: string }[]
beforeAll(async () => {
  ;({ live, opened } = await openWindowHost())
})
afterAll(() => live.close())

const isAbout = (id: string) => (question: Question) => question.request_id === id
const inForeground = (window: FakeWindow) => window.send({ type: 'visibility', visible: true })
/** A second one opens only when the first cannot be seen. */
async function twoWindows(): Promise<readonly [FakeWindow, FakeWindow]> {
  const first = await openWindow(live, opened)
  first.send({ type: 'visibility', visible: false })
  const second = await openWindow(live, opened)
  inForeground(first)
  return [first, second]
}

test('a question comes to the window with everything a person needs, and a yes runs it', async () => {
  const [client, window] = [await live.client(), await openWindow(live, opened)]
  const id = client.command('/bin/echo from the window', {
    working_directory: live.place.work,
    env: { COLOUR: 'red' },
    context: 'to say hello',
  })
  const question = await window.question(isAbout(id))
  expect(question).toMatchObject({
    command: '/bin/echo from the window',
    cwd: live.place.work,
    env: [{ name: 'COLOUR', value: 'red' }],
    context: 'to say hello',
    client: 'test client 1',
    requester: 'local',
    verdict: { verdict: 'approval' },
    plan_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  window.approve(question)
  expect(await window.heard.next('answered')).toMatchObject({ outcome: 'approved', yours: true })
  expect(await client.response(id)).toMatchObject({ exit_code: 0, output: 'from the window\r\n' })
  window.close()
})

test('with two windows the first answer wins, and the other shows it', async () => {
  const client = await live.client()
  const [first, second] = await twoWindows()
  const id = client.command('/bin/echo both')
  const [one, other] = await Promise.all([first.question(isAbout(id)), second.question(isAbout(id))])
  first.approve(one)
  second.send({
    type: 'answer',
    ask_id: other.ask_id,
    plan_hash: other.plan_hash,
    decision: { kind: 'decline', reason: null },
  })
  expect(await second.heard.next('answered')).toMatchObject({ outcome: 'approved', yours: false })
  expect(await second.heard.next('answer_refused')).toMatchObject({ open: false })
  expect(await client.response(id)).toMatchObject({ exit_code: 0 })
  first.close()
  second.close()
})

test('a window that nobody can see shows nothing: its yes does not count', async () => {
  const [client, window] = [await live.client(), await openWindow(live, opened)]
  window.send({ type: 'visibility', visible: false })
  const id = client.command('/bin/echo unseen')
  const question = await window.heard.next('question', isAbout(id))
  window.send({ type: 'shown', ask_id: question.ask_id })
  await new Promise(resolve => setTimeout(resolve, 450))
  window.approve(question)
  expect(await window.heard.next('answer_refused')).toMatchObject({
    problem: 'The question was not on this screen yet.',
    open: true,
  })
  inForeground(window)
  window.approve(await window.question(isAbout(id)))
  expect(await client.response(id)).toMatchObject({ exit_code: 0 })
  window.close()
})

test('a yes right after the card came is refused, whatever the page says', async () => {
  const [client, window] = [await live.client(), await openWindow(live, opened)]
  const id = client.command('/bin/echo hasty')
  const question = await window.heard.next('question', isAbout(id))
  window.send({ type: 'shown', ask_id: question.ask_id })
  window.approve(question)
  expect(await window.heard.next('answer_refused')).toMatchObject({
    problem: 'That was too fast to have been read.',
    open: true,
  })
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  expect(await window.heard.next('withdrawn')).toMatchObject({ ask_id: question.ask_id, why: 'cancelled' })
  window.close()
})

test('an answer to what was on the screen before does not count for what is there now', async () => {
  const [client, window] = [await live.client(), await openWindow(live, opened)]
  const harmless = client.command('/bin/echo harmless')
  const other = client.command('/bin/echo harmful')
  const seen = await window.question(isAbout(harmless))
  const swapped = await window.question(isAbout(other))
  // The click lands on the other card: same place, another question, but the hash of what was read.
  window.send({
    type: 'answer',
    ask_id: swapped.ask_id,
    plan_hash: seen.plan_hash,
    decision: { kind: 'approve', scope: { kind: 'once' } },
  })
  expect(await window.heard.next('answer_refused')).toMatchObject({
    problem: 'This is not what was asked.',
    open: true,
  })
  for (const question of [seen, swapped])
    window.send({
      type: 'answer',
      ask_id: question.ask_id,
      plan_hash: question.plan_hash,
      decision: { kind: 'decline', reason: 'no' },
    })
  expect(await client.response(other)).toMatchObject({ status: 'declined' })
  window.close()
})

test('a closed window comes back at the next question, though somebody could answer in a terminal', async () => {
  const [client, person] = [await live.client(), await live.approver()]
  const closed = await openWindow(live, opened)
  closed.close()
  await eventually('the host knows', async () => {
    const request = client.ask('status', {})
    const { windows } = await client.heard.next('status_answered', frame => frame.request_id === request)
    return windows === 0
  })
  const before = opened.length
  const id = client.command('/bin/echo again')
  await eventually('it comes back', () => opened.length > before)
  const window = await openWindow(live, opened)
  await window.heard.next('question', isAbout(id))
  person.decline(await person.question(isAbout(id)))
  await client.response(id)
  window.close()
  person.link.close('done')
})

test('questions that waited are there when a window comes, oldest first', async () => {
  const [client, person] = [await live.client(), await live.approver()]
  const ids = ['/bin/echo one', '/bin/echo two'].map(line => client.command(line))
  await person.heard.next('question', isAbout(ids[1] ?? ''))
  const window = await openWindow(live, opened)
  await window.heard.next('question', isAbout(ids[1] ?? ''))
  const asked = window.heard.all.filter(frame => frame.type === 'question')
  expect(asked.map(frame => frame.request_id)).toEqual(ids)
  for (const question of asked) person.decline(await person.question(each => each.ask_id === question.ask_id))
  await Promise.all(ids.map(id => client.response(id)))
  window.close()
  person.link.close('done')
})

test('a yes for a while is shown with the time it has left, and can be taken back', async () => {
  const [client, window] = [await live.client(), await openWindow(live, opened)]
  const id = client.command('/bin/echo timed', { working_directory: live.place.work })
  const { ask_id, plan_hash } = await window.question(isAbout(id))
  const scope = { kind: 'time' as const, rules: ['/bin/echo timed'], minutes: 5 }
  window.send({ type: 'answer', ask_id, plan_hash, decision: { kind: 'approve', scope } })
  const { items } = await window.heard.next('scopes', frame => frame.items.length === 1)
  expect(items).toMatchObject([{ kind: 'time', rules: ['/bin/echo timed'], requester: 'local', terminal_id: null }])
  expect(items[0]?.expires_in_ms).toBeGreaterThan(290_000)
  await client.response(id)
  const again = client.command('/bin/echo timed', { working_directory: live.place.work })
  expect(await client.response(again)).toMatchObject({ approved_by: 'allowlist' })
  window.send({ type: 'scope_revoke', request_id: 'w1', scope_id: items[0]?.scope_id ?? '' })
  expect(await window.heard.next('done')).toMatchObject({ request_id: 'w1' })
  await eventually(
    'nothing is in force',
    () => window.heard.all.filter(frame => frame.type === 'scopes').at(-1)?.items.length === 0,
  )
  const asked = client.command('/bin/echo timed', { working_directory: live.place.work })
  const question = await window.question(isAbout(asked))
  window.send({
    type: 'answer',
    ask_id: question.ask_id,
    plan_hash: question.plan_hash,
    decision: { kind: 'decline', reason: null },
  })
  await client.response(asked)
  window.send({ type: 'scope_revoke', request_id: 'w2', scope_id: items[0]?.scope_id ?? '' })
  expect(await window.heard.next('failed')).toMatchObject({ request_id: 'w2', error: { code: 'PM_TERM_NOT_FOUND' } })
  window.close()
})

test('the window knows who is connected, and how well it is protected', async () => {
  const window = await openWindow(live, opened)
  const client = await live.client()
  const status = await window.heard.next('host_status', ({ clients }) =>
    clients.some(({ name }) => name === 'test client 1'),
  )
  expect(status).toMatchObject({ version: 'test', instance_id: live.host.instanceId, pty_host: { health: 'well' } })
  client.link.close('done')
  window.close()
})

test('a first-time user can try it: the request takes the way of every request', async () => {
  const window = await openWindow(live, opened)
  const { entries, demo_command } = await window.heard.next('first_run')
  expect(entries).toHaveLength(1)
  window.send({ type: 'demo', request_id: 'w1' })
  expect(await window.heard.next('done')).toMatchObject({ request_id: 'w1' })
  const question = await window.question(each => each.client.startsWith('Try it'))
  expect(question).toMatchObject({ kind: 'command', command: demo_command, verdict: { verdict: 'approval' } })
  window.approve(question)
  expect(await window.heard.next('answered')).toMatchObject({ outcome: 'approved', yours: true })
  window.close()
})

test('what is no frame of a window ends the connection', async () => {
  const window = await openWindow(live, opened)
  window.socket.send(JSON.stringify({ type: 'terminal_create', profile: 'nothing' }))
  await eventually('it is out', () => window.closed !== null)
  expect(window.closed).toBe(1008)
})

test('with nobody there a question opens the window by itself, once', async () => {
  const alone = await openWindowHost()
  try {
    const client = await alone.live.client()
    const ids = ['/bin/echo a', '/bin/echo b'].map(line => client.command(line))
    await eventually('a window is opened', () => alone.opened.length > 0)
    const credential = ticketIn(alone.opened[0] ?? { url: '' })
    const window = await (await FakeWindow.connect(alone.live.host.approverPort)).admitted(credential)
    for (const id of ids) window.approve(await window.question(isAbout(id)))
    await Promise.all(ids.map(id => client.response(id)))
    expect(alone.opened).toHaveLength(1)
    window.close()
  } finally {
    await alone.live.close()
  }
})

test('what needs nobody to say yes still needs somebody who could see it: the window opens first', async () => {
  const alone = await openWindowHost()
  try {
    const client = await alone.live.client()
    const id = client.command('pwd', { working_directory: alone.live.place.work })
    await eventually('a window is opened', () => alone.opened.length > 0)
    const port = alone.live.host.approverPort
    const window = await (await FakeWindow.connect(port)).admitted(ticketIn(alone.opened[0] ?? { url: '' }))
    expect(await client.response(id)).toMatchObject({ approved_by: 'allowlist', exit_code: 0 })
    window.close()
  } finally {
    await alone.live.close()
  }
})

test('where no window can be opened the asker hears why and what to do, and nothing runs', async () => {
  const alone = await openWindowHost({
    env: { PM_TERM_APPROVER_WAIT_MS: '300' },
    browser: async () => {
      throw new Error('there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set.')
    },
  })
  try {
    const client = await alone.live.client()
    const id = client.command('/bin/echo nobody')
    expect(await client.response(id)).toMatchObject({
      status: 'error',
      state: 'blocked',
      error: {
        code: 'PM_TERM_GUI_UNAVAILABLE',
        message: expect.stringMatching(/there is no screen.*interactive-terminal approve/s),
      },
    })
  } finally {
    await alone.live.close()
  }
})

test.each([
  ['before the card was drawn', false],
  ['after it', true],
])('a window that dies %s while its question is open is opened again, and the answer counts', async (_when, drawn) => {
  const alone = await openWindowHost()
  const { live, opened } = alone
  try {
    const client = await live.client()
    const first = await openWindow(live, opened)
    const id = client.command('/bin/echo "still here"')
    const question = drawn ? await first.question() : await first.heard.next('question')
    const before = opened.length
    first.close()
    await eventually('another window is opened for it', () => opened.length > before)
    const second = await FakeWindow.connect(live.host.approverPort)
    await second.admitted(ticketIn(opened.at(-1) ?? { url: '' }))
    second.approve(await second.question(({ ask_id }) => ask_id === question.ask_id))
    expect(await client.response(id)).toMatchObject({ exit_code: 0, output: 'still here\r\n' })
    second.close()
  } finally {
    await live.close()
  }
})
