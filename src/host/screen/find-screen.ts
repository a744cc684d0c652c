import { join } from 'node:path'

type Vars = Readonly<Record<string, string | undefined>>

/** A process as far as it says where the person's desktop is. */
export interface SeenProcess {
  readonly pid: number
  readonly ppid: number
  readonly session: number
  /** Later processes have larger numbers. */
  readonly started: number
  /** File name of the program. */
  readonly program: string
  /** null: another user's, or not ours to look at. */
  readonly env: Vars | null
  /** server: our executable in any of its roles · marked: a command, a window or anything else that we started · null: none of ours. */
  readonly ours: 'server' | 'marked' | null
}

/** A login session as logind wrote it down. Its files belong to root. */
export interface Login {
  readonly uid: number
  readonly active: boolean
  readonly remote: boolean
  readonly type: string
  readonly display: string | null
}

export interface ScreenFacts {
  readonly uid: number
  readonly logins: readonly Login[]
  /** What the user's systemd gives to what it starts. */
  readonly managerEnv: Vars
  readonly processes: readonly SeenProcess[]
  /** null: no socket is there. `holders`: who has it open, as far as we may look. */
  socket(path: string): { readonly owner: number; readonly holders: readonly number[] } | null
  /** null: there is no such file. */
  ownerOf(path: string): number | null
}

export type FoundScreen =
  | { readonly env: Readonly<Record<string, string>> }
  | { readonly problem: string; readonly candidates: readonly string[] }

interface Desktop {
  readonly env: Readonly<Record<string, string>>
  readonly sockets: readonly string[]
  readonly name: string
}

const OF_A_SCREEN = /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS)$/
const LOCAL_DISPLAY = /^:(\d+)(\.\d+)?$/
const GRAPHICAL = new Set(['x11', 'wayland', 'mir'])
/** What every desktop has one of, whether or not it leads a session. */
const DESKTOP_PROGRAM =
  /^(gnome-shell|gnome-session(-binary)?|plasmashell|ksmserver|kwin_(x11|wayland)|startplasma-.*|xfce4-session|xfwm4|mate-session|marco|cinnamon(-session)?|lxqt-session|lxsession|openbox|fluxbox|icewm(-session)?|i3|sway|Hyprland|river|labwc|wayfire|weston|niri|bspwm|dwm|awesome|herbstluftwm|enlightenment|budgie-wm|gala)$/

/**
 * The screen of the person, for a host that was started without one. In this order: what logind says about their active local
 * seat; else the one desktop that their processes and their user manager agree on. Whatever we, a run or an agent's client
 * started never counts, nor does a screen that such a process serves. Two desktops: nothing is guessed.
 */
export function findScreen(facts: ScreenFacts): FoundScreen {
  const ours = ownTrees(facts.processes)
  const usable = (env: Vars) => usableScreen(facts, ours, env)

  const desktops: Desktop[] = []
  for (const { env, name } of sources(facts, ours)) {
    const screen = usable(env)
    // The oldest process of a desktop speaks for it: what came later may have been given anything.
    if (screen && !desktops.some(known => known.sockets.some(socket => screen.sockets.includes(socket))))
      desktops.push({ ...screen, name: `${placeOf(screen.env)} (${name})` })
  }

  const seat = seatDisplay(facts, usable)
  if (seat !== null)
    return { env: desktops.find(({ sockets }) => sockets.includes(xSocket(seat) ?? ''))?.env ?? seatEnv(facts, seat) }
  const [first, second] = desktops
  if (first === undefined) return { problem: 'no desktop session of yours was found', candidates: [] }
  if (second === undefined) return { env: first.env }
  const candidates = desktops.map(({ name }) => name)
  return {
    problem: `more than one desktop session of yours was found, and none is guessed: ${candidates.join(', ')}`,
    candidates,
  }
}

