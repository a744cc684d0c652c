import { spawn } from 'node:child_process'
import type { Log } from '../../base/log.ts'
import type { LateQuestions } from '../questions/reminders.ts'

/** Ours to keep, and what would let somebody else's code into a program that we start. */
const NOT_FOR_A_PROGRAM = /^(PM_|INTERACTIVE_TERMINAL|NODE_|LD_|DYLD_)/
const ENDS_WITHIN_MS = 30_000

/**
 * Starts the person's own program, which may push to a phone: facts as one line of JSON on its standard input, nothing in its
 * arguments, where other users could read them. `program`: '' starts nothing.
 */
export function notifyBy(
  program: () => string,
  { env, log }: { readonly env: Readonly<Record<string, string | undefined>>; readonly log: Log },
): (late: LateQuestions) => void {
  return late => {
    const file = program()
    if (file === '') return
    const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_A_PROGRAM.test(name)))
    const child = spawn(file, [], { env: kept, stdio: ['pipe', 'ignore', 'ignore'], timeout: ENDS_WITHIN_MS })
    const failed = (cause: unknown): void =>
      log.warn('the program that notifies you could not be started', { file, cause })
    child.on('error', failed)
    child.on('exit', code => code !== 0 && code !== null && failed(new Error(`it ended with ${code}`)))
    // It may end without reading what it is told.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(late)}\n`)
  }
}
