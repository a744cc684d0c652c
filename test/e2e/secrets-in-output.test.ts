import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { githubToken, hex } from '../fakes/made-up-tokens.ts'

const TOKEN = githubToken()
const KEY = hex(64)
const MARK = '[redacted: GitHub token]'
/** Prints it without having it in the line. */
const PRINTS = `printf '%s' '${TOKEN.slice(0, 10)}'; echo '${TOKEN.slice(10)}'`

describe('headless', () => {
  let server: Opened
  beforeAll(async () => {
    server = await openStdio()
    server.place.write('home/state/local.key', `${KEY}\n`, 0o600)
  })
  afterAll(() => server.close())

  test('an agent gets a mark in the place of a token, however it reads', async () => {
    const { place } = server
    const { data, text } = await server.headless({
      action: 'run',
      ...place.shell(`${PRINTS}; sleep 60`),
      wait: { match: 'ghp_\\w{36}' },
    })
    const { session_id } = data.identity
    expect(data.result).toMatchObject({ stdout: `${MARK}\n`, woke: { line: MARK }, redacted: 2 })
    expect(text).toContain('[2 redacted; the person sees all]')
    const ways = [{}, { cursor: 20 }, { format: 'raw' }, { format: 'screen' }, { search: 'ghp_', context_lines: 2 }]
    for (const how of ways) {
      const answer = await server.headless({ action: 'read_output', session_id, ...how })
      const raw = Buffer.from(answer.data.result.base64 ?? '', 'base64').toString()
      expect(`${answer.text}${JSON.stringify(answer.data)}${raw}`).not.toContain(TOKEN.slice(20, 30))
      expect(answer.data.result.redacted).toBe(1)
    }
    await server.headless({ action: 'kill', session_id })
  })

  test('our own secrets are taken out whatever prints them', async () => {
    const { data } = await server.headless({ action: 'run', ...server.place.shell(`echo key ${KEY}`) })
    expect(data.result.stdout).toBe('key [redacted: secret of interactive-terminal]\n')
  })
})

describe('in the window', () => {
  let here: LivelyPlace
  let agent: Opened
  beforeAll(async () => {
    here = new LivelyPlace()
    agent = await here.server({ env: { PM_TERM_REDACT: 'off' } })
    await here.hostRuns(agent)
    await here.person()
  }, 30_000)
  afterAll(() => here.end(), 30_000)

  test('the host decides by its own settings what an agent gets, not by those the agent was started with', async () => {
    const { data } = await here.asks(agent, PRINTS)
    expect(data.result).toMatchObject({ stdout: `${MARK}\n`, redacted: 1 })
  })
})
