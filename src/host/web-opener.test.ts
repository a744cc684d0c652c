import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { jsonLog } from '../base/log.ts'
import { WindowOpener } from './web-opener.ts'
import { WindowTickets } from './web-tickets.ts'
import { Windows } from './windows.ts'

test('what an earlier window left and nobody can remove keeps no host from starting, and is said when a window is wanted', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'it-opener-')), 'in-the-way')
  writeFileSync(file, '')
  const said: string[] = []
  const opener = new WindowOpener({
    clock: systemClock,
    log: jsonLog({ level: 'warn', write: line => said.push(line), now: systemClock.now }),
    tickets: new WindowTickets(systemClock),
    windows: new Windows(),
    browser: async () => {},
    origin: 'http://localhost:1',
    directory: join(file, 'window'),
  })
  expect(said).toEqual([expect.stringContaining('could not be removed')])
  expect(await opener.show()).toMatchObject({
    shown: false,
    message: expect.stringContaining('No window could be opened'),
  })
})
