import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTable } from '../../src/base/process/process-table.ts'
import type { CheckResult } from '../../src/cli/doctor/check.ts'
import { commandLine } from '../drivers/command-line.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { needs } from '../drivers/needs.ts'
import { Place, PRODUCT, REAL_PRODUCT } from '../drivers/place.ts'
import { SmallDisk } from '../drivers/small-disk.ts'

/** Set-ups as they are found on people's machines, each broken in one way: the first failure is that one, with what to do about it. */
interface Diagnosis {
  readonly ok: boolean
  readonly first_failure: CheckResult | null
  readonly checks: readonly CheckResult[]
}

async function diagnose(place: Place, env: Record<string, string> = {}, product = PRODUCT): Promise<Diagnosis> {
  const { code, out } = await commandLine(place, ['doctor', '--json', '--http-port', '0'], env, product)
  const said = JSON.parse(out) as Diagnosis
  expect([said.ok, code]).toEqual([code === 0, said.ok ? 0 : 1])
  for (const { ms, fix, outcome } of said.checks)
    expect([typeof ms, outcome === 'failed' && fix === null]).toEqual(['number', false])
  return said
}

/** A process that a file may name as a host: a place ends what it finds named there. */
function sleeper(): number {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 120_000)'], { stdio: 'ignore' })
  ends.push(() => child.kill('SIGKILL'))
  return child.pid ?? 0
}

/** Another program on a port of ours. */
async function squatter(): Promise<{ server: Server; port: number }> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return { server, port: (server.address() as AddressInfo).port }
}

type Broken = readonly [
  name: string,
  prepare: (place: Place) => Record<string, string> | Promise<Record<string, string>>,
  check: string,
  detail: RegExp,
  fix: RegExp,
]
const file = (path: string, text: string, mode?: number) => (place: Place) => {
  place.write(path, text, mode)
  return {}
}
const KEY = `${'ab'.repeat(32)}\n`
/** Each is asked once, and what it wants ends with the tests. */
const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends) end()
})

const BROKEN: readonly Broken[] = [
  [
    'a setting with a value it cannot have',
    () => ({ PM_TERM_LOG_LEVEL: 'loud' }),
    'settings are valid',
    /PM_TERM_LOG_LEVEL/,
    /settings\.json, the variable or the flag/,
  ],
  [
    'a settings file that was not saved whole',
    file('home/settings.json', '{'),
    'settings are valid',
    /settings\.json is not a JSON object/,
    /settings\.json/,
  ],
  [
    'a setting that nobody knows',
    file('home/settings.json', '{"PM_TERM_RETENTION_DAY": 3}'),
    'settings are valid',
    /PM_TERM_RETENTION_DAY/,
    /settings\.json/,
  ],
  [
    'a state directory that others may open',
    place => {
      chmodSync(place.state, 0o755)
      return {}
    },
    'state directory is yours alone',
    /is open to others/,
    /^chmod 700 .*state$/,
  ],
  [
    'a file where the state directory belongs',
    place => {
      rmSync(place.state, { recursive: true })
      return file('home/state', '')(place)
    },
    'state directory is yours alone',
    /state is not a directory/,
    /Move it away/,
  ],
  [
    'a key that others can read',
    file('home/state/local.key', KEY, 0o644),
    'key of your servers is yours alone',
    /local\.key is open to others/,
    /^chmod 600 .*local\.key; .* remove it/,
  ],
  [
    'a key that is none',
    file('home/state/local.key', 'secret\n'),
    'key of your servers is yours alone',
    /does not hold a key/,
    /^rm .*local\.key/,
  ],
  [
    'a token that others can read',
    file('home/state/http-token', 'x'.repeat(43), 0o640),
    'HTTP token is yours alone',
    /http-token is open to others/,
    /^chmod 600/,
  ],
  [
    'a passphrase record that is garbage',
    file('home/state/approver.v1.json', '{"v":9}'),
    'approver passphrase',
    /approver\.v1\.json/,
    /^Move .* away and set it anew/,
  ],
  [
    'a rule file that is no JSON',
    file('home/data/test/terminal-allowlist.json', '{'),
    'rules can be read',
    /terminal-allowlist\.json is not JSON/,
    /none of its rules counts/,
  ],
  [
    'rules that others can change',
    file('home/data/test/terminal-allowlist.json', '{}', 0o666),
    'rules can be read',
    /can be written by other users/,
    /none of its rules counts/,
  ],
  [
    'a workspace file that is no JSON',
    file('home/data/test/workspace.v1.json', 'no'),
    'rules can be read',
    /workspace\.v1\.json/,
    /none of its rules counts/,
  ],
  [
    'a journal that is garbage',
    file('home/state/journal.db', 'garbage '.repeat(1000)),
    'what you decided',
    /damaged|not a database/,
    /./,
  ],
  ['a host file that is garbage', file('home/state/host.json', 'no'), 'host', /host\.json is not JSON/, /Start it/],
  [
    'a port of the host that another program has',
    async () => {
      const { server, port } = await squatter()
      ends.push(() => server.close())
      return { PM_TERM_PORT: String(port) }
    },
    'host',
    new RegExp(`none can start: port \\d+, for servers, is taken by pid ${process.pid} \\(`),
    /End that program, or choose another port: PM_TERM_PORT in .*settings\.json/,
  ],
  [
    'the port of the window that another program has',
    async () => {
      const { server, port } = await squatter()
      ends.push(() => server.close())
      return { PM_TERM_APPROVER_PORT: String(port) }
    },
    'host',
    /for the window, is taken/,
    /PM_TERM_APPROVER_PORT/,
  ],
  [
    'a host file that names a port where somebody else is',
    async place => {
      const { server, port } = await squatter()
      ends.push(() => server.close())
      place.write('home/state/local.key', KEY)
      place.write('home/state/host.json', hostFileOf(sleeper(), port))
      return {}
    },
    'host',
    new RegExp(`pid ${process.pid} \\(.*\\) answers on 127\\.0\\.0\\.1:\\d+ instead of the host`),
    new RegExp(`End pid ${process.pid}, then start the host again`),
  ],
  [
    'a browser that is not there',
    file('home/settings.json', '{"PM_TERM_BROWSER":"/opt/no/browser"}'),
    'window',
    /PM_TERM_BROWSER names \/opt\/no\/browser/,
    /absolute path of a browser/,
  ],
]

