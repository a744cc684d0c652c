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

/** However many commands an agent tries, a person is told a few times a second at most. */
const TOLD_EVERY_MS = 250

/** What an approver is told besides questions: what was left running, and what was refused without asking. */
export function quietNews({ clock, left, blocked }: QuietNewsDeps, send: (frame: ToApprover) => void): Disposable {
  const life = new Disposables()
  const tellLeft = (): void => send({ type: 'left_running', items: left.list() })
  const tellBlocked = (): void => send({ type: 'blocked_commands', count: blocked.count, items: [...blocked.items] })
  if (left.list().length > 0) tellLeft()
  life.add(left.watch(tellLeft))
  const soon = life.add(new Announcer<'blocked'>(clock, TOLD_EVERY_MS, tellBlocked))
  if (blocked.count > 0) tellBlocked()
  life.add(blocked.watch(() => soon.changed('blocked')))
  return life
}
