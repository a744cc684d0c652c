import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

let server: Opened
beforeAll(async () => {
  server = await openStdio({ env: { MY_API_TOKEN: 'abc', OTHER_SECRET: 'def', PM_TERM_HAND_ON: 'OTHER_SECRET' } })
})
afterAll(() => server.close())

const run = (line: string, more: object = {}) =>
  server.headless({ action: 'run', ...server.place.shell(line), ...more })

test('a command that a rule covers gets no token of the environment, unless the setting names it', async () => {
  const { data } = await run('echo "$MY_API_TOKEN|$OTHER_SECRET|$TERM|$PAGER"')
  expect(data.result.stdout).toBe('|def|dumb|cat\n')
  expect(data.result.warning).toBeUndefined()
})

test('a command that fails without a token says which it did not get', async () => {
  const { data, text } = await run('test -n "$MY_API_TOKEN"')
  expect(data.result).toMatchObject({ exit_code: 1, warning: expect.stringContaining('It ran without MY_API_TOKEN:') })
  expect(text).toContain('PM_TERM_HAND_ON')
})

test('what the agent sets itself wins', async () => {
  const { data } = await run('echo "$TERM"', { env: { TERM: 'vt100' } })
  expect(data.result.stdout).toBe('vt100\n')
})
