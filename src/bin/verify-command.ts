import { existsSync } from 'node:fs'
import { loadSettings, type RawSettings } from '../config/settings.ts'
import { readJournal } from '../runs/journal.ts'

/** `interactive-terminal verify`: is the journal what it was when it was written? Ends with 1 when it is not. */
export async function verifyCommand(raw: RawSettings): Promise<number> {
  const { journalFile } = loadSettings(raw).paths
  if (!existsSync(journalFile)) return say(`There is no journal yet: ${journalFile}`, 0)
  const journal = await readJournal(journalFile)
  const verified = journal.verify()
  journal.close()
  return verified.sound
    ? say(`The journal is sound: ${verified.rows} rows, the last one ${verified.head.slice(0, 16)}…`, 0)
    : say(`The journal is NOT sound: at row ${verified.seq}, ${verified.problem}.`, 1)
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`)
  return code
}
