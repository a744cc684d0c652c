import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import type { Called, Opened } from '../drivers/mcp-client.ts'
import type { SentCall } from '../tasks/wrong-call.ts'
import { WRONG_CALLS } from '../tasks/wrong-calls.ts'

/** Calls that models really make: each is answered with what to send instead, in both forms, and that is really taken. */
let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal

beforeAll(async () => {
  here = new LivelyPlace()
  mkdirSync(join(here.place.work, 'sub'))
  writeFileSync(join(here.place.work, 'notes.txt'), 'one\n')
  here.place.allow('sleep *', 'env *', 'printenv *')
  agent = await here.server()
  await here.hostRuns(agent)
  person = await here.person()
  await agent.headless({ action: 'run', command: 'ls', request_id: 'known-run' })
}, 30_000)
afterAll(() => here.end(), 30_000)

/** As a model reads it that is shown only the text. */
function fromText({ text }: Called): SentCall | null {
  const [, tool = '', call = ''] = /(?:Send (?=\w+ with)|ask with )(\w+) (?:with )?(\{.*\})$/m.exec(text) ?? []
  return call === '' ? null : { tool, arguments: JSON.parse(call) as Record<string, unknown> }
}

test.each(WRONG_CALLS)(
  'a mistake of models is answered with what to send instead, and that works: $what',
  async ({ tool, sent, says, instead, reads, works, asks }) => {
    const answer = await agent.call(tool, sent, { timeoutMs: 50_000 })
    const json = JSON.stringify(answer.data)
    for (const words of says ?? []) {
      expect(answer.text).toMatch(words)
      expect(json.replaceAll('\\"', '"')).toMatch(words)
    }
    if (instead) expect(answer.data.next).toEqual(instead)
    const calls = reads
      ? [answer.text, json.replaceAll('\\"', '"')].map(words => reads(words))
      : [fromText(answer), answer.data.next ?? null]
    expect(calls[0]).not.toBeNull()
    expect(calls[0]).toEqual(calls[1])

    const [call] = calls
    const second = agent.call(call?.tool ?? '', call?.arguments, { timeoutMs: 50_000 })
    if (asks !== undefined) await person.approves(asks)
    const { data } = await second
    expect({ success: data.success, error: data.error?.message }).toEqual({ success: true, error: undefined })
    expect(data).toMatchObject(works)
  },
)
