import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import type { EndedLine } from '../../contract/disk/run-record.ts'
import type { Answer } from './approver.ts'
import { executeRun, type RunDeps, type StartedProcess } from './execute-run.ts'
import { Run } from './run.ts'

type Verb = 'approve' | 'decline' | 'cancel' | 'kill' | 'exit' | 'time' | 'started'
interface Step {
  readonly run: number
  readonly verb: Verb
}

const step: fc.Arbitrary<Step> = fc.record({
  run: fc.nat(2),
  verb: fc.constantFrom<Verb>('approve', 'decline', 'cancel', 'kill', 'exit', 'time', 'started'),
})
const verdicts = fc.array(fc.constantFrom('auto', 'approval', 'blocked', 'destructive'), { minLength: 3, maxLength: 3 })

const nothing = () => {}

/** One run with everything that can happen to it, each thing as often and as late as a test likes. */
function someRun(name: string, verdict: 'auto' | 'approval' | 'blocked' | 'destructive', clock: FakeClock) {
  const facts = { approved: false, stopAsked: false, spawned: 0, endings: [] as EndedLine[] }
  const cancel = new AbortController()
  let answer: (answer: Answer) => void = nothing
  let begin: (process: StartedProcess) => void = nothing
  let end: (how: Awaited<StartedProcess['ended']>) => void = nothing
  const ended = new Promise<Awaited<StartedProcess['ended']>>(resolve => {
    end = resolve
  })
  const request = {
    id: name,
    idIs: 'made',
    traceId: name,
    clientRequestId: null,
    requester: 'local',
    command: name,
    args: null,
    env: {},
    cwd: '/',
    workspaceId: null,
    killAfterMs: 50,
    payloadHash: name,
  } as const
  const store = { appendAfter: (line: EndedLine) => void facts.endings.push(line) } as never
  const run = new Run({ store, clock, quotaBytes: 1e6 }, request, join(tmpdir(), 'never-written'))
  const deps: RunDeps = {
    clock,
    approver: {
      ask: () =>
        new Promise(resolve => {
          answer = resolve
        }),
      present: async () => true,
      absence: () => 'nobody',
    },
    judge: () => ({
      verdict: { verdict, why: '', parts: [], flags: [], tier: 'none' as const, reaches: [] },
      plan: () => ({
        command: name,
        argv: [],
        cwd: '/',
        cwdIdentity: '',
        visits: [],
        env: {},
        leftOut: [],
        executable: { path: '', identity: '' },
        alsoRuns: [],
        foundWhenRun: [],
        looked: null,
        commands: [],
        scriptBodies: [],
        loads: null,
        carry: false,
        jail: null,
        hash: name,
      }),
    }),
    spawn: () => {
      facts.spawned += 1
      return new Promise(resolve => {
        begin = resolve
      })
    },
    killedByAnother: () => false,
    processesOf: () => [],
    kill: async () => {
      end({ exitCode: null, signal: 'SIGKILL', drained: true })
      return []
    },
  }
  const life = executeRun(deps, run, cancel.signal)
  const verbs: Record<Verb, () => void> = {
    approve() {
      facts.approved ||= run.state.at === 'awaiting_approval'
      answer({ kind: 'approved', instead: null })
    },
    decline: () => answer({ kind: 'declined', reason: null }),
    cancel: () => cancel.abort('cancelled'),
    kill: () => cancel.abort('kill'),
    exit: () => end({ exitCode: 0, signal: null, drained: true }),
    started: () => begin({ pid: 1, pidStart: '1', ended }),
    time: nothing,
  }
  return { run, life, facts, verdict, do: (verb: Verb) => verbs[verb]() }
}

test('whatever happens in whatever order: only what was allowed starts, at most once, and each run ends once', async () => {
  await fc.assert(
    fc.asyncProperty(verdicts, fc.array(step, { maxLength: 25 }), async (kinds, steps) => {
      const clock = new FakeClock()
      const runs = kinds.map((kind, i) => someRun(`run-${i}`, kind, clock))
      for (const { run, verb } of steps) {
        runs[run]?.do(verb)
        if (verb === 'time') await clock.advance(20)
        else await idle()
      }
      // Then the world comes to rest: nobody answers any more, what was starting has started, what runs ends.
      for (const each of runs)
        for (const verb of ['decline', 'started', 'exit'] as const) {
          each.do(verb)
          await idle()
        }
      await Promise.all(runs.map(({ life }) => life))
      for (const { run, facts, verdict } of runs) {
        const allowed = verdict === 'auto' || (verdict === 'approval' && facts.approved)
        expect(facts.spawned).toBeLessThanOrEqual(allowed ? 1 : 0)
        expect([run.over, facts.endings.map(line => line.state)]).toEqual([true, [run.state.at]])
        const ran = ['exited', 'killed', 'timed_out'].includes(run.state.at)
        expect(facts.spawned).toBe(ran ? 1 : 0)
      }
      expect(clock.pending).toBe(0)
    }),
    { numRuns: 150 },
  )
})
