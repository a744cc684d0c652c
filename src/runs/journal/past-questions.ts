import type { OpenedLine } from '../../contract/disk/run-record.ts'
import type { JournalRow } from './journal-row.ts'

/** A command that a person was asked about, and what they said. */
export interface PastQuestion extends Pick<OpenedLine, 'command' | 'args' | 'cwd'> {
  readonly at: number
  /** null: nothing, or not in time. */
  readonly answer: 'approved' | 'declined' | 'edited' | null
  /** The person's own words. */
  readonly reason: string | null
}

/**
 * What was asked about commands, newest first, out of the rows `asked` and `answered`, newest first. The journal does not repeat the
 * command: `openedOf` finds it among the runs; what is there no longer is left out and counted.
 */
export function pastQuestions(
  rows: readonly JournalRow[],
  openedOf: (requester: string, runId: string) => Pick<OpenedLine, 'command' | 'args' | 'cwd'> | null,
  most: number,
): { readonly questions: readonly PastQuestion[]; readonly gone: number; readonly isAll: boolean } {
  const answers = new Map<string, JournalRow>()
  const asked = new Map<string, JournalRow>()
  for (const row of rows) {
    if (row.runId === null || row.requester === null) continue
    const key = `${row.requester} ${row.runId}`
    if (row.kind === 'answered' && row.body.counted !== false && !answers.has(key)) answers.set(key, row)
    // What is typed into a program, or asked about rules, has more than a plan and a reason.
    if (row.kind === 'asked' && typeof row.body.why === 'string' && row.body.trace_id === undefined && !asked.has(key))
      asked.set(key, row)
  }

  const questions: PastQuestion[] = []
  let gone = 0
  for (const [key, { requester, runId, at }] of asked) {
    if (questions.length >= most) return { questions, gone, isAll: false }
    const opened = openedOf(requester ?? '', runId ?? '')
    if (opened) questions.push({ ...lineOf(opened), at, ...answerOf(answers.get(key)) })
    else gone += 1
  }
  return { questions, gone, isAll: true }
}

const lineOf = ({ command, args, cwd }: Pick<OpenedLine, 'command' | 'args' | 'cwd'>) => ({ command, args, cwd })

const ANSWERS: Readonly<Record<string, PastQuestion['answer']>> = {
  approve: 'approved',
  decline: 'declined',
  edit: 'edited',
}

function answerOf(row: JournalRow | undefined): Pick<PastQuestion, 'answer' | 'reason'> {
  const { kind, reason } = row?.body ?? {}
  return { answer: ANSWERS[String(kind)] ?? null, reason: typeof reason === 'string' ? reason : null }
}
