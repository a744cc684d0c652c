import { expect, test } from 'vitest'
import { findScreen, type ScreenFacts, type SeenProcess } from './find-screen.ts'

const ME = 1000
let nextPid = 100
/** Leads its own session, as a desktop and a terminal's shell do. */
function program(env: Record<string, string>, more: Partial<SeenProcess> = {}): SeenProcess {
  const pid = more.pid ?? nextPid++
  return { pid, ppid: 1, session: pid, started: pid, program: 'bash', env, ours: null, ...more }
}
const X = (display: number) => `/tmp/.X11-unix/X${display}`

/** `served`: by path, who holds the socket. */
function machine(
  processes: readonly SeenProcess[],
  served: Readonly<Record<string, readonly number[]>>,
  more: Partial<ScreenFacts> = {},
): ScreenFacts {
  return {
    uid: ME,
    logins: [],
    managerEnv: {},
    processes,
    socket: path => (served[path] ? { owner: ME, holders: served[path] } : null),
    ownerOf: () => ME,
    ...more,
  }
}

test('the one desktop that is there is taken, and of its environment only what shows something', () => {
  const desktop = program({ DISPLAY: ':0', XAUTHORITY: '/a', XDG_SESSION_TYPE: 'x11', TOKEN: 'x', LD_PRELOAD: '/e.so' })
  expect(findScreen(machine([desktop], { [X(0)]: [] }))).toEqual({
    env: { DISPLAY: ':0', XAUTHORITY: '/a', XDG_SESSION_TYPE: 'x11' },
  })
})

test('of one desktop the oldest process speaks: what came later may have been told anything', () => {
  const late = program({ DISPLAY: ':0', XAUTHORITY: '/evil' }, { started: 900 })
  const early = program({ DISPLAY: ':0', XAUTHORITY: '/mine' }, { started: 5 })
  expect(findScreen(machine([late, early], { [X(0)]: [] }))).toEqual({ env: { DISPLAY: ':0', XAUTHORITY: '/mine' } })
})

test('two desktops: nothing is guessed, and both are named', () => {
  const one = program({ DISPLAY: ':0' }, { program: 'xfce4-session' })
  const two = program({ DISPLAY: ':1' }, { program: 'openbox' })
  const found = findScreen(machine([one, two], { [X(0)]: [], [X(1)]: [] }))
  expect(found).toMatchObject({
    problem: expect.stringMatching(/:0 \(xfce4-session, pid \d+\), :1 \(openbox, pid \d+\)/),
  })
})

test('what a run started does not count, nor what is below it, whatever it hides from its children', () => {
  const run = program({ DISPLAY: ':9', INTERACTIVE_TERMINAL_RUN: 'r' }, { ours: 'marked' })
  const hidden = program({ DISPLAY: ':9' }, { ppid: run.pid, program: 'openbox' })
  expect(findScreen(machine([run, hidden], { [X(9)]: [] }))).toMatchObject({ candidates: [] })
})

test('a screen that a run serves does not count, even when a process without a mark claims it', () => {
  const server = program({ INTERACTIVE_TERMINAL_RUN: 'r' }, { ours: 'marked', program: 'Xvfb' })
  const detached = program({ DISPLAY: ':9' }, { program: 'openbox' })
  const desktop = program({ DISPLAY: ':0' }, { started: 1 })
  const sockets = { [X(9)]: [server.pid], [X(0)]: [] }
  expect(findScreen(machine([server, detached], sockets))).toMatchObject({ candidates: [] })
  expect(findScreen(machine([server, detached, desktop], sockets))).toEqual({ env: { DISPLAY: ':0' } })
})

test('what an agent’s client started with tools of its own does not count; the client itself does', () => {
  const client = program({ DISPLAY: ':0' }, { program: 'node' })
  const mcp = program({}, { ppid: client.pid, ours: 'server' })
  const tool = program({ DISPLAY: ':9' }, { ppid: client.pid })
  expect(findScreen(machine([client, mcp, tool], { [X(0)]: [], [X(9)]: [] }))).toEqual({ env: { DISPLAY: ':0' } })
})

