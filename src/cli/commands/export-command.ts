import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { isId } from '../../contract/field.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { EXPORT_FORMATS, exportRun } from '../../runs/history/export-run.ts'
import { readJournal } from '../../runs/journal/journal.ts'
import { segmentEnd } from '../../runs/output/output-text.ts'
import { journalSays, ledgerSays } from '../../runs/receipt/run-statements.ts'
import { Ledger, type StoredRun } from '../../runs/store/ledger.ts'
import { ledgersIn } from '../../runs/store/verify-ledgers.ts'
import { drawn, say } from '../machine/say.ts'

/** `interactive-terminal export <run>`: one run with its output on stdout, as text, JSON or an asciicast. */
export async function exportCommand(
  raw: RawSettings,
  [id = '']: readonly string[],
  options: Readonly<Record<string, string | boolean | undefined>>,
  around: { readonly version: string; readonly now: () => number },
): Promise<number> {
  const { format, castVersion } = chosen(options)
  if (!isId(id)) throw new TermError('PM_TERM_INVALID_PAYLOAD', `${drawn(id)} is no id of a run.`)
  const { stateDir, journalFile } = loadSettings(raw).paths
  const found = ledgersIn(stateDir).flatMap(({ file }) => new Ledger(dirname(file)).find(id) ?? [])
  const [run, another] = found
  if (!run) return say(`There is no run ${id}.`, 1)
  if (another)
    process.stderr.write(`${found.length} clients have a run ${id}: this is that of ${drawn(run.opened.requester)}.\n`)

  const rows = await rowsOf(journalFile, run)
  const said = { state: 'received' as const, ...journalSays(rows), ...ledgerSays(run) } as Parameters<
    typeof exportRun
  >[0]['said']
  const { ended, directory, started } = run
  const over = ended?.drained === true
  const source = { directory, size: Math.max(segmentEnd(directory), ended?.output_bytes ?? 0), over }
  const { version, now } = around
  for await (const piece of exportRun(
    { said, rows, source, size: started?.size ?? null, now: now(), version },
    format,
    castVersion,
  ))
    await written(piece)
  return 0
}

function chosen(options: Readonly<Record<string, string | boolean | undefined>>) {
  const { format: wanted = 'text', 'cast-version': cast = '3' } = options
  const format = EXPORT_FORMATS.find(each => each === wanted)
  if (!format)
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      `There is no format "${wanted}". One of ${EXPORT_FORMATS.join(', ')}.`,
    )
  if (cast !== '2' && cast !== '3')
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `There is no version "${cast}" of asciicast here: 2 or 3.`)
  return { format, castVersion: cast === '2' ? (2 as const) : (3 as const) }
}

async function rowsOf(journalFile: string, { opened }: StoredRun) {
  if (!existsSync(journalFile)) return []
  const journal = await readJournal(journalFile)
  try {
    return journal.rowsOf(opened.id).filter(({ requester }) => requester === opened.requester)
  } finally {
    journal.close()
  }
}

/** Whoever reads slowly does not fill our memory. */
const written = (text: string): Promise<void> =>
  new Promise(resolve => (process.stdout.write(text) ? resolve() : process.stdout.once('drain', resolve)))
