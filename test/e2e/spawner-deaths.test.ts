import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeManifest } from '../../scripts/manifest.mjs'
import { forkedChildren } from '../../src/base/process/forked-children.ts'
import { processTable } from '../../src/base/process/process-table.ts'
import { textIn } from '../../src/base/process/quiet-reads.ts'
import { type SpawnerKeeper, spawnedChildren } from '../../src/base/process/spawner-keeper.ts'
import { spawnerName, spawnerProgram } from '../../src/base/process/spawner-program.ts'
import { endedRun, HostProcesses, readAll } from '../drivers/host-process.ts'
import { KnownProcess } from '../drivers/known-process.ts'
import { eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs, SPAWNER } from '../drivers/needs.ts'
import { Place } from '../drivers/place.ts'
import { Heard, keeper, sh } from '../drivers/starters.ts'
import { Talk } from '../fakes/spawner-talk.ts'

/** Server, spawner and commands, each of which may be killed outright. */
const table = processTable(process.platform)
const spawnersOf = (pid: number) => table.rows().filter(row => row.ppid === pid && isSpawner(row.pid))
const isSpawner = (pid: number) => /^\d+ \(spawner-\w+\)/.test(statOf(pid))
/** Not a pid of nobody: that would be our own group. */
const killSpawner = (pid: number | undefined) => {
  if (pid === undefined || pid <= 1) throw new Error('there is no spawner to kill')
  process.kill(pid, 'SIGKILL')
}
const statOf = (pid: number) => textIn(`/proc/${pid}/stat`)

describe('the spawner of a server', needs('the spawner'), () => {
  let place: Place
  let server: Opened
  beforeEach(async () => {
    place = new Place()
    place.shell('true')
    server = await openStdio({ place, env: { PM_TERM_KILL_GRACE_MS: '200', PM_TERM_SPAWNER: 'auto' } })
  })
  afterEach(async () => {
    await server.close()
    place.remove()
  })

  const run = async (line: string, request_id: string, timeout_ms = 20_000) =>
    (await server.headless({ action: 'run', ...place.shell(line), request_id, timeout_ms })).data
  const resultOf = async (session_id: string, more: Readonly<Record<string, unknown>> = {}) =>
    (await server.headless({ action: 'read_output', session_id, ...more })).data.result
  const pidIn = async (file: string) => {
    await eventually(`${file} is written`, () => place.read(`work/${file}`).endsWith('\n'))
    return new KnownProcess(Number(place.read(`work/${file}`)))
  }

  test('is not there before something is to be started, and is one for all', async () => {
    expect(spawnersOf(server.pid)).toEqual([])
    await Promise.all(Array.from({ length: 8 }, (_, i) => run('true', `run-${i}`)))
    expect(spawnersOf(server.pid).length).toBe(1)
  })

  test('ends with a server that was killed, and so does every command, its background and a deaf one included', async () => {
    const job = 'set -m; sleep 600 > /dev/null 2>&1 & echo $! > job'
    await run(`${job}; trap "" TERM HUP INT; echo $$ > deaf; while :; do sleep 0.05; done`, 'deaf', 1)
    await run('sleep 600 > /dev/null 2>&1 & echo $! > left', 'left')
    const all = [await pidIn('deaf'), await pidIn('left'), await pidIn('job')]
    const [spawner] = spawnersOf(server.pid)
    expect(all.map(({ lives }) => lives)).toEqual([true, true, true])
    process.kill(server.pid, 'SIGKILL')
    await eventually('all are gone', () => all.every(({ lives }) => !lives) && table.row(spawner?.pid ?? 0) === null)
  })

  test('when it is killed, what ran is lost with its output kept, its tree ends, and the next command runs', async () => {
    const line = 'echo begun; echo $$ > first; setsid sh -c "echo \\$\\$ > away; exec sleep 600" & sleep 600'
    await run(line, 'lost', 1)
    const tree = [await pidIn('first'), await pidIn('away')]
    await resultOf('lost', { wait_for: 'text', text: 'begun', wait_ms: 10_000 })
    const [spawner] = spawnersOf(server.pid)
    killSpawner(spawner?.pid)
    const lost = await resultOf('lost', { wait_for: 'exit', wait_ms: 20_000 })
    expect(lost).toMatchObject({ state: 'lost', running: false, stdout: 'begun\n' })
    expect([lost.exit_code ?? null, lost.signal ?? null]).toEqual([null, null])
    expect(tree.map(({ lives }) => lives)).toEqual([false, false])
    expect((await run('echo on', 'next')).result).toMatchObject({ state: 'exited', exit_code: 0, stdout: 'on\n' })
    expect(spawnersOf(server.pid).length).toBe(1)
  })

  test('is given up after three deaths in a minute, and commands run all the same', async () => {
    for (let death = 1; death <= 3; death++) {
      await run('true', `before-${death}`)
      const [spawner] = spawnersOf(server.pid)
      killSpawner(spawner?.pid)
      await eventually('it is gone', () => spawnersOf(server.pid).length === 0)
      // What is sent before the server has noticed would be lost with it.
      await eventually('the server knows', () => server.log().split('the spawner died').length > death)
    }
    expect((await run('echo without', 'after')).result).toMatchObject({ exit_code: 0, stdout: 'without\n' })
    expect(spawnersOf(server.pid)).toEqual([])
    expect(server.log()).toContain('the spawner died')
  })

  test('off: there is none, and commands run', async () => {
    const without = await openStdio({ place, env: { PM_TERM_SPAWNER: 'off' } })
    try {
      const { data } = await without.headless({ action: 'run', ...place.shell('echo plain'), request_id: 'plain' })
      expect(data.result).toMatchObject({ exit_code: 0, stdout: 'plain\n' })
      expect(spawnersOf(without.pid)).toEqual([])
    } finally {
      await without.close()
    }
  })
})

