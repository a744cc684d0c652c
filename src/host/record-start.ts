import type { Log } from '../base/log.ts'
import type { Journal } from '../runs/journal/journal.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * The first rows of a host: what it found of the journal, before the next row would hide it, and who declared it in a container.
 * Says whether the journal is what it was.
 */
export function recordStart(
  { journal, log }: { readonly journal: Journal; readonly log: Log },
  host: Body,
  here: Body | null,
): boolean {
  const about = { requester: null, runId: null }
  const found = journal.headFinding()
  if (found.journal_problem ?? found.journal_gap) log.error('the journal is not what it was', { ...found })
  journal.append({ kind: 'host_started', ...about, body: { ...host, ...found } })
  if (here) journal.append({ kind: 'host_declared_here', ...about, body: { ...host, ...here } })
  return found.journal_problem === undefined
}