/** Where a desktop may be named, oldest first; the user manager last, because any program may tell it something. */
function* sources(facts: ScreenFacts, ours: ReadonlySet<number>): Generator<{ env: Vars; name: string }> {
  const leaders = facts.processes.filter(
    ({ pid, session, program, env }) =>
      env !== null && !ours.has(pid) && (session === pid || DESKTOP_PROGRAM.test(program)),
  )
  leaders.sort((a, b) => a.started - b.started)
  for (const { env, program, pid } of leaders) if (env) yield { env, name: `${program}, pid ${pid}` }
  yield { env: facts.managerEnv, name: 'user manager' }
}

/** Everything below our servers, hosts and runs, and below whoever started an MCP server: an agent's own tools run there. */
function ownTrees(processes: readonly SeenProcess[]): ReadonlySet<number> {
  const byPid = new Map(processes.map(each => [each.pid, each]))
  const clients = new Set(
    processes
      .filter(({ ours, ppid }) => ours === 'server' && !isInit(byPid.get(ppid)))
      .map(({ ppid }) => ppid)
      .filter(pid => byPid.get(pid)?.ours === null),
  )
  const isOurs = (each: SeenProcess): boolean => {
    let at: SeenProcess | undefined = each
    for (let depth = 0; at && depth < 256; depth++) {
      if (at.ours !== null) return true
      if (at !== each && clients.has(at.pid)) return true
      at = byPid.get(at.ppid)
    }
    return false
  }
  return new Set(processes.filter(isOurs).map(({ pid }) => pid))
}

/** Who adopts what nobody waits for: everything is below them. */
const isInit = (process: SeenProcess | undefined): boolean =>
  process === undefined || process.pid === 1 || process.program === 'systemd'

function usableScreen(facts: ScreenFacts, ours: ReadonlySet<number>, env: Vars): Omit<Desktop, 'name'> | null {
  const isServed = (path: string | null): path is string => {
    const socket = path === null ? null : facts.socket(path)
    return socket !== null && isPersons(facts, socket.owner) && !socket.holders.some(pid => ours.has(pid))
  }
  const x = xSocket(env.DISPLAY ?? '')
  const wayland = waylandSocket(facts, env)
  const sockets = [x, wayland].filter(isServed)
  if (sockets.length === 0) return null

  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value && OF_A_SCREEN.test(name)) picked[name] = value
  if (!isServed(x)) delete picked.DISPLAY
  if (!isServed(wayland)) delete picked.WAYLAND_DISPLAY
  const authority = picked.XAUTHORITY
  if (authority !== undefined && !isPersons(facts, facts.ownerOf(authority))) delete picked.XAUTHORITY
  return { env: picked, sockets }
}

/** The display of the one graphical session that is active at a seat of this machine, where logind names it. */
function seatDisplay(facts: ScreenFacts, usable: (env: Vars) => unknown): string | null {
  const displays = facts.logins
    .filter(({ uid, active, remote, type }) => uid === facts.uid && active && !remote && GRAPHICAL.has(type))
    .flatMap(({ display }) => (display !== null && usable({ DISPLAY: display }) ? [display] : []))
  const [only] = displays
  return only !== undefined && new Set(displays).size === 1 ? only : null
}

const seatEnv = ({ uid }: ScreenFacts, display: string): Record<string, string> => ({
  DISPLAY: display,
  XDG_RUNTIME_DIR: `/run/user/${uid}`,
})

const isPersons = ({ uid }: ScreenFacts, owner: number | null): boolean => owner === uid || owner === 0

/** Displays of other machines, as ssh forwards them, are nobody's desktop here. */
function xSocket(display: string): string | null {
  const number = LOCAL_DISPLAY.exec(display)?.[1]
  return number === undefined ? null : `/tmp/.X11-unix/X${number}`
}

function waylandSocket({ uid }: ScreenFacts, env: Vars): string | null {
  const { WAYLAND_DISPLAY: name = '', XDG_RUNTIME_DIR: directory = `/run/user/${uid}` } = env
  if (name === '') return null
  return name.startsWith('/') ? name : join(directory, name)
}

const placeOf = ({ DISPLAY, WAYLAND_DISPLAY }: Vars): string => [DISPLAY, WAYLAND_DISPLAY].filter(Boolean).join(' ')
