import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { HostProcesses } from '../drivers/host-process.ts'
import { endOf, openStdio } from '../drivers/mcp-client.ts'

const hosts = new HostProcesses({ PM_TERM_WINDOW: 'never' })
afterEach(() => hosts.close())

test('a command that ran without a window is in a chained ledger that verify checks, also against what the host saw', async () => {
  const { place } = hosts
  const server = await openStdio({ place })
  await server.headless({ action: 'run', ...place.shell('echo one') })
  await server.close()
  expect(await hosts.cli(['verify'])).toMatchObject({
    code: 0,
    said: expect.stringContaining('No host has seen 1 of them'),
  })

  // A host that starts sees it, and one that ends has written that down.
  await endOf(await hosts.start())
  const seen = await hosts.cli(['verify'])
  expect([seen.code, seen.said]).toEqual([0, expect.stringContaining('The ledgers of servers are sound: ')])
  expect(seen.said).not.toContain('No host has seen')

  // Somebody takes the last line away.
  const day = join(place.home, 'state', 'runs', readdirSync(join(place.home, 'state', 'runs'))[0] ?? '')
  const file = readdirSync(day)
    .map(name => join(day, name, 'ledger.jsonl'))
    .find(each => readFileSync(each, 'utf8').includes('echo one'))
  if (file === undefined) throw new Error('no ledger')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`)
  expect(await hosts.cli(['verify'])).toMatchObject({
    code: 1,
    said: expect.stringMatching(/NOT sound: .* it ends at line 2, a host saw line 3/),
  })
})
