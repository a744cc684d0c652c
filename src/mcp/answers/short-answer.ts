import type { Result } from '../../contract/tool/response.ts'
import type { ListedRun, ListItem } from '../../contract/tool/run-lists.ts'

const MOST_LISTED = 20
const LONGEST_COMMAND = 200

/** A command that took less than this was quick; the exact time is in its receipt. */
const QUICK_MS = 1000

/**
 * A result without what no caller needs: everything here is paid for with a model's attention, in every answer. The hash of
 * the plan is on the card and in the journal; a size says nothing where the whole output is there; a single part of a line
 * is the line; the rule that let a command run is in its receipt; what every headless run has in common is said by its tool.
 */
export function shortResult(whole: Result): Result {
  const { plan_hash: _, signal, output_bytes, verdict, execution_time_ms, adapter, visibility, ...result } = whole
  const isWhole = result.omitted_bytes === undefined && result.lost_bytes === undefined && !result.running
  return {
    ...result,
    ...(signal != null && { signal }),
    ...(output_bytes !== undefined && !(isWhole && output_bytes === result.cursor) && { output_bytes }),
    ...(execution_time_ms !== undefined && execution_time_ms >= QUICK_MS && { execution_time_ms }),
    ...(verdict && verdict.verdict !== 'auto' && verdict.verdict !== 'try' && { verdict: shortVerdict(verdict) }),
    ...(adapter !== undefined && adapter !== 'headless_process' && { adapter, ...(visibility && { visibility }) }),
  }
}

function shortVerdict({ parts, ...verdict }: NonNullable<Result['verdict']>): NonNullable<Result['verdict']> {
  const [only, ...others] = parts ?? []
  const saysNoMore = only !== undefined && others.length === 0 && only.why === verdict.why && only.rule === null
  return parts === undefined || saysNoMore ? verdict : { ...verdict, parts }
}

/** What is not over yet, whatever its number, and then the newest. */
export function shortList(items: readonly ListItem[]): { items: ListedRun[]; cwd: string | null; omitted: number } {
  const newest = newestFirst(items)
  const open = newest.filter(isOpen)
  const over = newest.filter(item => !isOpen(item)).slice(0, Math.max(0, MOST_LISTED - open.length))
  const cwd = mostOften([...open, ...over].map(item => item.cwd))
  return {
    items: [...open, ...over].map(item => listed(item, cwd)),
    cwd,
    omitted: items.length - open.length - over.length,
  }
}

function mostOften(texts: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

export const newestFirst = (items: readonly ListItem[]): ListItem[] => items.toSorted((a, b) => startOf(b) - startOf(a))

const isOpen = ({ state }: ListItem): boolean =>
  state === 'running' || state === 'awaiting_approval' || state === 'received'

/** What never started is as new as its end; what still waits is newest. */
function startOf({ started_at, ended_at }: ListItem): number {
  const at = started_at ?? ended_at
  return at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at)
}

export function listed(item: ListItem, usual: string | null = null): ListedRun {
  const { session_id, terminal_id, adapter, owner, state, exit_code, command, cwd, workspace_id, started_at } = item
  return {
    session_id,
    ...(terminal_id !== null && { terminal_id }),
    ...(adapter !== 'headless_process' && { adapter }),
    ...(owner !== 'this_server' && { owner }),
    state,
    ...(exit_code !== null && { exit_code }),
    command: command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND)}…` : command,
    ...(cwd !== usual && { cwd }),
    ...(workspace_id !== null && { workspace_id }),
    ...(started_at !== null && { started_at: started_at.replace(/\.\d+Z$/, 'Z') }),
    ...(item.output_bytes > 0 && { output_bytes: item.output_bytes }),
    ...(item.survivors && { survivors: item.survivors }),
  }
}
