import { beforeEach, expect, test } from 'vitest'
import { randomIds } from '../../base/ids.ts'
import type { PtyEnd, PtyProcess } from '../../base/process/pty.ts'
import type { RunRequest } from '../../runs/run/run-request.ts'
import type { ShellSession } from './shell-session.ts'
import type { TerminalKey } from './terminal.ts'
import { Terminals } from './terminals.ts'

const KEY: TerminalKey = { requester: 'local', workspaceId: null, home: '/home/ada/app', profile: 'bash' }
const never = () => new AbortController().signal
let terminals: Terminals

beforeEach(() => {
  terminals = new Terminals(randomIds())
})

/** A process that ends when it is told to. */
function processThat() {
  const seen: string[] = []
  let end = (_: PtyEnd): void => {}
  const child = {
    ended: new Promise<PtyEnd>(resolve => {
      end = resolve
    }),
    resize: (cols: number, rows: number) => seen.push(`${cols}x${rows}`),
    write: (bytes: Buffer) => seen.push(bytes.toString()),
  } as unknown as PtyProcess
  return { child, seen, end: () => end('lost') }
}

test('the first terminal of a place of work is its default, and is taken before any other free one', async () => {
  const first = terminals.create(KEY)
  const second = terminals.create(KEY)
  expect([first.isDefault, second.isDefault]).toEqual([true, false])
  expect(terminals.free(KEY)).toBe(first)
  const turn = await first.take('a', never())
  expect(terminals.free(KEY)).toBe(second)
  turn?.dispose()
  expect(terminals.free(KEY)).toBe(first)
  expect(terminals.free({ ...KEY, home: '/elsewhere' })).toBeNull()
})

test("the person's own shell is never the terminal of an agent's command", () => {
  const shell = terminals.createShell(KEY)
  expect(shell.isDefault).toBe(false)
  expect(terminals.free(KEY)).toBeNull()
  expect(terminals.create(KEY).isDefault).toBe(true)
})

test("another requester's terminal is as unknown as one that is not there", () => {
  const { id } = terminals.create(KEY)
  expect(terminals.find('local', id).id).toBe(id)
  expect(() => terminals.find('container', id)).toThrow(`There is no terminal ${id}.`)
  expect(() => terminals.targetOf('local', { session_id: 'none' })).toThrow('There is no run none')
  expect(terminals.targetOf('local', {})).toBeNull()
})

test('runs take turns in the order they came, and one that gives up is passed over', async () => {
  const terminal = terminals.create(KEY)
  const gone = new AbortController()
  const first = await terminal.take('a', never())
  const second = terminal.take('b', gone.signal)
  const third = terminal.take('c', never())
  expect(terminal).toMatchObject({ busyWith: 'a', waiting: ['b', 'c'], latestRun: 'a' })
  gone.abort()
  expect(await second).toBeNull()
  first?.dispose()
  expect(await third).not.toBeNull()
  expect(terminal).toMatchObject({ busyWith: 'c', waiting: [], runs: ['a', 'b', 'c'] })
})

test('whoever has given up before its turn was asked for never gets it', async () => {
  const terminal = terminals.create(KEY)
  await terminal.take('a', never())
  expect(await terminal.take('b', AbortSignal.abort())).toBeNull()
  expect(terminal.waiting).toEqual([])
})

test('a terminal that is closed is gone at once, and what waits in it never begins', async () => {
  const terminal = terminals.create(KEY)
  await terminal.take('a', never())
  const waiting = [terminal.take('b', never()), terminal.take('c', never())]
  terminals.close(terminal)
  expect(await Promise.all(waiting)).toEqual([null, null])
  expect(terminals.all).toEqual([])
})

test('64 may wait for a terminal, and not one more', async () => {
  const terminal = terminals.create(KEY)
  await terminal.take('a', never())
  for (let i = 0; i < 63; i++) void terminal.take(`w${i}`, never())
  expect(() => terminal.needRoom()).not.toThrow()
  void terminal.take('last', never())
  expect(() => terminal.needRoom()).toThrow('64 commands wait for this terminal. Nothing ran.')
})

test('with 256 terminals the oldest idle one makes room, never one in which something happens', async () => {
  const [busy, shell, idle] = [terminals.create(KEY), terminals.createShell(KEY), terminals.create(KEY)]
  await busy.take('a', never())
  shell.beginShell('s')
  for (let i = 3; i < 256; i++) await terminals.create(KEY).take(`r${i}`, never())
  terminals.create(KEY)
  expect(terminals.all).toContain(busy)
  expect(terminals.all).toContain(shell)
  expect(terminals.all).not.toContain(idle)
})

test('a terminal keeps what its runs changed until it begins anew', () => {
  const terminal = terminals.create(KEY)
  terminal.carry({ cwd: '/home/ada/app/sub', env: { A: '1', B: null } })
  terminal.carry({ cwd: null, env: { A: '2' } })
  expect(terminal).toMatchObject({ cwd: '/home/ada/app/sub', directory: '/home/ada/app/sub', env: { A: '2', B: null } })
  terminal.reset()
  expect(terminal).toMatchObject({ cwd: '/home/ada/app', env: {} })
})

