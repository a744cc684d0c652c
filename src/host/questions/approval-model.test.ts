import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import type { Answer } from '../../runs/run/approver.ts'
import { executeRun } from '../../runs/run/execute-run.ts'
import { Run } from '../../runs/run/run.ts'
import { ApprovalQueue, type QuestionOutcome } from './approval-queue.ts'
import { Presence } from './presence.ts'

/** Anything that can happen, in any order: what starts was approved or covered by a rule, and starts once. */
const Step = fc.oneof(
  fc.record({ do: fc.constant('submit' as const), verdict: fc.constantFrom('auto', 'approval', 'destructive') }),
  fc.record({ do: fc.constantFrom('show', 'approve', 'decline', 'cancel', 'replay'), which: fc.nat(9) }),
  fc.record({ do: fc.constant('approver' as const), there: fc.boolean() }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 400, 15_000, 60_000) }),
)

test('nothing starts that nobody approved and no rule covers, and nothing starts twice', async () => {
  let byPerson = 0
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 60 }), async steps => {
      const world = new World()
      for (const step of steps) {
        await world.take(step)
        await idle()
      }
      await world.clock.advance(600_000)
      const started = [...world.started].sort()
      byPerson += [...world.runs.values()].filter(({ run }) => run.approvedBy === 'person').length
      expect(new Set(started).size).toBe(started.length)
      expect(started.filter(id => !world.mayStart.has(id))).toEqual([])
      expect([...world.runs.values()].filter(({ run }) => !run.over)).toEqual([])
    }),
    { numRuns: 500 },
  )
  // Otherwise the steps never met, and nothing was shown.
  expect(byPerson).toBeGreaterThan(3)
}, 60_000)

class World {
  readonly clock = new FakeClock()
  readonly presence = new Presence(this.clock)
  readonly queue = new ApprovalQueue({
    clock: this.clock,
    ids: randomIds(),
    mostPerRequester: 100,
    mostInAll: 100,
    approverWaitMs: 15_000,
    armingMs: 400,
  })
  readonly runs = new Map<string, { run: Run; cancel: AbortController }>()
  readonly started: string[] = []
  readonly mayStart = new Set<string>()
  /** Every question that ever was, so that an old one can be answered again. */
  readonly questions: Question[] = []

  constructor() {
    this.presence.watch(() => this.queue.approversAre(this.presence.count))
    this.queue.listen({
      asked: question => this.questions.push(question),
      answered() {},
      withdrawn() {},
      turnedAway() {},
    })
  }

  async take(step: { do: string; verdict?: string; which?: number; there?: boolean; ms?: number }): Promise<void> {
    const question = this.questions[(step.which ?? 0) % Math.max(1, this.questions.length)]
    switch (step.do) {
      case 'submit':
        this.#submit(step.verdict ?? 'approval')
        break
      case 'show':
        if (question) this.queue.shown(question.ask_id, 'apr')
        break
      case 'approve':
      case 'replay':
      case 'decline':
        if (question) this.#answer(question, step.do === 'decline' ? 'decline' : 'approve')
        break
      case 'cancel':
        if (question) this.runs.get(question.request_id)?.cancel.abort('cancelled')
        break
      case 'approver':
        if (step.there) this.presence.add('apr', 'ada')
        else this.presence.remove('apr')
        break
      case 'wait':
        await this.clock.advance(step.ms ?? 1)
    }
  }

  #answer({ ask_id, plan_hash }: Question, kind: 'approve' | 'decline'): void {
    const decision = kind === 'approve' ? { kind, scope: { kind: 'once' as const } } : { kind, reason: null }
    this.queue.answer({ type: 'answer', ask_id, plan_hash, decision }, { id: 'apr', name: 'ada' })
  }

  #submit(verdict: string): void {
    const id = `req_${this.runs.size}`
    const store = { append() {}, appendAfter() {} } as never
    const run = new Run({ store, clock: this.clock, quotaBytes: 1 }, { id, killAfterMs: null } as never, '/nowhere')
    const cancel = new AbortController()
    this.runs.set(id, { run, cancel })
    const approver = {
      absence: () => 'nobody could be asked',
      present: (signal: AbortSignal) => this.presence.someone(15_000, signal),
      ask: async (_: unknown, signal: AbortSignal): Promise<Answer> => answerOf(await this.#ask(id, signal)),
    }
    if (verdict === 'auto') this.mayStart.add(id)
    const judged = {
      verdict: { verdict, why: '', parts: [], flags: [] } as never,
      plan: () =>
        ({ hash: id, commands: [], scriptBodies: [], executable: { path: '' }, alsoRuns: [], jail: null }) as never,
    }
    const spawn = async () => {
      this.started.push(id)
      return { pid: 1, pidStart: null, ended: Promise.resolve({ exitCode: 0, signal: null, drained: true }) }
    }
    const deps = {
      clock: this.clock,
      approver,
      judge: () => judged,
      spawn,
      kill: async () => [],
      killedByAnother: () => false,
      processesOf: () => [],
    }
    void executeRun(deps, run, cancel.signal)
  }

  #ask(id: string, signal: AbortSignal): Promise<QuestionOutcome> {
    return this.queue.ask(
      {
        requester: 'local',
        patienceMs: 60_000,
        question: ask_id => ({ ask_id, request_id: id, plan_hash: id }) as Question,
        judge: null,
        objection: () => null,
        commit: decision => {
          if (decision.kind === 'approve') this.mayStart.add(id)
        },
      },
      signal,
    )
  }
}

function answerOf(outcome: QuestionOutcome): Answer {
  if (outcome.kind === 'too_many') return { kind: 'too_many', why: 'too many' }
  if (outcome.kind !== 'answered') return outcome
  return outcome.decision.kind === 'decline' ? { kind: 'declined', reason: null } : { kind: 'approved', instead: null }
}
