import type { ListedRun, ListItem, Result } from '../../contract/tool/response.ts'

const MOST_LISTED = 20
const LONGEST_COMMAND = 200

/**
 * A result without what no caller needs: everything here is paid for with a model's attention, in every answer. The hash of
 * the plan is on the card and in the journal; a size says nothing where the whole output is there; a single part of a line
 * is the line.
 */
export function shortResult({ plan_hash: _, signal, output_bytes, verdict, ...result }: Result): Result {
  const isWhole = result.omitted_bytes === undefined && result.lost_bytes === undefined && !result.running
  return {
    ...result,
    ...(signal != null && { signal }),
    ...(output_bytes !== undefined && !(isWhole && output_bytes === result.cursor) && { output_bytes }),
    ...(verdict && { verdict: shortVerdict(verdict) }),
  }
}

function shortVerdict({ parts, ...verdict }: NonNullable<Result['verdict']>): NonNullable<Result['verdict']> {
  const [only, ...others] = parts ?? []
  const saysNoMore = only !== undefined && others.length === 0 && only.why === verdict.why && only.rule === null
  return parts === undefined || saysNoMore ? verdict : { ...verdict, parts }
}

/** What is not over yet, whatever its number, and then the newest. */
export function shortList(items: readonly ListItem[]): { items: ListedRun[]; omitted: number } {
  const newest = newestFirst(items)
  const open = newest.filter(isOpen)
  const over = newest.filter(item => !isOpen(item)).slice(0, Math.max(0, MOST_LISTED - open.length))
  return { items: [...open, ...over].map(listed), omitted: items.length - open.length - over.length }
}

export const newestFirst = (items: readonly ListItem[]): ListItem[] => items.toSorted((a, b) => startOf(b) - startOf(a))

const isOpen = ({ state }: ListItem): boolean =>
  state === 'running' || state === 'awaiting_approval' || state === 'received'

/** What never started is as new as its end; what still waits is newest. */
function startOf({ started_at, ended_at }: ListItem): number {
  const at = started_at ?? ended_at
  return at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at)
}

export function listed(item: ListItem): ListedRun {
  const { session_id, terminal_id, adapter, owner, state, exit_code, command, cwd, workspace_id, started_at } = item
  return {
    session_id,
    ...(terminal_id !== null && { terminal_id }),
    adapter,
    ...(owner !== 'this_server' && { owner }),
    state,
    ...(exit_code !== null && { exit_code }),
    command: command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND)}…` : command,
    cwd,
    ...(workspace_id !== null && { workspace_id }),
    ...(started_at !== null && { started_at }),
    ...(item.output_bytes > 0 && { output_bytes: item.output_bytes }),
    ...(item.survivors && { survivors: item.survivors }),
  }
}