const hostFileOf = (pid: number, port: number): string =>
  JSON.stringify({
    instance_id: 'ins_1',
    pid,
    start: processTable(process.platform).row(pid)?.start ?? null,
    boot: null,
    port,
    approver_port: 1,
    version: '0',
  })

describe.concurrent('doctor', () => {
  test.each(BROKEN)('tells %s apart, first, and says what to do', async (_, prepare, check, detail, fix) => {
    const place = new Place()
    try {
      const { first_failure } = await diagnose(place, await prepare(place))
      expect(first_failure).toEqual({
        name: check,
        outcome: 'failed',
        detail: expect.stringMatching(detail),
        fix: expect.stringMatching(fix),
        ms: expect.any(Number),
      })
    } finally {
      place.remove()
    }
  })
})

describe('doctor, where more than a file is broken', () => {
  let place: Place
  beforeAll(() => {
    place = new Place()
  })
  afterAll(() => place.remove())

  test('a full disk is told, with where to go', needs('root'), async () => {
    const disk = new SmallDisk(2)
    try {
      mkdirSync(join(disk.root, 'state'), { mode: 0o700 })
      place.write('home/.keep', '')
      rmSync(place.state, { recursive: true, force: true })
      symlinkSync(join(disk.root, 'state'), place.state)
      const { first_failure } = await diagnose(place)
      expect(first_failure).toMatchObject({
        name: 'state directory can be written',
        detail: expect.stringContaining('is full'),
        fix: expect.stringContaining('Make room'),
      })
    } finally {
      rmSync(place.state)
      disk.close()
    }
  })

  test('a program that was changed after it was built is told', async () => {
    const installed = join(place.root, 'installed')
    cpSync(dirname(PRODUCT), join(installed, 'dist'), { recursive: true })
    symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(installed, 'node_modules'))
    appendFileSync(join(installed, 'dist/web/index.html'), ' ')
    const { first_failure } = await diagnose(place, {}, join(installed, 'dist/interactive-terminal.cjs'))
    expect(first_failure).toMatchObject({
      name: 'this program is what was built',
      detail: expect.stringContaining('web/index.html was changed'),
      fix: expect.stringContaining('npm run build'),
    })
  })

  test.each([
    ['has no way out', {}, 'containers', /PM_INTERACTIVE_TERMINAL_KEY_FILE|Nobody can be asked/],
    [
      'has a way that leads nowhere',
      {
        PM_INTERACTIVE_TERMINAL_HOST_ALIAS: '127.0.0.1',
        PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS: '',
        PM_INTERACTIVE_TERMINAL_HOST_PORT: '1',
      },
      'containers',
      /127\.0\.0\.1/,
    ],
  ])('a container that %s is told', async (_, env, check, detail) => {
    const more =
      'PM_INTERACTIVE_TERMINAL_HOST_PORT' in env ? { PM_INTERACTIVE_TERMINAL_KEY_FILE: place.pair('box') } : {}
    const { first_failure } = await diagnose(place, { PM_RUNNING_IN_CONTAINER: 'true', ...env, ...more }, REAL_PRODUCT)
    expect(first_failure).toMatchObject({
      name: expect.stringMatching(`${check}|this is a container`),
      detail: expect.stringMatching(detail),
      fix: expect.stringContaining('docs/containers.md'),
    })
  })
})

