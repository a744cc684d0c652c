import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { eventually, type Opened } from '../drivers/mcp-client.ts'

/** The MCP server as the extension of an editor starts it: with the word for where it was called from. */
let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal

beforeAll(async () => {
  here = new LivelyPlace()
  agent = await here.server({ env: { PM_TERM_CALLER_SURFACE: 'extension' } })
  await here.hostRuns(agent)
  person = await here.person()
}, 30_000)
afterAll(() => here.end(), 30_000)

/** What the host has written down of the request with this command. */
function received(command: string): Record<string, unknown> | undefined {
  const database = new DatabaseSync(join(here.place.home, 'state', 'journal.db'), { readOnly: true })
  const rows = database.prepare("SELECT body FROM journal WHERE kind = 'received'").all() as { body: string }[]
  database.close()
  return rows.map(({ body }) => JSON.parse(body)).find(body => body.command === command)
}

/** It is written soon after, not at once. */
const recorded = (command: string, surface: string) =>
  eventually(`${command} is in the journal as from ${surface}`, () => received(command)?.caller_surface === surface)

test('§8: what is asked through the server of the extension says so on the card and in the record, unless the request says otherwise', async () => {
  const asked = here.asks(agent, '/bin/echo from the editor')
  await person.sees('in an editor extension')
  await person.approves('/bin/echo from the editor')
  expect((await asked).data).toMatchObject({ success: true, result: { exit_code: 0 } })
  await recorded('/bin/echo from the editor', 'extension')

  const other = here.asks(agent, '/bin/echo from a button', { compat: { caller_surface: 'chat_button' } })
  await person.sees('by a button in a chat')
  await person.approves('/bin/echo from a button')
  await other
  await recorded('/bin/echo from a button', 'chat_button')
})

test.each(['execute', 'read_output', 'terminate'])(
  '§1.1: %s in a terminal of the editor is told which tool has such terminals',
  async action => {
    const target = { terminal_id: 'term_1_build' }
    const { data } =
      action === 'execute' ? await here.asks(agent, 'ls', { target }) : await agent.interactive({ action, target })
    expect(data.error).toMatchObject({
      code: 'PM_TERM_NOT_FOUND',
      message: expect.stringContaining('Call memory_terminal_vscode instead.'),
    })
  },
)
