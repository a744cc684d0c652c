import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { ChildStarter } from './child-starter.ts'

/** Children of this very process: everywhere, but the larger this process is, the longer each takes to start. */
export const forkedChildren: ChildStarter = {
  async start(command, listener) {
    const child = spawn(command.executable, command.argv.slice(1), {
      argv0: command.argv[0] ?? command.executable,
      cwd: command.cwd,
      env: command.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: false,
    })

    for (const stream of ['stdout', 'stderr'] as const) {
      // Without a file descriptor left there is no pipe; then 'error' reports it.
      const pipe = child[stream] as Readable | undefined
      pipe?.on('data', (chunk: Buffer) => listener.output(stream, chunk))
      pipe?.once('end', () => listener.streamEnd(stream))
      // A broken pipe is an end, reported by 'close'.
      pipe?.on('error', () => {})
    }
    child.once('exit', (exitCode, signal) => listener.exited(exitCode, signal))
    child.once('close', () => listener.closed())

    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', () => {
        child.off('error', reject)
        child.on('error', () => {}) // a failed signal; kill-tree looks for itself
        resolve({ pid: child.pid as number })
      })
    })
  },
}