describe('the spawner of a pty-host', { ...needs('the spawner'), timeout: 90_000 }, () => {
  let hosts: HostProcesses
  beforeEach(async () => {
    hosts = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_WINDOW: 'never', PM_TERM_SPAWNER: 'auto' })
    await hosts.start()
  })
  afterEach(() => hosts.close())

  const spawner = () => spawnersOf(hosts.told('pty-host')?.pid ?? 0)[0]?.pid ?? 0
  const pidIn = async (file: string) => {
    await eventually(`${file} is written`, () => hosts.place.read(`work/${file}`).endsWith('\n'))
    return new KnownProcess(Number(hosts.place.read(`work/${file}`)))
  }

  test('when it is killed, what ran is lost with its output kept, and the next command runs', async () => {
    const { client } = await hosts.meet()
    const id = hosts.line(client, 'echo begun; echo $$ > first; sleep 600')
    const first = await pidIn('first')
    await eventually('it is read', async () => (await readAll(client, id)).text !== '')
    killSpawner(spawner())
    expect(await endedRun(client, id)).toMatchObject({ state: 'lost', exit_code: null })
    expect([(await readAll(client, id)).text, first.lives]).toEqual(['begun\r\n', false])
    const next = hosts.line(client, 'echo on')
    expect(await endedRun(client, next)).toMatchObject({ state: 'exited', exit_code: 0 })
    expect((await readAll(client, next)).text).toBe('on\r\n')
  })

  test('ends with a pty-host that was killed, and so do its commands, deaf ones and jobs included', async () => {
    const { client } = await hosts.meet()
    const job = 'set -m; sleep 600 & echo $! > job'
    const id = hosts.line(client, `${job}; trap "" TERM HUP INT; echo $$ > deaf; while :; do sleep 0.05; done`)
    const all = [await pidIn('job'), await pidIn('deaf')]
    const it = new KnownProcess(spawner())
    await hosts.kill('pty-host')
    await eventually('all are gone', () => [...all, it].every(({ lives }) => !lives))
    expect(await endedRun(client, id)).toMatchObject({ state: 'lost' })
  })
})

