import type { LeftRun } from '../contract/wire/left-run-frames.ts'

/** "1 command left running by codex 0.166.0:" and the like, above the commands themselves. */
export function leftRunningTitle(items: readonly Pick<LeftRun, 'client' | 'requester'>[]): string {
  const names = [...new Set(items.map(({ client, requester }) => client || requester))]
  const what = items.length === 1 ? '1 command' : `${items.length} commands`
  return `${what} left running by ${names.length === 1 ? names[0] : `${names.length} agents`}`
}

/** Why nobody waits for it. */
export const leftBecause = ({ why }: Pick<LeftRun, 'why'>): string =>
  why === 'cancelled' ? 'The agent stopped waiting for it.' : 'The agent that asked for it is gone.'
