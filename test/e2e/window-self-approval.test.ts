import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** The real host, a person who is its approver, and a command they approved that wants more (SECURITY, row 9). */
let place: Place
let host: ChildProcess
let live: LiveHost
beforeAll(async () => {
  place = new Place()
  setPassphrase(place)
  host = spawn(process.execPath, [PRODUCT, 'host'], { env: place.env(), cwd: place.root, stdio: 'ignore' })
  await eventually('the host is up', () => place.read('home/state/host.json') !== '')
  const { port, approver_port } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
  live = new LiveHost(place, { port, approverPort: approver_port, close: async () => {} } as unknown as Host)
})
afterAll(async () => {
  host.kill('SIGTERM')
  await eventually('the host ends', () => host.exitCode !== null || host.signalCode !== null)
  await live.close()
})

const INSIDE = 'refused 403'
const ONE_HOST = 'refused: Another host is connected.'
const NO_WIDENING = 'ended with 2: A command that runs here cannot widen what may run. Use a terminal of your own.'
const TLS_INSIDE = 'refused: A command that runs here cannot answer.'

test('A7, A8, A9x, A10x, A14, A25a, A25b, A27, A28: an approved command cannot approve the next one, whatever it tries', {
  timeout: 240_000,
}, async () => {
  const person = await live.approver()
  const [client, other] = [await live.client(), await live.client()]
  const target = other.command('/bin/touch self-approved', { working_directory: place.work })
  const asked = await person.heard.next('question', question => question.request_id === target)
  const script = join(import.meta.dirname, '../drivers/self-approval.mjs')
  const { port, approverPort } = live.host
  const args = [script, live.state, String(port), String(approverPort), PRODUCT, asked.ask_id]
  const battery = client.command(process.execPath, {
    args,
    working_directory: place.work,
    env: { PM_TERM_HOME: place.home },
  })
  person.approve(await person.question(question => question.request_id === battery))
  const { output, exit_code } = await client.response(battery, 200_000)
  expect(exit_code, output).toBe(0)
  const outcome = JSON.parse(output.trim().split('\n').at(-1) ?? '{}') as Record<string, string>

  expect(outcome).toEqual({
    'the page, as a browser would load it': '200, no secret',
    'A9x the feed': INSIDE,
    'A9x the feed over IPv6': INSIDE,
    'A9x the feed, from a daemon': INSIDE,
    'bare: A9x the feed with a ticket that was made up': 'let in, refused by name',
    'bare: A9x the feed with the session of somebody in the journal': 'let in, refused by name',
    'bare: A9x the feed, answering without being let in': 'let in, refused by name',
    'A10x the approver listener, with the key': TLS_INSIDE,
    'A10x the approver listener, from a daemon': TLS_INSIDE,
    'bare: A10x the approver listener as the host’s own terminal': 'challenged',
    'bare: A10x a window on the approver listener': 'challenged',
    'bare: A10x a passphrase that was guessed': 'refused: That was not the passphrase.',
    'bare: A10x a passphrase of its own, put in place of the person’s': 'refused: That was not the passphrase.',
    'bare: A10x a code that was guessed': 'refused: That was not the code.',
    'A7b an answer on the listener for clients': 'PM_TERM_INVALID_PAYLOAD',
    'A7c being an approver on the listener for clients': 'PM_TERM_INVALID_PAYLOAD',
    'A7a a command that says it is allowlisted and approved': 'awaiting_approval',
    'A7d the names approver, host, root and bridge on the listener for clients': 'not let in',
    'A8 the owner of terminals, with the key made of host.key': ONE_HOST,
    'bare: A8 the owner of terminals, with the key made of host.key': ONE_HOST,
    'a rule for itself, by frame': 'asked',
    'the window, to catch its ticket': 'no ticket',
    'a ticket in the files of the host': 'none',
    'secrets in the state directory, each tried as a session': 'none',
    'A25b its own environment': 'none',
    'A25b the environment of every process': 'none',
    'A25a the arguments of every process': 'none',
    'the approver of the command line':
      'ended with 2: A command that runs here cannot answer questions. Use a terminal of your own.',
    'A27 a rule for itself, by command line in a terminal of its own': NO_WIDENING,
    'A27 trust for its folder, by command line': NO_WIDENING,
    'A27 trust for its folder, in a terminal of its own': NO_WIDENING,
    'A28 a pairing of its own, by command line': NO_WIDENING,
    'A28 a pairing of its own, in a terminal of its own': NO_WIDENING,
    'a second start': 'no ticket',
    'A14 the debugger of the window': 'none',
  })
  // Nobody but the person said yes, and to nothing but the command itself.
  const answers = live.journal().filter(({ kind }) => kind === 'answered')
  expect(answers.map(({ run_id }) => run_id)).toEqual([battery])
  expect(live.journal().filter(({ kind }) => kind === 'approver_admitted')).toHaveLength(1)
  expect(existsSync(join(place.work, 'self-approved'))).toBe(false)
  expect(person.heard.all.filter(frame => frame.type === 'answered')).toHaveLength(1)
})