describe('without a spawner that can be used', () => {
  let dir: string
  let kept: SpawnerKeeper | null = null
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'it-spawner-'))
  })
  afterEach(() => {
    kept?.dispose()
    rmSync(dir, { recursive: true, force: true })
  })

  const runs = async (program: string) => {
    kept = keeper(() => {}, program)
    const heard = new Heard()
    await spawnedChildren(kept, forkedChildren).start(sh('echo still'), heard)
    await heard.over
    return [heard.text(), heard.events.filter(event => event.startsWith('exited'))]
  }

  test.each([
    ['is not there', null],
    ['is for another machine', 'no program at all\n\0\0'],
    ['ends at once', '#!/bin/sh\nexit 1\n'],
    ['says something else', '#!/bin/sh\necho hello, I am no spawner\nexec sleep 30\n'],
    ['is of another version', '#!/bin/sh\nprintf "\\4\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0\\7\\0\\0\\0"\nexec sleep 30\n'],
  ])('one that %s: commands run', async (_, text) => {
    const program = join(dir, 'spawner')
    if (text !== null) writeFileSync(program, text, { mode: 0o755 })
    expect(await runs(program)).toEqual(['still\n', ['exited 0']])
  })

  test('only one that is what was built is used', needs('the spawner'), () => {
    expect(spawnerProgram(dir)).toEqual({ why: 'it is not there', changed: false })
    writeManifest(dir)
    expect(spawnerProgram(dir)).toEqual({ why: 'it was not built here', changed: false })
    copyFileSync(SPAWNER, join(dir, spawnerName(process.arch)))
    writeManifest(dir)
    expect(spawnerProgram(dir)).toEqual({ program: join(dir, spawnerName(process.arch)) })
    chmodSync(join(dir, spawnerName(process.arch)), 0o755)
    writeFileSync(join(dir, spawnerName(process.arch)), 'another')
    expect(spawnerProgram(dir)).toEqual({
      why: `${join(dir, spawnerName(process.arch))} is not what was built`,
      changed: true,
    })
    expect(spawnerProgram(dir, 'riscv64')).toEqual({ why: 'it was not built here', changed: false })
    rmSync(join(dir, spawnerName(process.arch)))
    expect(spawnerProgram(dir)).toEqual({ why: 'it is not there', changed: false })
  })
})

test('a start that was under way when the spawner was killed is lost, not failed', needs('the spawner'), async () => {
  const kept = keeper()
  const spawner = await kept.get()
  if (!spawner) throw new Error('there is none')
  process.kill(spawner.pid ?? 0, 'SIGSTOP')
  const start = spawner.start({ ...sh('true'), terminal: null }, new Heard())
  process.kill(spawner.pid ?? 0, 'SIGKILL')
  await expect(start).rejects.toMatchObject({ name: 'PtyStartLost' })
  kept.dispose()
})

test('without a file left to open nothing is started and nothing leaks', needs('the spawner'), async () => {
  const few = spawn('bash', ['-c', 'ulimit -n 12; exec "$0"', SPAWNER], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const talk = new Talk(few)
    await talk.next('ready')
    // Each holds two: the first ones fit, the others do not, and when they are gone there is room again.
    for (let id = 1; id <= 8; id++) talk.start(id, 'read -t 600 < <(:); sleep 600')
    await eventually('each is answered', () => talk.heard.filter(each => /^(started|failed)/.test(each)).length === 8)
    const started = talk.heard.filter(each => each.startsWith('started'))
    const failed = talk.heard.filter(each => each.startsWith('failed'))
    expect([started.length > 0, failed.length > 0]).toEqual([true, true])
    expect(new Set(failed.map(each => each.split(' ').slice(2).join(' ')))).toEqual(new Set(['prepare EMFILE']))
    for (const pid of talk.pids.values()) process.kill(-pid, 'SIGKILL')
    await eventually(
      'they are gone',
      () => talk.heard.filter(each => each.startsWith('closed')).length === started.length,
    )
    talk.start(100, 'exit 5')
    await eventually('there is room again', () => talk.heard.includes('exited 100 5'))
  } finally {
    few.kill('SIGKILL')
  }
})
