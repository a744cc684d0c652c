import { basename } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import type { ApprovalQueue } from './approval-queue.ts'

/** What a program of the person's is told when a question is about to expire: enough to reach for the window, nothing to decide by. */
export interface LateQuestions {
  /** Questions that wait for an answer now. */
  readonly waiting: number
  /** The name of the project's folder; null: it belongs to none. */
  readonly project: string | null
  readonly expires_in_s: number
  /** Only where the person wants it told. */
  readonly command?: string
}

export interface ReminderDeps {
  readonly clock: Clock
  readonly queue: ApprovalQueue
  /** The program that the person may have set. */
  readonly notify: (late: LateQuestions) => void
  readonly showsCommand: boolean
}

const HALF = 1 / 2
const LATE = 3 / 4

/** Notifies again of a question that nobody has answered: at half of its time, and once more when three quarters are over. */
export function remindOfQuestions({ clock, queue, notify, showsCommand }: ReminderDeps): Disposable {
  const waiting = new Map<string, Disposables>()
  const end = (askId: string): void => {
    waiting.get(askId)?.dispose()
    waiting.delete(askId)
  }

  const late = (question: Question): void => {
    queue.remind(question.ask_id, 'late')
    const expires_in_s = Math.round((question.expires_in_ms * (1 - LATE)) / 1000)
    const shown = showsCommand && question.kind === 'command' ? { command: question.command } : {}
    notify({ waiting: queue.pending.length, project: projectOf(question), expires_in_s, ...shown })
  }

  const listening = queue.listen({
    asked(question) {
      // A question that is shown again, changed, keeps its time.
      if (waiting.has(question.ask_id)) return
      const timers = new Disposables()
      waiting.set(question.ask_id, timers)
      timers.add(clock.after(question.expires_in_ms * HALF, () => queue.remind(question.ask_id, 'half')))
      timers.add(clock.after(question.expires_in_ms * LATE, () => late(question)))
    },
    answered: end,
    withdrawn: end,
  })
  return {
    dispose: () => {
      listening.dispose()
      for (const askId of waiting.keys()) end(askId)
    },
  }
}

function projectOf(question: Question): string | null {
  return question.kind === 'command' && question.project.kind !== 'none' ? basename(question.project.directory) : null
}
