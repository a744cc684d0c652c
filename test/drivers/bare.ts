import { spawn } from 'node:child_process'
import { join } from 'node:path'

/**
 * Starts a helper as an approved command would to hide where it comes from: nothing in its environment, a session of its own,
 * and no parent but process 1. It ends by itself.
 */
export function startBare(script: string, args: readonly string[]): Promise<void> {
  const file = join(import.meta.dirname, script)
  const child = spawn('/usr/bin/env', ['-i', 'setsid', '-f', process.execPath, file, ...args], { stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`setsid ended with ${code}`))))
  })
}
