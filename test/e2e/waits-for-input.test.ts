import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../fakes/approver.ts'
import { LivelyPlace } from '../fakes/lively-place.ts'
import type { Opened } from '../fakes/mcp-client.ts'
import { needs } from '../fakes/needs.ts'

/** What an agent hears of a program that waits for input. */
let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal

beforeAll(async () => {
  here = new LivelyPlace()
  agent = await here.server()
  await here.hostRuns(agent)
  person = await here.person()
}, 30_000)
afterAll(() => here.end(), 30_000)

async function asked(command: string) {
  const began = performance.now()
  const call = here.asks(agent, command, { runtime: { timeout_ms: 20_000 } })
  await person.approves(command)
  const { data, text } = await call
  return { data, text, took: performance.now() - began }
}

test('a command that asks something is answered at once, with its question', needs('bash'), async () => {
  const { data, text, took } = await asked('read -p "Continue [y/N]? " answer')
  expect(data).toMatchObject({
    status: 'accepted',
    result: { running: true, wait_state: 'line', wait_evidence: expect.stringMatching(/^kernel: bash .*reading/) },
  })
  expect(text).toContain('It waits for a line of input: "Continue [y/N]?".')
  expect(took).toBeLessThan(15_000)
})