describe('doctor beside a host', () => {
  let hosts: HostProcesses
  beforeAll(async () => {
    hosts = new HostProcesses({ PM_TERM_WINDOW: 'never' })
    await hosts.start()
  })
  afterAll(() => hosts.close())
  const outcomes = async () => (await diagnose(hosts.place)).checks

  test('goes the way of a request: host, hello, pty-host, window, rules, journal, bridge, container, each with its time', async () => {
    const checks = await outcomes()
    const way = [
      'host',
      'hello',
      'pty-host',
      'window',
      'rules can be read',
      'journal',
      'containers',
      'this is a container',
    ]
    expect(checks.map(({ name }) => name).filter(name => way.includes(name))).toEqual(way)
    const found = Object.fromEntries(checks.map(({ name, outcome, detail }) => [name, [outcome, detail]]))
    expect(found.host).toEqual(['ok', expect.stringContaining(`pid ${hosts.told()?.pid}, servers on 127.0.0.1:`)])
    expect(found.hello).toEqual(['ok', expect.stringMatching(/^version .*, we are "local" there$/)])
    expect(found['pty-host']?.[0]).toBe('ok')
  })

  test('a host that is held up lives but does not answer, and what needs it is not called broken', async () => {
    const pid = hosts.told()?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    try {
      const { first_failure, checks } = await diagnose(hosts.place)
      expect(first_failure).toMatchObject({
        name: 'host',
        detail: expect.stringMatching(/^it lives but does not answer: .*pid \d+/),
        fix: expect.stringContaining('stop --force'),
      })
      expect(checks.find(({ name }) => name === 'hello')).toMatchObject({
        outcome: 'skipped',
        detail: 'no host was reached',
      })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })

  test('a key that was replaced while the host ran is told as that', async () => {
    const before = hosts.place.read('home/state/local.key')
    hosts.place.write('home/state/local.key', KEY)
    const { first_failure } = await diagnose(hosts.place)
    hosts.place.write('home/state/local.key', before)
    expect(first_failure).toMatchObject({
      name: 'host',
      detail: expect.stringContaining('does not have the key of your servers'),
      fix: expect.stringMatching(/local\.key was replaced while the host ran/),
    })
  })

  test('a row of the journal that somebody changed is named', async () => {
    await hosts.end()
    const database = new DatabaseSync(join(hosts.place.state, 'journal.db'))
    for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all())
      database.exec(`DROP TRIGGER ${name}`)
    database.exec("UPDATE journal SET body = '{}' WHERE seq = 1")
    database.close()
    const { checks } = await diagnose(hosts.place)
    expect(checks.find(({ name }) => name === 'journal')).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('was changed at row 1'),
      fix: expect.stringContaining('verify'),
    })
  })

  test('what a host left that was killed is told, and stops nothing', async () => {
    rmSync(join(hosts.place.state, 'journal.db'), { force: true })
    writeFileSync(
      join(hosts.place.state, 'host.json'),
      hostFileOf(process.pid, 1).replace(/"start":"[^"]*"/, '"start":"1"'),
    )
    const { checks } = await diagnose(hosts.place)
    expect(checks.find(({ name }) => name === 'host')).toMatchObject({
      outcome: 'ok',
      detail: expect.stringContaining('was left by one that did not end in order'),
    })
  })
})
