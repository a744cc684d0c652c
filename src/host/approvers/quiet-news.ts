import { Announcer } from '../../base/announcer.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import type { BlockedCommandList } from '../runs/blocked-commands.ts'
import type { LeftRuns } from '../runs/left-runs.ts'

export interface QuietNewsDeps {
  readonly clock: Clock
  readonly left: LeftRuns
  readonly blocked: BlockedCommandList
}

/** However many commands an agent tries, a person hears of it a few times a second at most. */
const SENT_EVERY_MS = 250

/** What an approver is sent besides questions: what was left running, and what was refused without asking. */
export function quietNews({ clock, left, blocked }: QuietNewsDeps, send: (frame: ToApprover) => void): Disposable {
  const life = new Disposables()
  const sendLeft = (): void => send({ type: 'left_running', items: left.list() })
  const sendBlocked = (): void => send({ type: 'blocked_commands', count: blocked.count, items: [...blocked.items] })
  if (left.list().length > 0) sendLeft()
  life.add(left.watch(sendLeft))
  const soon = life.add(new Announcer<'blocked'>(clock, SENT_EVERY_MS, sendBlocked))
  if (blocked.count > 0) sendBlocked()
  life.add(blocked.watch(() => soon.changed('blocked')))
  return life
}
