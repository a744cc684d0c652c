import { existsSync } from 'node:fs'
import { loadSettings, type RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'
import { headFile, readJournal } from '../runs/journal.ts'
import { asText, readMark } from '../runs/journal-head.ts'

/**
 * `interactive-terminal verify [row]`: is the journal what it was when it was written? `row` is what an earlier `verify` printed:
 * kept where no command on this machine can write, it shows also what somebody has made agree here. Ends with 1 when it is not.
 */
export async function verifyCommand(raw: RawSettings, [text]: readonly string[]): Promise<number> {
  const { journalFile } = loadSettings(raw).paths
  const noted = text === undefined ? null : readMark(text)
  if (text !== undefined && noted === null)
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      'A row is what verify prints: its number, a colon and 64 hex digits.',
    )
  if (!existsSync(journalFile)) {
    if (noted || existsSync(headFile(journalFile))) return say(`The journal is GONE: ${journalFile}`, 1)
    return say(`There is no journal yet: ${journalFile}`, 0)
  }
  const journal = await readJournal(journalFile)
  const verified = journal.verify(noted)
  journal.close()
  return verified.sound
    ? say(
        [
          `The journal is sound: ${verified.head.seq} rows, the last one`,
          asText(verified.head),
          ...verified.gaps.map(gap => `But ${gap}.`),
        ].join('\n'),
        0,
      )
    : say(`The journal is NOT sound: at row ${verified.seq}, ${verified.problem}.`, 1)
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`)
  return code
}
