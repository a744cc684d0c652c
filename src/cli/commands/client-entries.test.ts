import { expect, test } from 'vitest'
import { SETUP_CLIENTS } from '../setup/clients.ts'
import { clientEntries, connectLines, windowEntries } from './client-entries.ts'

const PROGRAM = '/opt/it/interactive-terminal.cjs'

test('whoever connects an agent is told of setup first: in the window, in front of a host, and where it only asks', () => {
  const lines = SETUP_CLIENTS.map(({ id }) => `node ${PROGRAM} setup ${id} --write`)
  expect(windowEntries(PROGRAM).map(({ text }) => text)).toEqual(lines)
  expect(connectLines(PROGRAM, 'x')[1]).toContain(`node ${PROGRAM} setup`)
  const printed = clientEntries({
    port: 3000,
    host: { port: 9100, approverPort: 9101, inContainer: false },
    tokenFile: '/state/http-token',
    executable: PROGRAM,
    dataDir: '/data',
  })
  expect(printed.indexOf(' setup claude')).toBeGreaterThan(0)
  expect(printed.indexOf(' setup claude')).toBeLessThan(printed.indexOf('mcp add'))
})
