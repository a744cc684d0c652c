import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandLine, typed } from '../drivers/command-line.ts'
import { endOf, eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

const MARKED = { KUBERNETES_SERVICE_HOST: '10.0.0.1' }
const WHY = 'this is a container (KUBERNETES_SERVICE_HOST is set)'
const WAYS = [`node ${PRODUCT} --here`, 'ssh -L 9101:localhost:9101', 'pair <name>']

let place: Place
let server: Opened | null = null
beforeEach(() => {
  place = new Place()
})
afterEach(async () => {
  await server?.close()
  server = null
  place.remove()
})

const noHostWasTried = () => !existsSync(join(place.home, 'state', 'host.log'))

test('the first line of a start in a container says that nobody can be asked, then come the ways out', async () => {
  const child = spawn(process.execPath, [PRODUCT, '--http-port', '0'], {
    cwd: place.work,
    env: place.env(MARKED),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
  })
  await eventually('it serves', () => /is served: MCP over HTTP on http:\/\/127\.0\.0\.1:\d+\/mcp/.test(out), 30_000)
  await endOf(child)
  expect(out.split('\n')[0]).toContain(`Nobody can be asked from here: ${WHY}`)
  for (const way of WAYS) expect(out).toContain(way)
  expect(out).not.toContain('ready')
})

test('doctor fails in a container from which nobody can be asked, and says what to do', async () => {
  const { code, out } = await commandLine(place, ['doctor', '--http-port', '0'], MARKED)
  expect(code).toBe(1)
  expect(out).toContain(`FAIL  this is a container: Nobody can be asked from here: ${WHY}`)
  for (const way of WAYS) expect(out).toContain(way)
  expect(out).not.toMatch(/All is well|an interactive command starts one/)
})

test('approve ends in a container that has no host, with the ways out', needs('script'), async () => {
  const { code, out } = await typed(place, ['approve'], MARKED)
  expect(code).toBe(2)
  expect(out).toContain(WHY)
  for (const way of WAYS) expect(out).toContain(way)
})

test('an agent in a container hears it once and for all, and no host is tried', async () => {
  server = await openStdio({ place, env: MARKED })
  const { data } = await server.interactive({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    runtime: { cwd: place.work },
    execution: { command: '/bin/echo hello > file' },
  })
  expect(data.error).toMatchObject({
    code: 'PM_TERM_INVALID_MODE',
    retriable: false,
    details: {
      reason: 'in_container',
      marks: ['KUBERNETES_SERVICE_HOST is set'],
      ways_out: expect.arrayContaining([
        expect.objectContaining({ way: 'this_container_is_my_machine', commands: [`node ${PRODUCT} --here`] }),
      ]),
    },
  })
  expect(noHostWasTried()).toBe(true)
})
