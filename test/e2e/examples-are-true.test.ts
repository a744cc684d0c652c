import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyResponse } from '../../src/contract/tool/response.ts'
import type { ListedPattern } from '../../src/contract/tool/run-lists.ts'
import type { Host } from '../../src/host/host.ts'
import { type FakeApprover, LiveHost, openLiveHost, setPassphrase } from '../drivers/live-host.ts'
import { eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { Place } from '../drivers/place.ts'
import { asExample, EXAMPLES, requestOf } from '../fakes/examples.ts'

/** What a real client of a real server, with a real host and somebody who answers, gets for the requests of the examples. */
const produced = new Map<string, AnyResponse>()
const opened: Opened[] = []
const places: Place[] = []

async function server(allow: readonly string[] = []): Promise<Opened> {
  const place = new Place({ allow })
  places.push(place)
  const made = await openStdio({ place, env: { PM_TERM_ALIAS_PHASE: 'warn' } })
  opened.push(made)
  return made
}

async function produce(at: Opened, name: string): Promise<void> {
  const request = requestOf(name, at.work)
  const { data } = await (name.startsWith('headless-') ? at.headless(request) : at.interactive(request))
  produced.set(name, asExample(data, at.work))
}

/** Headless: what runs, what lives on, what is refused. */
async function headless(): Promise<void> {
  const lively = await server(['/bin/echo *', '/bin/sleep *'])
  for (const each of ['run', 'run-accepted', 'read-output', 'kill', 'list']) await produce(lively, `headless-${each}`)
  const strict = await server(['npm run build', 'git log *', '/bin/sleep *'])
  strict.place.alone()
  for (const each of ['run-not-allowlisted', 'run-destructive', 'run-kill-after', 'read-unknown', 'get-allowlist'])
    await produce(strict, `headless-${each}`)
  for (const each of ['execute-headless', 'legacy-run', 'many-mistakes', 'unknown-action', 'unknown-mode'])
    await produce(strict, `interactive-${each}`)
  const again = await openStdio({ place: strict.place })
  opened.push(again)
  await produce(again, 'interactive-read-output')
}

/** Interactive: nobody there, then somebody who says yes, no, something else, or nothing. */
async function interactive(): Promise<void> {
  const lonely = await server(['/bin/echo *'])
  lonely.place.alone()
  await produce(lonely, 'interactive-execute-nobody')
  await produce(lonely, 'headless-update-allowlist')
  const at = await server()
  const approver = await approverOf(at)
  const told = async (name: string, answer: (approver: FakeApprover) => Promise<unknown>) => {
    const asked = produce(at, name)
    await answer(approver)
    await asked
  }
  const next = (word: string) => approver.question(each => each.kind === 'command' && each.command.includes(word))
  await told('interactive-execute', async () => approver.approve(await next('ls')))
  await told('interactive-execute-declined', async () => approver.decline(await next('npm publish'), 'not on a Friday'))
  await told('interactive-execute-edited', async () => approver.edit(await next('npm start'), '/bin/echo "not today"'))
  await told('interactive-execute-unanswered', () => next('make install'))
}

/** From a container whose key the host does not know any more. */
async function fromContainer(): Promise<void> {
  const outside = await openLiveHost({
    env: { PM_TERM_BRIDGE_ADDRESS: '127.0.0.1', PM_INTERACTIVE_TERMINAL_HOST_PORT: '0' },
  })
  outside.pair('other')
  const socket = join(outside.state, 'bridge', 'host.sock')
  await eventually('it listens', () => existsSync(socket))
  const place = new Place()
  places.push(place)
  const env = {
    PM_RUNNING_IN_CONTAINER: 'true',
    PM_INTERACTIVE_TERMINAL_HOST_SOCKET: socket,
    PM_INTERACTIVE_TERMINAL_KEY_FILE: place.write('box.key', `box ${'0'.repeat(64)}\n`),
  }
  const box = await openStdio({ place, env })
  opened.push(box)
  await produce(box, 'interactive-execute-not-paired')
  await outside.close()
}

async function approverOf(at: Opened): Promise<FakeApprover> {
  setPassphrase(at.place)
  const first = at.interactive({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command: '/bin/echo first' },
    runtime: { approval_timeout_ms: 1 },
  })
  const file = join(at.home, 'state', 'host.json')
  const read = () => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as { port: number; approver_port: number }
    } catch {
      return null
    }
  }
  await eventually('a host', () => read() !== null, 15_000)
  await first
  const { port, approver_port } = read() ?? { port: 0, approver_port: 0 }
  return new LiveHost(at.place, { port, approverPort: approver_port } as Host).approver()
}

beforeAll(async () => {
  await headless()
  await interactive()
  await fromContainer()
}, 90_000)
afterAll(async () => {
  await Promise.allSettled(opened.map(each => each.close()))
  for (const place of places) place.remove()
}, 30_000)

// Those of the editor are held to its own tool, where that is tested.
const named = [...EXAMPLES.keys()]
  .filter(name => name.endsWith('.response') && !name.startsWith('editor-'))
  .map(name => name.replace('.response', ''))

/** Of those that stand with another the example shows the first, and does not count the rest. */
const shortened = ({ also, more: _, ...pattern }: ListedPattern) => ({
  ...pattern,
  ...(also && { also: also.slice(0, 1) }),
})

test.each(named)('the answer %s is what a caller really gets', name => {
  const example = EXAMPLES.get(`${name}.response`) as AnyResponse
  const real = produced.get(name)
  // Of the many default rules the example shows a few.
  const few = example.result.patterns
  if (few && real)
    real.result.patterns = few.filter(each =>
      real.result.patterns?.some(one => JSON.stringify(shortened(one)) === JSON.stringify(each)),
    )
  expect(real).toEqual(example)
})
