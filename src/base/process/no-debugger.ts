/** Options for a Node of ours that is just being started: it opens no debugger, from its very first moment. Node 20 has none. */
export const noDebuggerFlags = (): readonly string[] =>
  process.allowedNodeEnvironmentFlags.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []

const QUIET_MS = 60_000

/**
 * Called when another program asks this process to open a debugger, at most once a minute. None is opened: scripts/launcher.cjs has
 * seen to that in its first line.
 */
export function onDebuggerAsked(elapsed: () => number, notify: (message: string) => void): void {
  let quietUntil = Number.NEGATIVE_INFINITY
  process.on('SIGUSR1', () => {
    if (elapsed() < quietUntil) return
    quietUntil = elapsed() + QUIET_MS
    notify('Another program asked for a debugger in this process (SIGUSR1). None was opened.')
  })
}
