import { expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { FakeHost, report } from '../../../test/fakes/fake-host.ts'
import { readSettings } from '../../config/settings.ts'
import type { CallContext } from '../answers/present.ts'
import { HostPatience } from '../asking/host-patience.ts'
import type { PointerEnd, WindowPointer } from '../server/window-pointer.ts'
import { PersonAsker } from './ask-person.ts'

const ids = (request_id: string) => ({ request_id, trace_id: `trace_of_${request_id}` })
const command = (id = 'build:7') => ({
  type: 'command_request' as const,
  ...ids(id),
  intent: 'execute_command' as const,
  command: 'make',
})
const progress = (phase: string) => ({ type: 'progress', phase, elapsed_ms: 0, ahead: 0, message: phase })
const done = { type: 'command_response', ...report('build:7') }
const context = { asker: { session: 'ses_1', name: 'a client', version: '1' } } as unknown as CallContext

async function world(env: Readonly<Record<string, string>> = {}) {
  const clock = new FakeClock()
  const host = new FakeHost(clock)
  const { settings } = readSettings({ flags: {}, env: { PM_TERM_HOME: '/nowhere', ...env } }).configuration
  const adapter = host.adapter()
  const person = new PersonAsker({ adapter, clock, settings })
  const shown: (WindowPointer | PointerEnd)[] = []
  const point = (pointer: WindowPointer) => {
    shown.push(pointer)
    return { end: (why: PointerEnd) => void shown.push(why) }
  }

  const ask = async (
    how: { able?: boolean; givesUp?: AbortSignal; request?: Parameters<PersonAsker['ask']>[1] } = {},
  ) => {
    const signal = how.givesUp ?? new AbortController().signal
    const call = { name: '', arguments: {}, signal, ...(how.able !== false && { point }) }
    await adapter.connect({ choice: 'local_or_bundled_auto', binaryPath: null, launch: 'never' }, signal)
    const patience = new HostPatience(call, clock, { runningMs: 60_000, answerWithinMs: 60_000 })
    return person.ask(context, how.request ?? command(), { call, patience }).finally(() => patience.dispose())
  }
  return { host, shown, ask }
}

const SHOWN = {
  id: 'build:7',
  url: 'http://localhost:9101/',
  message: 'A command waits for your answer in the window of Interactive Terminal; this message approves nothing.',
}

test('a question that waits is shown once as an address without ticket or code, and taken away when it is answered', async () => {
  const { host, shown, ask } = await world()
  host.answer = (_, send) => {
    send(progress('queued'))
    send(progress('waiting_for_approver'))
    send(progress('awaiting_approval'))
    send(progress('awaiting_approval'))
    send(progress('running'))
    send(progress('running'))
    send(done)
  }
  expect(await ask()).toMatchObject({ type: 'command_response' })
  expect(shown).toEqual([SHOWN, 'question_ended'])
})

test('a command that needs no approval shows nothing', async () => {
  const { host, shown, ask } = await world()
  host.answer = (_, send) => {
    send(progress('queued'))
    send(progress('running'))
    send(done)
  }
  await ask()
  expect(shown).toEqual([])
})

test('a question that ends without running is taken away as well', async () => {
  const { host, shown, ask } = await world()
  host.answer = (_, send) => {
    send(progress('awaiting_approval'))
    send({ ...done, ...report('build:7', { state: 'declined' }) })
  }
  await ask()
  expect(shown).toEqual([SHOWN, 'question_ended'])
})

test('a call that ends while the question is open says that only the call has ended, and asking again shows nothing new', async () => {
  const { host, shown, ask } = await world()
  host.answer = (_, send) => send(progress('awaiting_approval'))
  const givesUp = new AbortController()
  const asked = ask({ givesUp: givesUp.signal })
  await idle()
  givesUp.abort()
  expect(await asked).toBe('given_up')
  expect(shown).toEqual([SHOWN, 'call_ended'])

  host.answer = (_, send) => {
    send(progress('awaiting_approval'))
    send(done)
  }
  await ask()
  expect(shown).toHaveLength(2)
  await ask({ request: command('another:8') })
  expect(shown.at(2)).toMatchObject({ id: 'another:8' })
})

test.each([
  [{ ...ids('in:1'), type: 'input_request', input: [{ text: 'y' }] }, 'Input for a program waits'],
  [
    { ...ids('rule:1'), type: 'allowlist_update', workspace_id: 'w', layer: 'base', operation: 'add', patterns: ['x'] },
    'A change of the rules waits',
  ],
])('it says what waits', async (request, words) => {
  const { host, shown, ask } = await world()
  host.answer = (_, send) => {
    send(progress('awaiting_approval'))
    send(done)
  }
  await ask({ request: request as Parameters<PersonAsker['ask']>[1] })
  expect(shown[0]).toMatchObject({ message: expect.stringContaining(words) })
})

test.each([
  ['the client cannot show addresses', {}, { able: false }, 9101],
  ['the person has turned it off', { PM_TERM_ELICITATION: 'off' }, {}, 9101],
  ['the host has no window', {}, {}, null],
])('nothing is shown when %s, and the question is asked all the same', async (_, env, how, windowPort) => {
  const { host, shown, ask } = await world(env)
  host.windowPort = windowPort
  host.answer = (_, send) => {
    send(progress('awaiting_approval'))
    send(done)
  }
  expect(await ask(how)).toMatchObject({ type: 'command_response' })
  expect(shown).toEqual([])
})
