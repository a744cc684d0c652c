import type { RunStatements } from '../../contract/disk/receipt.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import type { StoredRun } from '../store/ledger.ts'

/** What the lines of a ledger say about a run. */
export function ledgerSays({ opened, allowed, started, ended }: StoredRun): Partial<RunStatements> {
  const verdict = ended?.verdict ?? allowed?.verdict
  const said = present({
    session_id: opened.id,
    trace_id: opened.trace_id,
    client_request_id: opened.client_request_id,
    requester: opened.requester,
    client: opened.client,
    lane: opened.lane,
    adapter: opened.adapter,
    terminal_id: opened.terminal_id,
    version: opened.server.version,

    command: opened.command,
    args: opened.args,
    command_executed: ended?.command_executed ?? allowed?.command_executed,
    executable: started?.executable,
    cwd: ended?.cwd ?? started?.cwd ?? opened.cwd,
    workspace_id: opened.workspace_id,
    env_names: opened.env_names.toSorted(),
    plan_hash: started?.plan_hash,

    verdict: verdict?.verdict,
    rule: verdict?.rule,
    approved_by: ended?.approved_by ?? allowed?.approved_by,

    state: ended?.state ?? (started ? ('running' as const) : null),
    received_at: time(opened.at),
    started_at: time(ended?.started_at ?? started?.at),
    ended_at: time(ended?.at),
    took_ms: ended?.took_ms,
    exit_code: ended?.exit_code,
    signal: ended?.signal,
    ended_by: ended?.ended_by,
    why: ended?.why,
    output_bytes: ended?.output_bytes,
    lost_bytes: ended?.lost_bytes,
  })
  // Null is an answer here: there was none.
  return started?.repository === undefined ? said : { ...said, repository: started.repository }
}

/** What the rows of a journal say about it, all of them of this run. */
export function journalSays(rows: readonly JournalRow[]): Partial<RunStatements> {
  const body = (kind: JournalRow['kind']) => rows.findLast(row => row.kind === kind)?.body ?? {}
  const [received, starting, started, ended] = [body('received'), body('starting'), body('started'), body('ended')]
  const answered = rows.findLast(row => row.kind === 'answered' && row.body.counted !== false)
  const answer = answered?.body ?? {}
  const { kind: scope } = (answer.scope ?? {}) as { kind?: unknown }
  return present({
    trace_id: received.trace_id,
    client: received.client,
    command: received.command,
    args: received.args,
    env_names: (received.env_names as string[] | undefined)?.toSorted(),

    executable: starting.executable,
    plan_hash: starting.plan_hash,
    approved_by: started.approved_by,

    answer: answer.kind,
    answer_scope: scope,
    answered_by: answer.by,
    answered_on: answer.surface,
    answered_at: time(answered?.at),
    command_executed: answer.kind === 'edit' ? answer.command : null,

    state: ended.state ?? openState(rows),
    exit_code: ended.exit_code,
    signal: ended.signal,
    ended_by: ended.ended_by,
    why: ended.why,
  }) as Partial<RunStatements>
}

function openState(rows: readonly JournalRow[]): RunStatements['state'] | null {
  if (rows.length === 0) return null
  if (rows.some(({ kind }) => kind === 'started')) return 'running'
  return rows.some(({ kind }) => kind === 'asked') ? 'awaiting_approval' : 'received'
}

const time = (at: number | null | undefined): string | null => (at == null ? null : new Date(at).toISOString())

/** Without what nothing says. */
const present = <T extends object>(fields: T): { [Field in keyof T]?: NonNullable<T[Field]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never
