import { TermError } from '../../contract/tool/errors.ts'
import type { ListItem } from '../../contract/tool/run-lists.ts'
import { listed, newestFirst } from '../answers/short-answer.ts'
import { type ResourceContent, type ResourceEntry, type ResourcePage, RUNS_URI } from '../server/resource-front.ts'
import type { EveryRun } from '../tools/run-tools.ts'
import { outputUri, receiptUri } from './run-uri.ts'

const MOST_RUNS = 100
const RUNS_A_PAGE = 20
const LONGEST_TITLE = 100

const ALL_RUNS: ResourceEntry = {
  uri: RUNS_URI,
  name: 'runs',
  title: 'Runs',
  description: 'The runs that can be read here, newest first.',
  mimeType: 'application/json',
}

/** The list of runs as a document. */
export function runsContent({ items, omitted, warning }: EveryRun): ResourceContent {
  const newest = newestFirst(items)
  const runs = newest.slice(0, MOST_RUNS).map(item => ({ ...listed(item), ended_at: item.ended_at ?? undefined }))
  const left = omitted + newest.length - runs.length
  const text = JSON.stringify({
    runs,
    ...(left > 0 && { omitted_runs: left }),
    ...(warning !== undefined && { warning }),
    read: { output: `${RUNS_URI}/{session_id}/output`, receipt: `${RUNS_URI}/{session_id}/receipt` },
  })
  return { uri: RUNS_URI, mimeType: 'application/json', text }
}

/** A page of resources: two for each run, newest run first. `cursor`: the last run of the page before. */
export function resourcePage({ items }: EveryRun, cursor: string | undefined): ResourcePage {
  const newest = newestFirst(items).slice(0, MOST_RUNS)
  const before = cursor === undefined ? -1 : newest.findIndex(({ session_id }) => session_id === cursor)
  if (cursor !== undefined && before < 0)
    throw new TermError('PM_TERM_INVALID_PAYLOAD', 'This cursor is too old. List again without one.')
  const page = newest.slice(before + 1, before + 1 + RUNS_A_PAGE)
  const last = page.at(-1)
  const isMore = before + 1 + page.length < newest.length
  return {
    resources: [...(cursor === undefined ? [ALL_RUNS] : []), ...page.flatMap(entriesOf)],
    ...(isMore && last && { nextCursor: last.session_id }),
  }
}

function entriesOf(item: ListItem): ResourceEntry[] {
  const { session_id: id, state, exit_code, ended_at } = item
  // A command may hold anything; a list of names is one line each.
  const command = item.command.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  const title = command.length > LONGEST_TITLE ? `${command.slice(0, LONGEST_TITLE)}…` : command
  const description = exit_code === null ? state : `${state} ${exit_code}`
  const when = ended_at === null ? {} : { annotations: { lastModified: ended_at } }
  return [
    { uri: outputUri(id), name: `${id} output`, title, description, mimeType: 'text/plain', ...when },
    { uri: receiptUri(id), name: `${id} receipt`, title, description, mimeType: 'application/json', ...when },
  ]
}
