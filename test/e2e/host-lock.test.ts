import { type ChildProcess, fork, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootId, isAlive, processTable } from '../../src/base/process/process-table.ts'
import { livingHost } from '../../src/cli/reach/host-lock.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { KnownProcess } from '../drivers/known-process.ts'

const root = resolve(import.meta.dirname, '../..')
/** Beside the product, where its packages are found. */
const TAKER = join(root, 'dist-test', 'lock-taker.cjs')

let hosts: HostProcesses
let innocent: ChildProcess | null = null

beforeAll(async () => {
  const contents = `import { takeHostLock } from './src/cli/reach/host-lock.ts'
    process.on('message', async file => process.send({ pid: process.pid, held: (await takeHostLock(file)) !== null }))`
  const external = ['@photostructure/sqlite']
  const stdin = { contents, resolveDir: root, loader: 'ts' } as const
  await build({ stdin, bundle: true, platform: 'node', format: 'cjs', external, outfile: TAKER, logLevel: 'error' })
})
afterAll(() => rmSync(TAKER, { force: true }))
beforeEach(() => {
  hosts = new HostProcesses({ PM_TERM_WINDOW: 'never' })
})
afterEach(async () => {
  innocent?.kill('SIGKILL')
  innocent = null
  await hosts.close()
})

const take = (taker: ChildProcess, file: string): Promise<boolean> =>
  new Promise((taken, failed) => {
    taker.once('message', (said: { held: boolean }) => taken(said.held))
    taker.once('exit', () => failed(new Error('a taker ended')))
    taker.send(file)
  })

test('of six that start at one moment on what a killed one left exactly one gets the place, twenty times', {
  timeout: 120_000,
}, async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'it-lock-')), 'host.json')
  let takers = Array.from({ length: 6 }, () => fork(TAKER))
  try {
    for (let round = 0; round < 20; round++) {
      const held = await Promise.all(takers.map(taker => take(taker, file)))
      expect(held.filter(Boolean)).toHaveLength(1)
      // It dies without a word, and what it held is there for the next.
      const holder = takers[held.indexOf(true)]
      if (!holder) throw new Error('nobody')
      const gone = new Promise(over => holder.once('exit', over))
      holder.kill('SIGKILL')
      await gone
      takers = takers.map(taker => (taker === holder ? fork(TAKER) : taker))
    }
    expect(statSync(file.replace('.json', '.lock')).mode & 0o777).toBe(0o600)
  } finally {
    for (const taker of takers) taker.kill('SIGKILL')
  }
})

test('who comes second takes nothing away from the host that runs', { timeout: 60_000 }, async () => {
  const first = await hosts.start()
  const { said, code } = await hosts.cli(['host', '--port', String(hosts.told()?.port)])
  expect([code, said]).toEqual([2, expect.stringContaining(`The host already runs: pid ${first.pid}`)])
  expect(hosts.told()?.pid).toBe(first.pid)
  expect((await hosts.cli(['host'])).code).toBe(2)
})

test('a file from before the machine was started again names nobody', () => {
  const table = processTable(process.platform)
  const me = { pid: process.pid, start: table.row(process.pid)?.start ?? null, boot: bootId(process.platform) }
  expect(isAlive(table, me)).toBe(true)
  expect(isAlive(table, me, 'another boot')).toBe(me.boot === null)
  const file = join(mkdtempSync(join(tmpdir(), 'it-lock-')), 'host.json')
  const host = { ...me, instance_id: 'host_1', port: 1, approver_port: 2, version: '0' }
  writeFileSync(file, JSON.stringify(host))
  expect(livingHost(file, table)?.pid).toBe(process.pid)
  writeFileSync(file, JSON.stringify({ ...host, boot: 'another boot' }))
  expect(livingHost(file, table)).toBe(process.platform === 'linux' ? null : expect.anything())
})

test('a process that pty-host.json names, but that never proved the key, is not ended', {
  timeout: 60_000,
}, async () => {
  innocent = spawn('sleep', ['300'], { stdio: 'ignore' })
  const known = new KnownProcess(innocent.pid ?? 0)
  const start = processTable(process.platform).row(known.pid)?.start
  const file = { instance_id: 'pth_1', pid: known.pid, start, boot: bootId(process.platform), port: 1, version: '0' }
  hosts.place.write('home/state/pty-host.json', JSON.stringify(file))
  await hosts.start()
  const { client } = await hosts.meet()
  const id = hosts.line(client, 'printf works')
  expect(await client.response(id, 30_000)).toMatchObject({ exit_code: 0, output: 'works' })
  expect(known.lives).toBe(true)
})

test('what a pty-host says of itself is sealed with its key', { timeout: 60_000 }, async () => {
  await hosts.start()
  const { client } = await hosts.meet()
  await client.response(hosts.line(client, 'true'), 30_000)
  const file = join(hosts.place.home, 'state', 'pty-host.json')
  expect(existsSync(file)).toBe(true)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    boot: bootId(process.platform),
    seal: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})
