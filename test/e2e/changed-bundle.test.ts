import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually, openCommand } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** A copy of the program that a command could write to (docs/attacks.md A17). */
let place: Place
let product: string
beforeEach(() => {
  place = new Place()
  const copy = join(place.root, 'installed', 'dist')
  cpSync(dirname(PRODUCT), copy, { recursive: true })
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(place.root, 'installed', 'node_modules'))
  product = join(copy, 'interactive-terminal.cjs')
})
afterEach(() => place.remove())

test('the program is plain ASCII, so that each pattern in it matches what was written, however a part is read', () => {
  const parts = readdirSync(dirname(PRODUCT)).filter(name => name.endsWith('.cjs'))
  expect(parts.length).toBeGreaterThan(10)
  expect(parts.filter(name => readFileSync(join(dirname(PRODUCT), name)).some(byte => byte > 0x7f))).toEqual([])
})

function doctor(): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [product, 'doctor', '--http-port', '0'], { env: place.env(), stdio: 'pipe' })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  return new Promise(done => child.once('close', code => done({ code, out })))
}

test('A17: a program that is as it was built says so', async () => {
  expect(await doctor()).toMatchObject({ out: expect.stringContaining('ok    this program is what was built') })
})

test.each([
  [
    'a part of it that was changed',
    'start-host.cjs was changed',
    (dist: string) => appendFileSync(join(dist, 'start-host.cjs'), '\n;'),
  ],
  [
    'a part of it that is gone',
    'where-command.cjs is missing',
    (dist: string) => rmSync(join(dist, 'where-command.cjs')),
  ],
  ['a list that is gone', 'manifest.json is missing', (dist: string) => rmSync(join(dist, 'manifest.json'))],
])('A17: %s is told by doctor, by the server and to every approver', { timeout: 60_000 }, async (_, words, change) => {
  setPassphrase(place)
  change(dirname(product))
  const checked = await doctor()
  expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(words)])
  const host = spawn(process.execPath, [product, 'host'], { env: place.env(), cwd: place.root, stdio: 'ignore' })
  await eventually('the host is up', () => place.read('home/state/host.json') !== '')
  const { port, approver_port: approverPort } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
  const live = new LiveHost(place, { port, approverPort } as unknown as Host)
  const person = await live.approver()
  expect(await person.heard.next('alarm')).toMatchObject({ message: expect.stringContaining(words) })
  const server = await openCommand({ command: process.execPath, args: [product, 'mcp'], env: place.env() }, place, {
    place,
  })
  await eventually('the server says so', () => server.log().includes(words))
  await server.close()
  await endOf(host)
})

test('A17: it is said where the host is started', { timeout: 60_000 }, async () => {
  appendFileSync(join(dirname(product), 'approve-command.cjs'), '\n;')
  const child = spawn(process.execPath, [product, '--http-port', '0'], {
    env: place.env(),
    cwd: place.root,
    stdio: 'pipe',
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  await eventually('it is said', () =>
    said.includes('WARNING: This program is not what was built (approve-command.cjs was changed'),
  )
  await endOf(child)
})