test('an MCP server that init adopted does not make everything its client’s', () => {
  const init = program({}, { pid: 1, ppid: 0, program: 'systemd' })
  const mcp = program({}, { ours: 'server' })
  const desktop = program({ DISPLAY: ':0' })
  expect(findScreen(machine([init, mcp, desktop], { [X(0)]: [] }))).toEqual({ env: { DISPLAY: ':0' } })
})

test('a host in another terminal of the desktop, and all that is below it, says nothing', () => {
  const shell = program({ DISPLAY: ':0' })
  const host = program({ DISPLAY: ':7' }, { ppid: shell.pid, ours: 'server' })
  const below = program({ DISPLAY: ':8' }, { ppid: host.pid, program: 'openbox' })
  const served = { [X(0)]: [], [X(7)]: [], [X(8)]: [] }
  expect(findScreen(machine([shell, host, below], served))).toEqual({ env: { DISPLAY: ':0' } })
})

test('a program that neither leads a session nor is a desktop says nothing: xvfb-run in a terminal', () => {
  const shell = program({ DISPLAY: ':0' })
  const tests = program({ DISPLAY: ':5' }, { ppid: shell.pid, session: shell.pid, program: 'node' })
  expect(findScreen(machine([shell, tests], { [X(0)]: [], [X(5)]: [] }))).toEqual({ env: { DISPLAY: ':0' } })
})

test('a screen whose socket is gone, somebody else’s or on another machine is none', () => {
  const forwarded = program({ DISPLAY: 'localhost:10.0' })
  expect(findScreen(machine([program({ DISPLAY: ':4' }), forwarded], {}))).toMatchObject({ candidates: [] })
  const socket = () => ({ owner: 1234, holders: [] })
  expect(findScreen(machine([program({ DISPLAY: ':4' })], {}, { socket }))).toMatchObject({ candidates: [] })
})

test('an authority file of somebody else is left out', () => {
  const desktop = program({ DISPLAY: ':0', XAUTHORITY: '/theirs' })
  expect(findScreen(machine([desktop], { [X(0)]: [] }, { ownerOf: () => 77 }))).toEqual({ env: { DISPLAY: ':0' } })
})

test('a Wayland desktop is found by its socket in the runtime directory, and is one with its X server', () => {
  const session = program({ WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/1000' })
  const later = program({ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })
  const served = { '/run/user/1000/wayland-0': [], [X(0)]: [] }
  expect(findScreen(machine([session, later], served))).toEqual({
    env: { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/1000' },
  })
})

test('the user manager is asked as well: a desktop that systemd started has no other leader', () => {
  const managerEnv = { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/1000', PATH: '/evil' }
  expect(findScreen(machine([], { '/run/user/1000/wayland-0': [] }, { managerEnv }))).toEqual({
    env: { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/1000' },
  })
  // Any program may tell it something: where it disagrees with the desktop that is there, nothing is guessed.
  const told = { managerEnv: { DISPLAY: ':9' } }
  const desktop = program({ DISPLAY: ':0' })
  expect(findScreen(machine([desktop], { [X(0)]: [], [X(9)]: [] }, told))).toHaveProperty('problem')
})

const login = { uid: ME, active: true, remote: false, type: 'x11', display: ':0' }

test('where logind names the display of the active seat, that is it, however many others there are', () => {
  const desktop = program({ DISPLAY: ':0', XAUTHORITY: '/mine' })
  const other = program({ DISPLAY: ':1' }, { started: 1 })
  const served = { [X(0)]: [], [X(1)]: [] }
  expect(findScreen(machine([other, desktop], served, { logins: [login] }))).toEqual({
    env: { DISPLAY: ':0', XAUTHORITY: '/mine' },
  })
  expect(findScreen(machine([other], served, { logins: [login] }))).toEqual({
    env: { DISPLAY: ':0', XDG_RUNTIME_DIR: '/run/user/1000' },
  })
})

test.each([
  ['of another user', { uid: 7 }],
  ['that is not in front', { active: false }],
  ['from another machine', { remote: true }],
  ['without a desktop', { type: 'tty' }],
])('a login %s decides nothing', (_what, other) => {
  const one = program({ DISPLAY: ':0' })
  const two = program({ DISPLAY: ':1' })
  const facts = machine([one, two], { [X(0)]: [], [X(1)]: [] }, { logins: [{ ...login, ...other }] })
  expect(findScreen(facts)).toHaveProperty('problem')
})
