import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSPHRASE, PersonAtTerminal } from '../drivers/approver.ts'
import { eventually, type Opened, type OpenedHttp, openHttp, openStdio } from '../drivers/mcp-client.ts'
import { Place } from '../drivers/place.ts'
import { quickRecord } from '../drivers/quick-passphrase.ts'

/** Clients that can show their person an address are shown where the window is, and nothing that they reply decides anything. */
let place: Place
let http: OpenedHttp
let stdio: Opened
let person: PersonAtTerminal
let action: 'accept' | 'decline' | 'cancel' = 'accept'
let tests = 0
const asked: Readonly<Record<string, unknown>>[] = []
const complete: string[] = []

beforeAll(async () => {
  place = new Place({ later: false })
  place.write('home/state/approver.v1.json', JSON.stringify(quickRecord(PASSPHRASE)))
  const shows = (params: object) => {
    asked.push({ ...params })
    return { action }
  }
  http = await openHttp({ place, shows })
  stdio = await openStdio({ place, shows })
  for (const { client } of [http, stdio])
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      complete.push(params.elicitationId)
    })
  person = await PersonAtTerminal.attach(place)
}, 60_000)

afterAll(async () => {
  await person?.leaves()
  await stdio?.close()
  await http?.close()
  place.remove()
}, 30_000)

const execute = (command: string, id: string) => ({
  action: 'execute',
  correlation: { request_id: id },
  invocation: { mode: 'interactive', intent: 'execute_command' },
  execution: { command },
})

describe.each(['http', 'stdio'] as const)('a client over %s', way => {
  const agent = (): Opened => (way === 'http' ? http : stdio)

  test.each(['accept', 'decline', 'cancel'] as const)(
    'that replies %s has decided nothing: the command waits, and runs when the person approves it in their approver',
    async reply => {
      action = reply
      asked.length = 0
      const id = `shown:${way}:${reply}`
      const ran = join(place.root, `ran-${++tests}`)
      const call = agent().interactive(execute(`touch ${ran}`, id), { onProgress: () => {}, timeoutMs: 50_000 })
      await eventually('the client is shown where to answer', () => asked.length > 0)
      await person.reads(ran)

      const read = await agent().interactive({ action: 'read_output', target: { session_id: id } })
      expect(read.data.result).toMatchObject({ state: 'awaiting_approval', running: false })
      expect(existsSync(ran)).toBe(false)

      await person.approves(ran)
      expect((await call).data.result).toMatchObject({ exit_code: 0, approved_by: 'person' })
      await eventually('the client may take it away', () => complete.includes(id))
      const { approver_port } = JSON.parse(readFileSync(join(place.home, 'state', 'host.json'), 'utf8'))
      expect(asked).toEqual([
        expect.objectContaining({ mode: 'url', elicitationId: id, url: `http://localhost:${approver_port}/` }),
      ])
    },
  )
})

test('what is accepted in the client and declined by the person is declined', async () => {
  action = 'accept'
  const ran = join(place.root, 'never-ran')
  const call = stdio.interactive(execute(`touch ${ran}`, 'shown:no'), { onProgress: () => {}, timeoutMs: 50_000 })
  await person.declines(ran, 'not today')
  expect((await call).data.error).toMatchObject({ code: 'PM_TERM_DECLINED' })
  expect(existsSync(ran)).toBe(false)
})

test('a change of the rules points to the window as well, and changes nothing by being accepted', async () => {
  action = 'accept'
  asked.length = 0
  const patterns = ['touch of-a-rule']
  const change = { action: 'update_allowlist', operation: 'add', patterns, workspace_id: 'test' }
  const call = stdio.headless(change, { onProgress: () => {}, timeoutMs: 50_000 })
  await eventually('the client is shown where to answer', () => asked.length > 0)
  expect(asked).toMatchObject([{ message: expect.stringContaining('A change of the rules waits') }])
  await person.declines('touch of-a-rule', 'no')
  expect((await call).data.error).toMatchObject({ code: 'PM_TERM_DECLINED' })
})
