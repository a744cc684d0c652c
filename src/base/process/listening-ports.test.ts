import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listenerOn } from './listening-ports.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listening(host: string): Promise<number> {
  const server = createServer()
  servers.push(server)
  await once(server.listen(0, host), 'listening')
  return (server.address() as AddressInfo).port
}

const mine = () => [process.pid]
const nobodys = () => []

test.runIf(process.platform === 'linux')('a port counts only when one of the processes listens on it', async () => {
  const port = await listening('127.0.0.1')
  expect(await listenerOn(port, mine, 'linux')).toBe('these')
  expect(await listenerOn(port, nobodys, 'linux')).toBe('others')
})

test.runIf(process.platform === 'linux')(
  'a server that listens on the newer kind of address only is found too',
  async () => {
    const port = await listening('::1')
    expect(await listenerOn(port, mine, 'linux')).toBe('these')
  },
)

test("a port that is closed again is nobody's", async () => {
  const port = await listening('127.0.0.1')
  const [server] = servers.splice(0)
  server?.close()
  if (server) await once(server, 'close')
  expect(await listenerOn(port, mine, process.platform)).toBe('nobody')
})

test("where the system does not say who listens, an open port is said to be somebody's", async () => {
  const port = await listening('127.0.0.1')
  expect(await listenerOn(port, mine, 'darwin')).toBe('somebody')
  const [server] = servers.splice(0)
  server?.close()
  if (server) await once(server, 'close')
  expect(await listenerOn(port, mine, 'darwin')).toBe('nobody')
})
