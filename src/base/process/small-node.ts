import type { Clock } from '../clock.ts'
import { noDebuggerFlags } from './no-debugger.ts'

/**
 * Options for a host or a pty-host that is just being started. V8 would touch a nursery of 8 MB and keep it; what a request leaves
 * behind fits into one.
 */
export const ownNodeFlags = (): readonly string[] => [...noDebuggerFlags(), '--max-semi-space-size=1']

/** Written as nobody else writes a 1, so that it is known as ours. */
const ONE_ARENA = '01'

/** Their environment: glibc would keep a heap for each of a process's threads, and what is free in one helps no other. */
export const ownNodeEnv = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  MALLOC_ARENA_MAX: ONE_ARENA,
  ...env,
})

/** First of all in such a process: its commands get the person's environment, and this is none of it. */
export function forgetOwnNodeEnv(env: NodeJS.ProcessEnv): void {
  if (env.MALLOC_ARENA_MAX === ONE_ARENA) delete env.MALLOC_ARENA_MAX
}

const SETTLED_MS = 8000

/** Once everything is loaded: what only the start needed is let go of. V8 would keep it until much more has been allocated. */
export function collectWhenSettled(clock: Clock): void {
  clock.after(SETTLED_MS, () => {
    const v8 = process.getBuiltinModule('node:v8')
    v8.setFlagsFromString('--expose-gc')
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as (() => void) | undefined
    v8.setFlagsFromString('--no-expose-gc')
    collect?.()
  })
}
