import type { ActivityItem } from '../../contract/window/activity-frames.ts'
import type { StoredRun } from '../store/ledger.ts'

/** A run of a requester, as its ledger has it. */
export interface RequestersRun {
  readonly requester: string
  readonly run: StoredRun
}

const LONGEST_COMMAND = 500
const MOST_ITEMS = 100

/** What happened without the person: the same line by the same asker in the same place is one item, newest first. */
export function dayActivity(
  runs: readonly RequestersRun[],
  asks: (run: RequestersRun) => boolean,
): { readonly items: ActivityItem[]; readonly isAll: boolean } {
  const groups = new Map<string, ActivityItem>()
  for (const each of runs.toSorted((a, b) => endOf(b.run) - endOf(a.run))) {
    const kind = kindOf(each.run)
    if (kind === null) continue
    const { requester } = each
    const { command, args, cwd, client = '' } = each.run.opened
    const key = JSON.stringify([kind, requester, client, command, args, cwd])
    const known = groups.get(key)
    groups.set(key, known ? { ...known, times: known.times + 1 } : itemOf(each, kind, asks))
  }
  const items = [...groups.values()]
  return { items: items.slice(0, MOST_ITEMS), isAll: items.length <= MOST_ITEMS }
}

/** How many of them were over after that. */
export const newSince = (runs: readonly RequestersRun[], at: number): number =>
  runs.filter(({ run }) => kindOf(run) !== null && endOf(run) > at).length

const endOf = ({ ended, opened }: StoredRun): number => ended?.at ?? opened.at

/** null: the person approved or declined it, so they know. */
function kindOf({ opened, ended, allowed }: StoredRun): ActivityItem['kind'] | null {
  if (ended === null) return null
  // Nobody was there to be asked: for the person that is a question they missed.
  if (ended.state === 'blocked' && ended.unshown === true) return 'expired'
  if (ended.state === 'blocked' || ended.state === 'expired' || ended.state === 'withdrawn') return ended.state
  const by = ended.approved_by ?? allowed?.approved_by
  if (by !== 'allowlist') return null
  return opened.lane === 'headless' ? 'headless' : 'by_rule'
}

function itemOf(each: RequestersRun, kind: ActivityItem['kind'], asks: (run: RequestersRun) => boolean): ActivityItem {
  const { requester, run } = each
  const { id, lane, client = '', command, args, cwd, env_names } = run.opened
  const { ended } = run
  const isStopped = kind === 'blocked' || kind === 'expired' || kind === 'withdrawn'
  const mayAsk = isStopped && ended?.destructive !== true && command !== ''
  return {
    requester,
    run_id: id,
    kind,
    lane,
    client,
    command: [command, ...(args ?? [])].join(' ').slice(0, LONGEST_COMMAND),
    cwd,
    why: isStopped ? (ended?.why ?? ended?.reason ?? null) : ruleOf(run),
    exit_code: ended?.exit_code ?? null,
    times: 1,
    at: new Date(endOf(run)).toISOString(),
    // The values of variables are written down nowhere: without them it would be another request.
    can_ask: mayAsk && env_names.length === 0 && asks(each),
    can_rule: mayAsk,
  }
}

function ruleOf({ ended, allowed }: StoredRun): string | null {
  const verdict = ended?.verdict ?? allowed?.verdict
  const rules = [...new Set([verdict, ...(verdict?.parts ?? [])].flatMap(each => each?.rule ?? []))]
  return rules.length === 0 ? null : rules.join(', ')
}
