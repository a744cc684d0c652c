import { existsSync } from 'node:fs'
import { systemClock } from '../../base/clock.ts'
import type { Configuration } from '../../config/settings.ts'
import type { Workspace } from '../../policy/rules/rules.ts'
import { tryProblem } from '../../policy/trying/try-problem.ts'
import { DecisionsCopy } from '../../runs/journal/decisions-copy.ts'
import { readJournal } from '../../runs/journal/journal.ts'
import { type PastQuestion, pastQuestions } from '../../runs/journal/past-questions.ts'
import { RunStore } from '../../runs/store/run-store.ts'
import { jailsHere } from '../machine/jails-here.ts'

const LOOKED_AT = 10
const MOST_ROWS = 2000

/** Whether commands can be tried in a sandbox here, where that is on, and what it would have saved: one sentence each. */
export async function sandboxCheck({ paths }: Configuration): Promise<string> {
  const problem = jailsHere(paths).problem()
  const decided = Object.values(new DecisionsCopy(paths.decisionsFile).read()?.now.workspaces ?? {})
  const on = decided.filter(({ tries }) => tries !== undefined).map(({ directory }) => directory)
  const where = on.length === 0 ? 'It is on in no folder.' : `It is on in ${on.join(', ')}.`
  if (problem !== null)
    return `off: ${problem}. ${on.length === 0 ? '' : `What is to be tried is asked about. ${where}`}`.trim()
  const offer = await offerFrom(paths.journalFile, paths.stateDir)
  return [`it holds here. ${where}`, ...(offer === null ? [] : [offer])].join(' ')
}

/** From the person's own last questions; null: there are none. */
async function offerFrom(journalFile: string, stateDir: string): Promise<string | null> {
  if (!existsSync(journalFile)) return null
  const journal = await readJournal(journalFile)
  const { rows } = journal.since(0, ['asked', 'answered'], MOST_ROWS)
  journal.close()
  const store = new RunStore({ stateDir, serverId: 'doctor', now: systemClock.now })
  const { questions } = pastQuestions(rows, (_, id) => store.find(id)?.opened ?? null, LOOKED_AT)
  const spared = questions.filter(wouldBeTried).length
  if (questions.length === 0 || spared === 0) return null
  return `${spared} of your last ${questions.length} questions would have been tried first ("policy try" in a folder).`
}

function wouldBeTried({ command, args, cwd }: PastQuestion): boolean {
  const workspace: Workspace = { id: 'this', directory: cwd, trusted: false }
  const line = { command, args: args ?? undefined, cwd, shell: args === null ? 'bash' : 'none' }
  return (
    tryProblem(line, { verdict: 'approval', why: '', parts: [], flags: [], tier: 'none', reaches: [] }, workspace) ===
    null
  )
}
