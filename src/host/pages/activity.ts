import { Announcer } from '../../base/announcer.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { isAlive, type ProcessTable } from '../../base/process/process-table.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { dayActivity, newSince, type RequestersRun } from '../../runs/activity/day-activity.ts'
import type { StoredRun } from '../../runs/store/ledger.ts'
import type { ClientSessions } from '../clients/sessions.ts'
import type { RepeatedLine } from '../gate/rule-for.ts'
import { PERSON } from '../names.ts'
import type { RulesDeps } from '../questions/ask-rules.ts'
import type { InteractiveLane } from '../runs/interactive-lane.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import { answered, done, failed, type HostPage, type PageWindow } from './page.ts'
import { proposeRules } from './propose-rules.ts'

export interface ActivityDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly runs: Pick<RequesterRuns, 'everybody'>
  readonly lane: Pick<InteractiveLane, 'watch'>
  readonly sessions: ClientSessions
  readonly table: ProcessTable
  readonly rules: RulesDeps
  readonly ruleFor: (line: RepeatedLine) => { readonly workspaceId: string; readonly patterns: readonly string[] }
  /** Sends a request once more, as a client of its own. */
  readonly ask: (line: RepeatedLine) => Promise<void>
}

/** On the card of what is asked again. */
export const ASKED_AGAIN = 'You asked for it once more on the page Activity. No agent waits for its output.'

/** More of a day is not looked through. */
const MOST_RUNS = 500
const COUNTED_EVERY_MS = 1000
/** Headless servers write their ledgers without the host. */
const LOOKED_EVERY_MS = 20_000

/** What ran by rule, was refused, expired or was taken back without the person, and what they may do about it. */
export function activityPage(deps: ActivityDeps): HostPage {
  const { clock, lane, sessions } = deps
  // What happened before this host started is no news of it.
  let seenAt = clock.now()
  const open = new Set<() => void>()

  return {
    open(window) {
      const life = new Disposables()
      let told = 0
      const count = (): void => {
        const news = newSince(recentRuns(deps), seenAt)
        if (news !== told) window.send({ type: 'activity_news', count: news })
        told = news
      }
      const counting = life.add(new Announcer<'news'>(clock, COUNTED_EVERY_MS, count))
      const changed = (): void => counting.changed('news')
      open.add(changed)
      life.defer(() => void open.delete(changed))
      life.add(lane.watch(changed))
      life.add(sessions.watch(changed))
      life.add(nowAndThen(clock, changed))
      changed()

      return {
        dispose: () => life.dispose(),
        receive(frame) {
          switch (frame.type) {
            case 'activity_show':
              show(deps, window, frame)
              return true
            case 'activity_seen':
              seenAt = clock.now()
              for (const each of open) each()
              window.send(done(frame.request_id))
              return true
            case 'activity_ask':
              void answered(window, frame.request_id, {
                act: () => deps.ask(lineOf(deps, frame)),
                what: 'It was not asked again',
              })
              return true
            case 'activity_rule':
              void answered(window, frame.request_id, { act: () => askForRule(deps, frame), what: 'No rule was made' })
              return true
            default:
              return false
          }
        },
      }
    },
  }
}

function nowAndThen(clock: Clock, look: () => void): Disposable {
  let timer = clock.after(LOOKED_EVERY_MS, again)
  function again(): void {
    look()
    timer = clock.after(LOOKED_EVERY_MS, again)
  }
  return { dispose: () => timer.dispose() }
}

function recentRuns({ runs }: ActivityDeps): RequestersRun[] {
  return agentsIn(runs).flatMap(({ requester, store }) => store.recent(MOST_RUNS).runs.map(run => ({ requester, run })))
}

/** Not the person, who asks nobody. */
const agentsIn = (runs: ActivityDeps['runs']) => runs.everybody().filter(({ requester }) => requester !== PERSON)

function show(
  deps: ActivityDeps,
  { send }: PageWindow,
  { request_id, since }: { request_id: string; since: number },
): void {
  try {
    const all = recentRuns(deps)
    const today = all.filter(({ run }) => (run.ended?.at ?? 0) >= since)
    const { items, isAll } = dayActivity(today, each => stillAsks(deps, each))
    send({ type: 'activity_shown', request_id, items, is_part: !isAll || today.length >= MOST_RUNS })
  } catch (cause) {
    send(failed(request_id, 'PM_TERM_INTERNAL', `The ledgers cannot be read: ${(cause as Error).message}`))
  }
}

/** The one that asked is still there: its server lives, or it is connected under the same name. */
function stillAsks({ sessions, table }: ActivityDeps, { requester, run: { opened } }: RequestersRun): boolean {
  const { lane, server, client } = opened
  if (lane === 'headless') return isAlive(table, { ...server, boot: null })
  return sessions.clients().some(each => each.requester === requester && each.name === client)
}

interface RunNamed {
  readonly requester: string
  readonly run_id: string
}

/** The request as its ledger has it. */
function recordOf({ runs }: ActivityDeps, { requester, run_id }: RunNamed): StoredRun {
  const known = agentsIn(runs)
    .find(each => each.requester === requester)
    ?.store.find(run_id)
  if (!known) throw new TermError('PM_TERM_NOT_FOUND', 'That request is no longer in the record.')
  return known
}

/** Throws when it cannot be sent as it was. */
function lineOf(deps: ActivityDeps, named: RunNamed): RepeatedLine {
  const run = recordOf(deps, named)
  const { command, args, cwd, env_names } = run.opened
  if (env_names.length > 0)
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      `It sets ${env_names.join(', ')}, and values are not kept: let the agent ask again.`,
    )
  if (!stillAsks(deps, { requester: named.requester, run }))
    throw new TermError('PM_TERM_NOT_FOUND', 'The agent that asked for it is gone, so nothing was asked again.')
  return { command, args, cwd }
}

function askForRule(deps: ActivityDeps, named: RunNamed): Promise<void> {
  const { command, args, cwd } = recordOf(deps, named).opened
  const { workspaceId, patterns } = deps.ruleFor({ command, args, cwd })
  return proposeRules(deps, { page: 'Activity page', workspaceId, added: patterns })
}
