import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readJournal } from '../../src/runs/journal/journal.ts'
import { openDatabase } from '../../src/runs/journal/open-database.ts'
import { endedRun, HostProcesses, type Met } from '../drivers/host-process.ts'
import { eventually } from '../drivers/mcp-client.ts'

let hosts: HostProcesses
let at: Met
beforeEach(async () => {
  hosts = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_WINDOW: 'never' })
  await hosts.start()
  at = await hosts.meet()
})
afterEach(() => hosts.close())

test('while another program holds the journal locked nothing new is started, everything else is answered, and no row is missing later', async () => {
  const file = join(hosts.place.home, 'state', 'journal.db')
  const going = hosts.line(at.client, 'echo > ran; while [ ! -e go ]; do sleep 0.05; done; exit 5')
  await eventually('it runs', () => hosts.place.read('work/ran') !== '')
  const other = await openDatabase(file, { readonly: false })
  other.exec('BEGIN IMMEDIATE')
  const began = performance.now()
  for (let i = 0; i < 8; i++) {
    const id = hosts.line(at.client, 'echo > never')
    const answer = (type: 'error' | 'command_response') =>
      at.client.heard.all.find(each => each.type === type && each.request_id === id)
    await eventually('it is refused', () => (answer('error') ?? answer('command_response')) !== undefined)
    expect(JSON.stringify(answer('error') ?? answer('command_response'))).toMatch(
      /The journal cannot be written, so nothing was started: another program holds it locked/,
    )
    const list = at.client.ask('list')
    await at.client.heard.next('listed', each => each.request_id === list)
  }
  // Waiting five seconds for each row would take longer than this many times over.
  expect(performance.now() - began).toBeLessThan(20_000)
  hosts.place.write('work/go', '')
  expect(await endedRun(at.client, going)).toMatchObject({ state: 'exited', exit_code: 5 })
  expect(hosts.place.read('work/never')).toBe('')
  other.exec('COMMIT')
  other.close()
  expect(await at.client.response(hosts.line(at.client, 'echo works again'))).toMatchObject({
    output: 'works again\r\n',
  })
  const journal = await readJournal(file)
  expect(journal.verify()).toMatchObject({ sound: true, gaps: [] })
  expect(journal.rowsOf(going).map(({ kind }) => kind)).toContain('ended')
  journal.close()
}, 60_000)