test('keys and sizes go to what runs now, and to nothing once it has ended', async () => {
  const terminal = terminals.create(KEY)
  const { child, seen, end } = processThat()
  terminal.shows(child)
  terminal.write(Buffer.from('x'))
  expect(terminal.resize(80, 24)).toBe(true)
  expect(terminal.resize(80, 24)).toBe(false)
  expect(seen).toEqual(['x', '80x24'])
  end()
  await child.ended
  expect(terminal.live).toBeNull()
})

test('while a shell begins anew its terminal says so, also when that fails', async () => {
  const terminal = terminals.createShell(KEY)
  const failing = terminal.restart(() => {
    expect(terminal.restarting).toBe(true)
    return Promise.reject(new Error('no'))
  })
  await expect(failing).rejects.toThrow('no')
  expect(terminal.restarting).toBe(false)
})

test('a shell comes before the line that is typed into it, and is where its process is', async () => {
  const terminal = terminals.createShell(KEY)
  const { child, seen, end } = processThat()
  const typed: string[] = []
  const shell = { process: child, directory: '/now', write: (bytes: Buffer) => typed.push(bytes.toString()) }
  terminal.beginShell('shell')
  terminal.shows(child)
  terminal.speaksThrough(shell as unknown as ShellSession)
  await terminal.take('line', never())
  expect(terminal).toMatchObject({
    activeRuns: ['shell', 'line'],
    latestRun: 'shell',
    directory: '/now',
    isFree: false,
  })
  terminal.write(Buffer.from('y'))
  expect([typed, seen]).toEqual([['y'], []])

  end()
  await child.ended
  terminal.shellIsOver()
  expect(terminal).toMatchObject({ shell: null, activeRuns: ['line'], directory: '/home/ada/app' })
})

test('a directory that becomes a workspace takes its terminals along', () => {
  const [inside, outside] = [
    terminals.create({ ...KEY, home: '/home/ada/app/a' }),
    terminals.create({ ...KEY, home: '/other' }),
  ]
  terminals.adopt({ id: 'ws', directory: '/home/ada/app' })
  expect([inside.workspaceId, outside.workspaceId]).toEqual(['ws', null])
})

test('the terminal of a run that outlived its host comes back under its id, once', () => {
  const terminal = { profile: 'zsh', home: '/home/ada/app', kind: 'shell' }
  const request = {
    requester: 'person',
    workspaceId: null,
    cwd: '/home/ada/app/sub',
    interactive: { terminalId: 't1', terminal },
  }
  const restored = terminals.restore(request as unknown as RunRequest)
  expect(restored).toMatchObject({
    id: 't1',
    kind: 'shell',
    profile: 'zsh',
    home: '/home/ada/app',
    cwd: '/home/ada/app/sub',
  })
  expect(terminals.restore(request as unknown as RunRequest)).toBe(restored)
})

test('a tab that was put away is not listed, and comes back as it was: by its id, by a run of it, and as the default of its place', async () => {
  const terminal = terminals.create(KEY)
  ;(await terminal.take('a', never()))?.dispose()
  terminal.carry({ cwd: '/home/ada/app/sub', env: { CI: '1' } })
  for (const target of [{ terminal_id: terminal.id }, { session_id: 'a' }, null]) {
    terminals.putAway(terminal, 7)
    expect([terminals.all, terminals.of('local'), terminals.away]).toEqual([[], [], [{ terminal, at: 7 }]])
    expect(target ? terminals.targetOf('local', target) : terminals.free(KEY)).toBe(terminal)
    expect([terminals.all, terminals.away]).toEqual([[terminal], []])
  }
  expect(terminal).toMatchObject({ cwd: '/home/ada/app/sub', env: { CI: '1' }, isDefault: true })
})

test('what is put away is still one requester’s, is closed for good by its person, and is never one in which something runs', async () => {
  const terminal = terminals.create(KEY)
  const turn = await terminal.take('a', never())
  terminals.putAway(terminal, 0)
  expect(terminals.away).toEqual([])
  turn?.dispose()
  terminals.putAway(terminal, 0)
  expect(() => terminals.targetOf('container', { terminal_id: terminal.id })).toThrow('There is no terminal')
  terminals.close(terminal)
  expect([terminals.away, terminals.bringBack(terminal.id)]).toEqual([[], null])
})

test('terminals are called after who runs there last and where, each with a number of its own, until a person names one', () => {
  const first = terminals.create(KEY)
  const second = terminals.create({ ...KEY, home: '/other/app' })
  terminals.use(first, 'Claude Code', '/home/ada/app')
  terminals.use(second, 'codex', '/other/app')
  expect([first.name, second.name]).toEqual(['Claude Code · app', 'codex · app 2'])
  terminals.use(first, 'Cursor', '/home/ada/api')
  terminals.use(second, 'codex', '/other/app')
  expect([first.name, second.name]).toEqual(['Cursor · api', 'codex · app 2'])
  first.rename('mine')
  terminals.use(first, 'Claude Code', '/home/ada/app')
  expect(first.name).toBe('mine')
})
