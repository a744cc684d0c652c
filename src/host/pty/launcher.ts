import { spawn } from 'node:child_process'
import { hkdfSync } from 'node:crypto'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../../base/atomic-file.ts'
import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { ensureKeyFile } from '../../base/keys/key-file.ts'
import { isSealed } from '../../base/keys/pty-host-seal.ts'
import type { Link } from '../../base/link/link.ts'
import { dialPsk } from '../../base/link/psk-socket.ts'
import { bootId, isAlive, type ProcessTable } from '../../base/process/process-table.ts'
import { PtyHostFile, type PtyHostOrders } from '../../contract/wire/pty-frames.ts'

export interface LauncherDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly table: ProcessTable
  /** How this product is started: the program and what precedes the subcommand. */
  readonly program: {
    readonly node: string
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
  readonly keyFile: string
  readonly file: string
  readonly logFile: string
  readonly orders: Omit<PtyHostOrders, 'instance_id' | 'key' | 'file'>
}

/** What is known of a pty-host that is there. */
export type LivePtyHost = Pick<PtyHostFile, 'instance_id' | 'pid' | 'start' | 'boot' | 'port'>

const READY_WITHIN_MS = 10_000
const DIAL_WITHIN_MS = 3000
const LONGEST_LOG = 1024 * 1024

/** Finds the pty-host an earlier host left, starts a new one, dials it. Each has a key of its own, made of the host's. */
export class PtyHostLauncher {
  readonly #deps: LauncherDeps
  /** Those that are known to hold their key: started here, reached, or named by a file that only its holder could write. */
  readonly #proved = new Set<string>()

  constructor(deps: LauncherDeps) {
    this.#deps = deps
  }

  /** The one that said it is here and still is: pid, start time and boot all say so. */
  find(): LivePtyHost | null {
    const file = readPtyHostFile(this.#deps.file)
    if (file && isSealed(this.#keyFor(file.instance_id), file)) this.#proved.add(file.instance_id)
    return file && this.isAlive(file) ? file : null
  }

  isAlive(pty: LivePtyHost): boolean {
    return isAlive(this.#deps.table, pty)
  }

  async dial({ port, instance_id }: LivePtyHost, signal: AbortSignal): Promise<Link> {
    const link = await dialPsk({
      host: '127.0.0.1',
      port,
      identity: 'host',
      key: this.#keyFor(instance_id),
      timeoutMs: DIAL_WITHIN_MS,
      clock: this.#deps.clock,
      signal,
    })
    this.#proved.add(instance_id)
    return link
  }

  /** Ends this one process, which does not answer any more. One that never proved its key may be anybody, and is let be. */
  terminate(pty: LivePtyHost): void {
    if (!this.isAlive(pty) || !this.#proved.has(pty.instance_id)) return
    try {
      process.kill(pty.pid, 'SIGKILL')
    } catch {
      // It ended between the look and the signal.
    }
  }

  /**
   * Starts one so that it outlives this process: a session of its own, nothing of our environment, its orders on stdin.
   * Rejects with its last words when it does not get ready.
   */
  launch(): Promise<LivePtyHost> {
    const { logFile, program, orders, ids, file, clock, table } = this.#deps
    const instance_id = ids.make('pth')
    const key = this.#keyFor(instance_id).toString('hex')
    privateDirectory(dirname(logFile))

    // What one pty-host says is little; what hundreds said is of no use.
    const big = (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG
    const log = openSync(logFile, big ? 'w' : 'a', 0o600)
    const from = big ? 0 : statSync(logFile).size

    return new Promise((resolve, reject) => {
      const child = spawn(program.node, [...program.args, 'pty-host'], {
        detached: true,
        cwd: '/',
        env: program.env,
        stdio: ['pipe', 'pipe', log],
        windowsHide: true,
      })
      closeSync(log)
      child.unref()

      const late = clock.after(READY_WITHIN_MS, () => {
        child.kill('SIGKILL')
        fail(`it was not ready within ${READY_WITHIN_MS} ms`)
      })
      const fail = (why: string) => {
        late.dispose()
        reject(new Error(why))
      }

      child.once('error', cause => fail(cause.message))
      child.once('exit', () => fail(wordsSince(logFile, from) || 'it ended at once'))
      const { stdin, stdout } = child
      // Without a file descriptor left there are no pipes; then 'error' says so.
      if (!stdin || !stdout) return
      stdin.on('error', () => {}) // its end says so

      let said = ''
      stdout.setEncoding('utf8')
      stdout.on('data', chunk => {
        said += chunk
        if (!said.includes('\n')) return
        late.dispose()
        stdout.destroy()
        const pid = child.pid ?? -1
        const { port } = JSON.parse(said) as { port: number }
        this.#proved.add(instance_id)
        resolve({ instance_id, pid, start: table.row(pid)?.start ?? null, boot: bootId(process.platform), port })
      })

      stdin.end(`${JSON.stringify({ ...orders, instance_id, key, file } satisfies PtyHostOrders)}\n`)
    })
  }

  #keyFor(instanceId: string): Buffer {
    const secret = ensureKeyFile(this.#deps.keyFile)
    return Buffer.from(hkdfSync('sha256', secret, instanceId, 'interactive-terminal pty-host', 32))
  }
}

export function readPtyHostFile(path: string): PtyHostFile | null {
  try {
    return PtyHostFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null // none was there, or it has ended
  }
}

/** What it wrote since it was started. */
function wordsSince(logFile: string, from: number): string {
  try {
    return readFileSync(logFile).subarray(from).toString('utf8').trim().slice(-1000)
  } catch {
    return '' // the log is gone; there is nothing to quote
  }
}
