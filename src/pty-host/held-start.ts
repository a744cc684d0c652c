import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import nodePty, { type IPty, type IPtyForkOptions } from '@lydell/node-pty'
import { directoryIdentity, fileIdentity } from '../base/file-identity.ts'
import type { PtyCommand } from '../base/process/pty.ts'

/** What node-pty does not show of itself. The version is pinned. */
interface Native {
  fork(file: string, args: string[], env: string[], cwd: string, ...more: unknown[]): unknown
}

type HeldCommand = Pick<PtyCommand, 'executable' | 'args' | 'cwd' | 'pinned'>

/**
 * Starts a program in the very directory that was judged: it is opened, looked at, and entered by its handle, so that nothing put
 * in its place meanwhile is entered instead. Where the system has no such way in, it is looked at last thing before.
 */
export function startHeld(command: HeldCommand, options: IPtyForkOptions): IPty {
  const { executable, args, cwd, pinned } = command
  const start = () => nodePty.spawn(executable, [...args], { ...options, cwd })
  if (pinned === undefined) return start()
  refuseAnotherFile(command)
  if (process.platform !== 'linux') {
    if (directoryIdentity(cwd) !== pinned.cwd) throw replaced(cwd)
    return start()
  }
  const directory = openSync(cwd, O_PATH | constants.O_DIRECTORY)
  try {
    const { dev, ino } = fstatSync(directory, { bigint: true })
    if (`${dev}:${ino}` !== pinned.cwd) throw replaced(cwd)
    return enteringBy(directory, start)
  } finally {
    closeSync(directory)
  }
}

/** Looked at last thing before: there is no way to start the very file that was looked at. */
export function refuseAnotherFile({ executable, pinned }: Pick<HeldCommand, 'executable' | 'pinned'>): void {
  if (pinned !== undefined && fileIdentity(executable) !== pinned.executable)
    throw new Error(`The program ${executable} is another file now. Nothing ran.`)
}

/** Of Linux: a handle for a directory that may be entered but not listed, too. */
const O_PATH = 0o10000000

const replaced = (cwd: string): Error =>
  new Error(`The directory was replaced: another one is at ${cwd} now. Nothing ran.`)

/** node-pty would take the way in for the value of PWD as well, so it gets the path, and only what it calls gets the handle. */
function enteringBy(directory: number, start: () => IPty): IPty {
  const { native } = nodePty as unknown as { native: Native }
  const { fork } = native
  native.fork = (file, args, env, _cwd, ...more) => fork(file, args, env, `/proc/self/fd/${directory}`, ...more)
  try {
    return start()
  } finally {
    native.fork = fork
  }
}
