import { isFromFiles } from '../../approving/who-asks.ts'

/** The name a client is paired by, which its key proved; null: a program of the person, or the person. */
export const pairedName = (requester: string): string | null =>
  requester === 'local' || requester === 'person' || isFromFiles(requester) ? null : requester
