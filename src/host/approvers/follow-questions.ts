import { Announcer } from '../../base/announcer.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Surface } from '../../contract/wire/admission-frames.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { Previews } from '../questions/previews.ts'
import type { InteractiveLane } from '../runs/interactive-lane.ts'
import type { EntranceDeps } from './entrance.ts'
import { protectionOn } from './protection.ts'
import { type QuietNewsDeps, quietNews } from './quiet-news.ts'

export interface FollowDeps extends QuietNewsDeps, Pick<EntranceDeps, 'presence' | 'admissions'> {
  readonly queue: ApprovalQueue
  readonly previews: Pick<Previews, 'listen' | 'edited'>
  readonly lane: Pick<InteractiveLane, 'count' | 'watch'>
  readonly inContainer: boolean
}

/** A hundred commands a second are not a hundred numbers a second: no person reads those. */
const COUNTS_EVERY_MS = 50

/** What an admitted approver is sent for as long as it is connected. */
export function followQuestions(
  deps: FollowDeps,
  approver: { readonly surface: Surface; readonly signature: string },
  send: (frame: ToApprover) => void,
): Disposable {
  const { clock, queue, lane, presence, admissions } = deps
  const { surface, signature } = approver
  const life = new Disposables()
  const counts = life.add(new Announcer(clock, COUNTS_EVERY_MS, () => send(presenceFrame(deps))))
  const recount = () => counts.changed('presence')
  const sendAndCount = (frame: ToApprover) => {
    send(frame)
    recount()
  }

  life.add(
    queue.listen({
      asked: sendAndCount,
      answered: (ask_id, outcome, by) =>
        sendAndCount({ type: 'answered', ask_id, outcome, by, yours: by === signature }),
      withdrawn: (ask_id, why) => sendAndCount({ type: 'withdrawn', ask_id, why }),
      notStarted: ask_id => send({ type: 'not_started', ask_id }),
      reminded: (ask_id, stage) => send({ type: 'reminder', ask_id, stage }),
      turnedAway: recount,
    }),
  )

  life.add(admissions.listen(send, surface))
  for (const question of queue.pending) send(question)
  life.add(deps.previews.listen(send))

  life.add(presence.watch(recount))
  life.add(quietNews(deps, send))
  life.add(lane.watch(recount))
  recount()
  return life
}

function presenceFrame({ presence, queue, lane, inContainer }: FollowDeps): ToApprover {
  const { detail } = protectionOn(process.platform, inContainer)
  return {
    type: 'presence',
    approvers: presence.count,
    pending: queue.pending.length,
    turned_away: queue.turnedAway,
    running: Math.max(0, lane.count - queue.pending.filter(({ kind }) => kind === 'command').length),
    protection: detail,
  }
}
