import { execFile } from 'node:child_process'
import { lstatSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { linkIn, namesIn, textIn } from '../../base/process/quiet-reads.ts'
import type { Login, ScreenFacts, SeenProcess } from './find-screen.ts'

const MANAGER_WITHIN_MS = 2000
/** Every environment that we make for something we start carries one of these. */
const MARK = /^INTERACTIVE_TERMINAL_/
/** This product, wherever it is installed. */
const OUR_PROGRAM = /(^|\/)interactive-terminal(\.cjs)?$/

/** What this machine (Linux) knows about the desktops of one user. */
export async function screenFacts(uid: number): Promise<ScreenFacts> {
  const managerEnv = await askUserManager(uid)
  const processes = namesIn('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => processAt(Number(name), uid) ?? [])
  const mine = processes.filter(({ env }) => env !== null).map(({ pid }) => pid)
  return {
    uid,
    logins: namesIn('/run/systemd/sessions').flatMap(name => loginAt(join('/run/systemd/sessions', name)) ?? []),
    managerEnv,
    processes,
    socket(path) {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat?.isSocket() ? { owner: stat.uid, holders: holdersOf(path, mine) } : null
    },
    ownerOf: path => statSync(path, { throwIfNoEntry: false })?.uid ?? null,
  }
}

function processAt(pid: number, uid: number): SeenProcess | null {
  const stat = textIn(`/proc/${pid}/stat`)
  const [state, ppid, , session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return null
  const isMine = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid
  const env = isMine ? envOf(textIn(`/proc/${pid}/environ`)) : null
  return {
    pid,
    ppid: Number(ppid),
    session: Number(session),
    started: Number(rest[15] ?? 0),
    program: basename(linkIn(`/proc/${pid}/exe`)) || stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    env,
    ours: isOurProgram(textIn(`/proc/${pid}/cmdline`).split('\0'))
      ? 'server'
      : env && Object.keys(env).some(name => MARK.test(name))
        ? 'marked'
        : null,
  }
}

/** Started by its name, or as a script: whoever only has it among its arguments is somebody else. */
function isOurProgram([program = '', ...words]: readonly string[]): boolean {
  const script = words.find(word => !word.startsWith('-')) ?? ''
  return OUR_PROGRAM.test(program) || (/(^|\/)node(\.exe)?$/.test(program) && OUR_PROGRAM.test(script))
}

/** An X client tries the abstract name first, so whoever has that counts as well. */
function holdersOf(path: string, pids: readonly number[]): number[] {
  const sockets = textIn('/proc/net/unix')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(fields => fields[7] === path || fields[7] === `@${path}`)
    .map(fields => `socket:[${fields[6]}]`)
  if (sockets.length === 0) return []
  return pids.filter(pid => namesIn(`/proc/${pid}/fd`).some(fd => sockets.includes(linkIn(`/proc/${pid}/fd/${fd}`))))
}

function loginAt(file: string): Login | null {
  const fields = Object.fromEntries(
    textIn(file)
      .split('\n')
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  if (fields.UID === undefined) return null
  return {
    uid: Number(fields.UID),
    active: fields.ACTIVE === '1',
    remote: fields.REMOTE === '1',
    type: fields.TYPE ?? '',
    display: fields.DISPLAY ?? null,
  }
}

/** What `systemctl --user show-environment` prints; nothing where there is no user manager. */
function askUserManager(uid: number): Promise<Record<string, string>> {
  const runtime = `/run/user/${uid}`
  if (!statSync(`${runtime}/systemd`, { throwIfNoEntry: false })) return Promise.resolve({})
  const options = {
    env: { XDG_RUNTIME_DIR: runtime, PATH: '/usr/bin:/bin' },
    timeout: MANAGER_WITHIN_MS,
    killSignal: 'SIGKILL',
  } as const
  return new Promise(resolve =>
    execFile('systemctl', ['--user', 'show-environment'], options, (_failed, stdout) =>
      resolve(envOf(String(stdout).replaceAll('\n', '\0'))),
    ),
  )
}

function envOf(text: string): Record<string, string> {
  const env: Record<string, string> = {}
  for (const entry of text.split('\0')) {
    const at = entry.indexOf('=')
    if (at > 0) env[entry.slice(0, at)] = entry.slice(at + 1)
  }
  return env
}
