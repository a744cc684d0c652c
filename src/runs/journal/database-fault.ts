/** What SQLite could not do. The journal's statements are our own, so one that makes no sense to it met another file than ours. */
export type DatabaseFault = 'busy' | 'unwritable' | 'damaged'

/** SQLite's primary result codes. */
const BY_CODE: Readonly<Record<number, DatabaseFault>> = {
  1: 'damaged',
  5: 'busy',
  6: 'busy',
  8: 'unwritable',
  10: 'unwritable',
  11: 'damaged',
  13: 'unwritable',
  26: 'damaged',
}

/** By the code of the error, not by its words; null: it is none of SQLite's, or none of these. */
export function databaseFault(cause: unknown): DatabaseFault | null {
  const code = cause instanceof Error ? (cause as { readonly errcode?: unknown }).errcode : undefined
  // An extended code has the primary one in its last byte.
  return typeof code === 'number' ? (BY_CODE[code & 0xff] ?? null) : null
}

/** The journal cannot be written now, for a reason that a person can take away: the message says which. */
export class JournalUnwritable extends Error {}
