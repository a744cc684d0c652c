import { textFrom } from '../output/output-text.ts'
import { breathe } from '../store/evict-runs.ts'
import type { ExportedRun } from './exported-run.ts'
import { textPieces } from './text-pieces.ts'

const PAGE_BYTES = 64 * 1024

/** What is known of it, each line behind a `#`, then what it printed as a person would see it. */
export async function* textOf({ said, source, now, version }: ExportedRun): AsyncGenerator<string> {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['run', said.session_id],
    ['command', [said.command, ...(said.args ?? [])].join(' ')],
    ['ran instead', said.command_executed],
    ['directory', said.cwd],
    ['asked for by', [said.client, said.requester].filter(Boolean).join(', ')],
    ['asked for at', said.received_at],
    ['approved by', said.approved_by],
    ['answered at', said.answered_at],
    ['started at', said.started_at],
    ['ended at', said.ended_at],
    ['state', said.state],
    ['exit code', said.exit_code?.toString()],
    ['why', said.why],
    ['output', `${source.size} bytes`],
    ['exported', `${new Date(now).toISOString()} by interactive-terminal ${version}`],
  ]
  yield `${facts.flatMap(([name, value]) => (value === undefined ? [] : [`# ${name}: ${oneLine(value)}`])).join('\n')}\n\n`

  for (let from = 0; from < source.size; ) {
    const page = textFrom(source, from, PAGE_BYTES)
    if (page.lost > 0) yield `# ${page.lost} bytes are gone here\n`
    yield textPieces(page)
      .map(({ text }) => text)
      .join('')
    // A run that goes on may have half a character at its end.
    if (page.cursor <= from) break
    from = page.cursor
    await breathe()
  }
}

/** A line of a command must not pass for a line of ours, or of its output. */
const oneLine = (value: string): string =>
  value.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, char => JSON.stringify(char).slice(1, -1))
