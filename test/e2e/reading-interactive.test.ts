import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import type { Opened } from '../drivers/mcp-client.ts'

let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal

beforeAll(async () => {
  here = new LivelyPlace()
  here.place.allow('expr *', 'grep *', '/bin/echo *')
  agent = await here.server()
  await here.hostRuns(agent)
  person = await here.person()
}, 30_000)
afterAll(() => here.end(), 30_000)

async function approved(command: string, more: Readonly<Record<string, unknown>> = {}) {
  const call = here.asks(agent, command, more)
  await person.approves(command.slice(0, 20))
  return call
}
const kill = (session_id: string | null) => agent.interactive({ action: 'terminate', target: { session_id } })

test('an exit code comes with its meaning, that of a shell too', async () => {
  expect((await here.asks(agent, '/bin/echo one | grep two')).data.result).toMatchObject({
    exit_code: 1,
    exit_meaning: 'no line matched',
  })
  const { data, text } = await approved('sh -c "kill -9 \\$\\$"; sh -c "exit 126"')
  expect(data.result).toMatchObject({ exit_code: 126, exit_meaning: 'the command was found but could not be run' })
  expect(text).toContain('the command was found but could not be run')
})

test('a part of a pipeline that failed is told although the exit code is 0', async () => {
  const { data, text } = await approved('sh -c "echo ok; exit 3" | cat')
  expect(data.result).toMatchObject({ exit_code: 0, stdout: 'ok\n', pipestatus: [3, 0] })
  expect(text).toContain(', but a part of the pipeline failed: 3, 0.')
  const later = await agent.interactive({ action: 'read_output', target: { session_id: data.identity.session_id } })
  expect(later.data.result.pipestatus).toEqual([3, 0])
})

test('a pipeline whose reader had enough has not failed', async () => {
  const { data } = await approved('yes | head -n 1')
  expect(data.result).toMatchObject({ exit_code: 0, stdout: 'y\n' })
  expect(data.result.pipestatus).toBeUndefined()
})

test('an agent hears whether somebody is there, and when they last pressed something', async () => {
  const { data, text } = await approved('sh -c "echo asked"')
  expect(data.result.human).toEqual({ present: true, last_input_s: expect.any(Number) })
  expect(text).toMatch(/\[a person can be asked, last input \d+ s ago\]/)
  const list = await agent.interactive({ action: 'list' })
  expect(list.data.result.human).toMatchObject({ present: true })
})

test('a command is answered when its line is there, and the bar it drew is one line', async () => {
  const bar = 'for i in 1 2 3; do printf "\\r%s of 3" $i; done; echo; echo "ready: now"; sleep 60'
  const { data } = await approved(bar, { output: { wait: { match: 'ready: \\w+' } } })
  expect(data).toMatchObject({
    status: 'accepted',
    result: { state: 'running', waited: 'match', woke: { line: 'ready: now' }, stdout: '3 of 3\nready: now\n' },
  })
  const { session_id } = data.identity
  const found = await agent.interactive({ action: 'read_output', target: { session_id }, output: { search: '^ready' } })
  expect(found.data.result.matches).toMatchObject([{ line: 'ready: now' }])
  const screen = await agent.interactive({
    action: 'read_output',
    target: { session_id },
    output: { format: 'screen' },
  })
  expect(screen.data.result.screen?.text).toBe('3 of 3\nready: now')
  await kill(session_id)
})

test('a wait is ended by whichever of several runs is first, of either lane', async () => {
  const first = await approved('sh -c "sleep 60; echo"', { runtime: { timeout_ms: 0 } })
  const { data: second } = await agent.headless({ action: 'run', command: 'expr 1 = 2', timeout_ms: 0 })
  const session_ids = [first.data.identity.session_id, second.identity.session_id]
  const { data } = await agent.interactive({ action: 'read_output', target: { session_ids }, output: { wait: {} } })
  expect(data).toMatchObject({
    identity: { session_id: second.identity.session_id },
    result: {
      exit_code: 1,
      exit_meaning: 'the result is empty or 0',
      others: [{ session_id: first.data.identity.session_id, state: 'running' }],
    },
  })
  await kill(first.data.identity.session_id)
})
