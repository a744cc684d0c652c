import { eventually } from '../drivers/mcp-client.ts'

const LONGEST_MS = 40_000

/** Waits as long as a busy machine may take: containers start beside every other test. */
export const soon = (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(what, isSo, LONGEST_MS)
