import { commandLine } from '../../approving/question.ts'
import type { Clock } from '../../base/clock.ts'
import { segmentsIn } from '../../base/output/output-segments.ts'
import type { RunStatements } from '../../contract/disk/receipt.ts'
import { PROFILES } from '../../contract/profiles.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import type { HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { historyItem } from '../../runs/history/history-item.ts'
import { textPieces } from '../../runs/history/text-pieces.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { JournalRow } from '../../runs/journal/journal-row.ts'
import { PatternTooSlow } from '../../runs/output/line-matcher.ts'
import { textFrom } from '../../runs/output/output-text.ts'
import { searchOutput } from '../../runs/output/search-output.ts'
import { journalSays, ledgerSays } from '../../runs/receipt/run-statements.ts'
import { outcomeOf } from '../../runs/run/ended-line.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { StoredRun } from '../../runs/store/ledger.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'

/** Asks this host for a command, as a client by this name. */
export type AskHost = (name: string, request: Partial<CommandRequest>) => Promise<void>

export interface HistoryRunDeps {
  readonly clock: Clock
  readonly runs: Pick<RequesterRuns, 'everybody'>
  readonly journal: Pick<Journal, 'rowsOf'>
  readonly ask: AskHost
  readonly version: string
}

const PAGE_BYTES = 48 * 1024
const MATCHES_BYTES = 24 * 1024

export type OfRun = Extract<WindowFrame, { type: 'history_open' | 'history_read' | 'history_find' | 'history_rerun' }>
type FrameOf<Type extends OfRun['type']> = Extract<OfRun, { type: Type }>

export const isOfRun = (frame: WindowFrame): frame is OfRun =>
  frame.type === 'history_open' ||
  frame.type === 'history_read' ||
  frame.type === 'history_find' ||
  frame.type === 'history_rerun'

/** What a person does with one run of the history. */
export async function answerOfRun(deps: HistoryRunDeps, frame: OfRun): Promise<HostToWindow> {
  const found = await findRun(deps, frame)
  switch (frame.type) {
    case 'history_open':
      return opened(frame, found)
    case 'history_read':
      return text(frame, found.view)
    case 'history_find':
      return matches(deps, frame, found.view)
    case 'history_rerun':
      await rerun(deps, found)
      return { type: 'done', request_id: frame.request_id, terminal_id: null }
  }
}

export interface FoundInHistory {
  readonly run: StoredRun
  readonly view: RunView
  readonly rows: readonly JournalRow[]
}

/** Only what somebody has run here: the name of a requester is the name of a directory. */
export async function findRun(
  { runs, journal }: Pick<HistoryRunDeps, 'runs' | 'journal'>,
  { requester, session_id }: { readonly requester: string; readonly session_id: string },
): Promise<FoundInHistory> {
  const of = runs.everybody().find(each => each.requester === requester)
  await of?.registry.ready(session_id)
  const view = of?.registry.find(session_id)
  const run = of?.store.record(session_id)?.run
  if (!view || !run) throw new TermError('PM_TERM_NOT_FOUND', `There is no record of ${session_id} any more.`)
  return { run, view, rows: journal.rowsOf(session_id).filter(row => row.requester === requester) }
}

export const statementsOf = ({ run, rows }: Pick<FoundInHistory, 'run' | 'rows'>): RunStatements =>
  ({ state: 'received' as const, ...journalSays(rows), ...ledgerSays(run) }) as RunStatements

function opened({ request_id }: FrameOf<'history_open'>, found: FoundInHistory): HostToWindow {
  const outcome = outcomeOf(found.view.status())
  const item = historyItem(found.run, { line: commandLine(found.run.opened), outcome, rows: found.rows })
  const { output_bytes } = found.view.status()
  return {
    type: 'history_opened',
    request_id,
    item: { ...item, output_bytes },
    said: { ...statementsOf(found), state: outcome.state },
  }
}

function text({ request_id, from }: FrameOf<'history_read'>, view: RunView): HostToWindow {
  const source = view.source()
  const page = textFrom(source, Math.min(from, source.size), PAGE_BYTES)
  return {
    type: 'history_text',
    request_id,
    from,
    pieces: textPieces(page),
    next: page.cursor,
    size: source.size,
    lost_bytes: page.lost,
    is_open: !source.over,
  }
}

async function matches(
  { clock }: HistoryRunDeps,
  { request_id, from, pattern }: FrameOf<'history_find'>,
  view: RunView,
): Promise<HostToWindow> {
  const source = view.source()
  const limits = { from, budget: MATCHES_BYTES, context: 0 }
  const { matches: found, cursor } = await searchOutput(source, pattern, limits, clock).catch((cause: unknown) => {
    if (!(cause instanceof PatternTooSlow)) throw cause
    throw invalidPayload([{ field: 'pattern', problem: 'takes too long; write a simpler one' }])
  })
  const next = Math.min(cursor, source.size)
  const kept = segmentsIn(source.directory).reduce((sum, { start, end }) => sum + overlap(start, end, from, next), 0)
  return {
    type: 'history_found',
    request_id,
    matches: found.map(({ offset, stream, line }) => ({ offset, stream, line })),
    from,
    next,
    size: source.size,
    lost_bytes: Math.max(0, next - from - kept),
  }
}

const overlap = (start: number, end: number, from: number, to: number): number =>
  Math.max(0, Math.min(end, to) - Math.max(start, from))

/** The line that ran, where it ran. Values of variables are never kept, so they are not set again: the card says so. */
async function rerun({ ask }: HistoryRunDeps, { run }: FoundInHistory): Promise<void> {
  const { opened: line, ended, allowed, started } = run
  if (line.command === '') throw invalidPayload([{ field: 'session_id', problem: 'is a shell, and no command' }])
  const instead = ended?.command_executed ?? allowed?.command_executed
  const profile = PROFILES.find(each => each === line.terminal?.profile)
  const unset = line.env_names.length > 0 ? ` It had variables that are not set now: ${line.env_names.join(', ')}.` : ''
  await ask('Run again', {
    command: instead ?? line.command,
    ...(instead === undefined && line.args !== null && { args: line.args }),
    working_directory: ended?.cwd ?? started?.cwd ?? line.cwd,
    ...(profile && { terminal_profile: profile }),
    context: `You asked for it in the history of runs.${unset}`.slice(0, 4000),
    approval_required: true,
  })
}
