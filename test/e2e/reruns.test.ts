import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

/** The same command again: an agent reads what changed, not everything once more. */
let server: Opened
beforeAll(async () => {
  server = await openStdio({ allow: ['/bin/cat *', '/bin/false *'] })
})
afterAll(() => server.close())

const lines = (...changed: string[]) => [...Array.from({ length: 50 }, (_, i) => `ok ${i}`), ...changed, ''].join('\n')
const run = (more: Record<string, unknown> = {}) =>
  server.headless({ action: 'run', command: '/bin/cat results', ...more })

test('only what changed is answered, and the whole is one call away', async () => {
  server.place.write('work/results', lines('not ok 50'))
  const first = await run()
  server.place.write('work/results', lines('ok 50', 'ok 51'))
  const { data, text } = await run({ rerun_of: first.data.identity.session_id })
  expect(data.result).toMatchObject({
    exit_code: 0,
    stdout: '@@ line 51 @@\n-not ok 50\n+ok 50\n+ok 51\n',
    rerun: { of: first.data.identity.session_id, added: 2, removed: 1, only_changes: true },
  })
  expect(text).toMatch(/\[only what changed since req_[0-9a-f]{8}: 2 lines added, 1 removed\]/)
  const whole = await server.headless(data.next?.arguments ?? {})
  expect(whole.data.result.stdout).toBe(lines('ok 50', 'ok 51'))
})

test('the same output is told as that', async () => {
  server.place.write('work/results', lines())
  const first = await run()
  const { data, text } = await run({ rerun_of: first.data.identity.session_id })
  expect(data.result).toMatchObject({ stdout: '', rerun: { added: 0, removed: 0 } })
  expect(text).toMatch(/\[the same output as req_[0-9a-f]{8}\]/)
})

test('another exit code is told, whatever was printed', async () => {
  server.place.write('work/results', 'there\n')
  const first = await run()
  rmSync(join(server.place.work, 'results'))
  const { data, text } = await run({ rerun_of: first.data.identity.session_id })
  expect(data.result).toMatchObject({ exit_code: 1, rerun: { exit_code_before: 0 } })
  expect(text).toContain('its exit code was 0')
})

test('a run of another command is refused before anything runs, and so is one that nobody knows', async () => {
  const other = await server.headless({ action: 'run', command: '/bin/false' })
  const wrong = await run({ rerun_of: other.data.identity.session_id })
  expect(wrong.data.error?.message).toContain('rerun_of is a run of another command: "/bin/false"')
  const unknown = await run({ rerun_of: 'nobody-knows' })
  expect(unknown.data.error?.code).toBe('PM_TERM_NOT_FOUND')
  const { items } = (await server.headless({ action: 'list' })).data.result
  expect(
    items?.filter(({ session_id }) => [wrong, unknown].some(({ data }) => data.identity.session_id === session_id)),
  ).toEqual([])
})

test('one that still runs when the call is answered is told as usual, and that it was not compared', async () => {
  server.place.write('work/results', 'x\n')
  const first = await run()
  const { data } = await run({ rerun_of: first.data.identity.session_id, timeout_ms: 0 })
  if (data.status === 'accepted') expect(data.result.warning).toContain('Not compared with')
  else expect(data.result.rerun).toMatchObject({ added: 0, removed: 0 })
})
