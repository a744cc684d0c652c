import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { eventually, type Opened } from '../drivers/mcp-client.ts'

let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal
beforeAll(async () => {
  here = new LivelyPlace()
  // The host asks about everything, this server runs what a rule covers.
  here.settings({ PM_TERM_AUTO_APPROVE: 'never' })
  here.place.allow('/bin/echo *')
  agent = await here.server({ env: { PM_TERM_ANSWER_WITHIN_MS: '1000', PM_TERM_AUTO_APPROVE: 'allowlist' } })
  await here.hostRuns(agent)
  person = await here.person()
}, 30_000)
afterAll(() => here.end(), 30_000)

const file = () => join(here.place.home, 'data', 'declined-today.v1.json')
const runs = (command: string) => agent.headless({ action: 'run', command, cwd: here.place.work })

test('what a person declined for the day does not run headless either, whatever a rule allows and however it is written', async () => {
  expect((await runs('/bin/echo deploy')).data.success).toBe(true)
  await here.asks(agent, '/bin/echo deploy', { cwd: here.place.work })
  await person.reads('/bin/echo deploy')
  person.type('d')
  await person.sees('Why not?')
  person.type('not on a Friday')
  await person.sees('> not on a Friday')
  person.type('\t')
  await person.sees(/today in test/)
  person.type('\r')
  await eventually('it is written down', async () => existsSync(file()))
  expect(statSync(file()).mode & 0o777).toBe(0o600)

  for (const command of ['/bin/echo deploy', "/bin/echo 'deploy'", '/bin/../bin/echo deploy']) {
    const { data } = await runs(command)
    expect(data.error?.message).toContain('not on a Friday')
    expect(data).toMatchObject({ success: false, error: { code: 'PM_TERM_DECLINED' } })
    expect(data.error?.details?.kept_decline).toBeDefined()
  }
  expect((await runs('/bin/echo other')).data.success).toBe(true)
})

test('where nobody can tell what was declined, no rule lets anything run headless', async () => {
  const before = readFileSync(file(), 'utf8')
  writeFileSync(file(), before.slice(0, -20))
  const { data } = await runs('/bin/echo other')
  expect(data).toMatchObject({ success: false, error: { code: 'PM_TERM_APPROVAL_REQUIRED' } })
  expect(data.error?.message).toContain('declined for today cannot be read')
  writeFileSync(file(), before)
  expect((await runs('/bin/echo other')).data.success).toBe(true)
})
