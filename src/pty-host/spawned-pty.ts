import type { Log } from '../base/log.ts'
import type { SpawnerKeeper } from '../base/process/spawner-keeper.ts'
import { refuseAnotherFile } from './held-start.ts'
import { type LosslessEnd, type StartPty, TERMINAL_NAME } from './lossless-pty.ts'

/**
 * Terminals of the spawner where there is one, else as `otherwise` makes them. It reads a terminal to its end before it tells of it,
 * so nothing has to be marked there. Should it die, no end is ever told: whoever keeps the spawner hears of it.
 */
export const spawnedPtys =
  (keeper: SpawnerKeeper, otherwise: StartPty, log: Log): StartPty =>
  async (command, onOutput, onTaken = () => {}) => {
    const got = keeper.get()
    const spawner = got instanceof Promise ? await got : got
    if (!spawner) return otherwise(command, onOutput, onTaken)
    const { executable, args, cwd, pinned, env, cols, rows } = command
    refuseAnotherFile(command)
    const [device = '0', inode = '0'] = pinned?.cwd.split(':') ?? []

    let resolve: (end: LosslessEnd) => void = () => {}
    const ended = new Promise<LosslessEnd>(settle => {
      resolve = settle
    })
    const started = await spawner.start(
      {
        executable,
        argv: [executable, ...args],
        cwd,
        ...(pinned && { pinnedCwd: { device: BigInt(device), inode: BigInt(inode) } }),
        env: { ...env, PWD: cwd, TERM: TERMINAL_NAME },
        terminal: { cols, rows },
      },
      {
        output: (_, chunk) => onOutput(chunk),
        streamEnd() {},
        inputTaken: onTaken,
        exited: (exitCode, signal) => resolve({ exitCode, signal, drained: true }),
        closed() {},
        lost() {},
      },
    )

    const write = (bytes: Buffer) => {
      if (!started.write(bytes))
        log.warn('a program that reads nothing was sent more than can wait for it', { bytes: bytes.length })
    }
    const { pid, start, resize, modes } = started
    return { pid, start, ended, write, resize, modes }
  }
