import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Host } from '../../src/host/open-host.ts'
import { LiveHost, setPassphrase } from '../fakes/live-host.ts'
import { eventually } from '../fakes/mcp-client.ts'
import { Place, PRODUCT } from '../fakes/place.ts'

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
const TLS_INSIDE = 'refused: A command that runs here cannot answer.'

test('an approved command cannot approve the next one, whatever it tries', { timeout: 240_000 }, async () => {
  const person = await live.approver()
  const beat = setInterval(() => person.send({ type: 'heartbeat' }), 2000)
  try {
    const [client, other] = [await live.client(), await live.client()]
    const beats = setInterval(() => [client, other].map(each => each.send({ type: 'heartbeat' })), 2000)
    const target = other.command('/bin/touch self-approved', { working_directory: place.work })
    const asked = await person.heard.next('question', question => question.request_id === target)
    const script = join(import.meta.dirname, '../fakes/self-approval.mjs')
    const { port, approverPort } = live.host
    const args = [script, live.state, String(port), String(approverPort), PRODUCT, asked.ask_id]
    const battery = client.command(process.execPath, {
      args,
      working_directory: place.work,
      env: { PM_TERM_HOME: place.home },
    })
    person.approve(await person.question(question => question.request_id === battery))
    const { output, exit_code } = await client.response(battery, 200_000)
    clearInterval(beats)
    expect(exit_code, output).toBe(0)
    const outcome = JSON.parse(output.trim().split('\n').at(-1) ?? '{}') as Record<string, string>

    expect(outcome).toEqual({
      'the page, as a browser would load it': '200, no secret',
      'the feed': INSIDE,
      'the feed over IPv6': INSIDE,
      'the feed, from a daemon': INSIDE,
      'bare: the feed with a ticket that was made up': 'let in, refused by name',
      'bare: the feed with the session of somebody in the journal': 'let in, refused by name',
      'bare: the feed, answering without being let in': 'let in, refused by name',
      'the approver listener, with the key': TLS_INSIDE,
      'the approver listener, from a daemon': TLS_INSIDE,
      'bare: the approver listener as the host’s own terminal': 'challenged',
      'bare: a window on the approver listener': 'challenged',
      'bare: a passphrase that was guessed': expect.stringMatching(/^refused/),
      'bare: a passphrase of its own, put in place of the person’s': expect.stringMatching(/^refused/),
      'bare: a code that was guessed': expect.stringMatching(/^refused/),
      'an answer on the listener for clients': 'PM_TERM_INVALID_PAYLOAD',
      'being an approver on the listener for clients': 'PM_TERM_INVALID_PAYLOAD',
      'a command that says it is allowlisted': 'awaiting_approval',
      'a rule for itself, by frame': 'asked',
      'the window, to catch its ticket': 'no ticket',
      'a ticket in the files of the host': 'none',
      'secrets in the state directory, each tried as a session': 'none',
      'its own environment': 'none',
      'the environment of every process': 'none',
      'the arguments of every process': 'none',
      'the approver of the command line': expect.stringMatching(/^ended with [^0]/),
      'a rule for itself, by command line': expect.stringMatching(/^ended with [^0]/),
      'a second start': 'no ticket',
      'the debugger of the window': 'none',
    })
    // Nobody but the person said yes, and to nothing but the command itself.
    const answers = live.journal().filter(({ kind }) => kind === 'answered')
    expect(answers.map(({ run_id }) => run_id)).toEqual([battery])
    expect(live.journal().filter(({ kind }) => kind === 'approver_admitted')).toHaveLength(1)
    expect(existsSync(join(place.work, 'self-approved'))).toBe(false)
    expect(person.heard.all.filter(frame => frame.type === 'answered')).toHaveLength(1)
  } finally {
    clearInterval(beat)
  }
})
