import { MOMENT_MS, outputMoments } from '../../base/output/output-times.ts'
import type { RunStatements } from '../../contract/disk/receipt.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import type { ExportedRun } from './exported-run.ts'
import { timedOutput } from './timed-output.ts'

/** For a run without a terminal, and for older ones of which nobody wrote down how large theirs was. */
const USUAL = { cols: 120, rows: 30 }
/** A player need not wait as long as a person did. */
const IDLE_LIMIT_S = 2

interface CastEvent {
  /** In milliseconds since 1970. */
  readonly at: number
  /** o: output · m: a marker · x: the exit code, which version 2 does not know */
  readonly code: 'o' | 'm' | 'x'
  readonly data: string
}

/**
 * An asciicast. It begins when the command was asked for; who decided what and when are markers. Times are those that were written down
 * and never made up: output whose moment nobody noted stands where it was certainly there, at the end of the run, and the header says so.
 */
export async function* castOf(run: ExportedRun, version: 2 | 3): AsyncGenerator<string> {
  const { said } = run
  const began = Date.parse(said.received_at)
  yield `${JSON.stringify(headerOf(run, version))}\n`

  let last = began
  for await (const { at, code, data } of eventsOf(run)) {
    // The clock of the machine may have been set back: time never runs backwards in a recording.
    const time = Math.max(last, at)
    const seconds = (version === 3 ? time - last : time - began) / 1000
    last = time
    if (code !== 'x') yield `${JSON.stringify([seconds, code, data])}\n`
    else yield `${JSON.stringify(version === 3 ? [seconds, 'x', data] : [seconds, 'm', `exit code ${data}`])}\n`
  }
}

function headerOf({ said, size, source, now, version: madeBy }: ExportedRun, version: 2 | 3): object {
  const { cols, rows } = size ?? USUAL
  const known = outputMoments(source.directory).length > 0
  return {
    version,
    ...(version === 3 ? { term: { cols, rows } } : { width: cols, height: rows }),
    timestamp: Math.floor(Date.parse(said.received_at) / 1000),
    idle_time_limit: IDLE_LIMIT_S,
    command: said.command_executed ?? [said.command, ...(said.args ?? [])].join(' '),
    title: `Run ${said.session_id}`,
    // Not of the format: players pass over it.
    interactive_terminal: {
      session_id: said.session_id,
      lane: said.lane,
      output_times: known ? { known, exact_ms: MOMENT_MS } : { known, note: NOT_KNOWN },
      size: size ? 'as it was at the start' : 'not known: the usual one',
      exported_at: new Date(now).toISOString(),
      made_by: madeBy,
    },
  }
}

const NOT_KNOWN = 'not written down: all output stands at the end of the run, by when it was certainly there'

/** In the order of time. */
async function* eventsOf({ said, rows, source, now }: ExportedRun): AsyncGenerator<CastEvent> {
  const markers = markersOf(said, rows)
  const ended = said.ended_at === undefined ? now : Date.parse(said.ended_at)
  const decoder = new TextDecoder()
  let last = '\n'

  for await (const each of timedOutput(source.directory, source.size)) {
    const at = (each.kind === 'piece' ? each.at : null) ?? ended
    while (markers[0] && markers[0].at <= at) yield markers.shift() as CastEvent
    if (each.kind === 'gone') {
      yield { at, code: 'm', data: `${each.end - each.start} bytes are gone here` }
      continue
    }
    const text = decoder.decode(each.bytes, { stream: true })
    if (text === '') continue
    // A pipe has line feeds alone; on a terminal the next line would begin below the end of the last one.
    yield { at, code: 'o', data: said.lane === 'interactive' ? text : withReturns(text, last) }
    last = text
  }

  const rest = decoder.decode()
  if (rest !== '') yield { at: ended, code: 'o', data: rest }
  yield* markers
  if (said.exit_code !== undefined) yield { at: ended, code: 'x', data: String(said.exit_code) }
}

const withReturns = (text: string, before: string): string =>
  text.replace(/\n/g, (_, at: number) => ((at === 0 ? before.at(-1) : text[at - 1]) === '\r' ? '\n' : '\r\n'))

/** Who decided what, and when it started and ended. */
function markersOf(said: RunStatements, rows: readonly JournalRow[]): CastEvent[] {
  const marker = (at: number, data: string): CastEvent => ({ at, code: 'm', data })
  const decided = rows.flatMap(({ kind, at, body }) => {
    if (kind === 'asked') return [marker(at, 'asked')]
    if (kind !== 'answered' || body.counted === false) return []
    const where = typeof body.surface === 'string' ? ` in the ${body.surface}` : ''
    return [marker(at, `${ANSWERS[String(body.kind)] ?? 'answered'} by the person${where}`)]
  })
  const byRule =
    said.approved_by === 'allowlist' ? `, allowed by ${said.rule ? `the rule ${said.rule}` : 'a rule'}` : ''
  const all = [
    ...decided,
    ...(said.started_at === undefined ? [] : [marker(Date.parse(said.started_at), `started${byRule}`)]),
    ...(said.ended_at === undefined || said.exit_code !== undefined
      ? []
      : [
          marker(
            Date.parse(said.ended_at),
            [said.state, said.ended_by && `by ${said.ended_by}`].filter(Boolean).join(' '),
          ),
        ]),
  ]
  return all.sort((a, b) => a.at - b.at)
}

const ANSWERS: Readonly<Record<string, string>> = {
  approve: 'approved',
  edit: 'changed and approved',
  decline: 'declined',
}
