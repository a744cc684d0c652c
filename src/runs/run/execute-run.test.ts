import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import type { EndedLine } from '../../contract/disk/run-record.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Plan } from '../plan/plan.ts'
import { type Answer, nobodyToAsk } from './approver.ts'
import { executeRun, type RunDeps, type StartedProcess } from './execute-run.ts'
import { Run } from './run.ts'
import type { RunRequest } from './run-request.ts'

const root = mkdtempSync(join(tmpdir(), 'it-spine-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type End = Awaited<StartedProcess['ended']>
const PLAN: Plan = {
  command: 'make',
  argv: ['make'],
  cwd: '/project',
  cwdIdentity: '1:2',
  visits: [],
  env: {},
  leftOut: [],
  executable: { path: '/usr/bin/make', identity: 'one' },
  alsoRuns: [],
  foundWhenRun: [],
  looked: null,
  commands: [],
  scriptBodies: [],
  loads: null,
  carry: false,
  jail: null,
  hash: 'hash-of-the-plan',
}
const verdictOf = (verdict: Verdict['verdict']): Verdict => ({
  verdict,
  why: 'because',
  parts: [],
  flags: [],
  tier: 'none' as const,
  reaches: [],
})

/** A gate, a person and a process that do what the test says. */
function world(verdict: Verdict['verdict'], more: Partial<RunDeps> & { killAfterMs?: number } = {}) {
  const clock = new FakeClock()
  const recorded: EndedLine[] = []
  const spawned: Plan[] = []
  const killed: string[] = []
  const cancel = new AbortController()
  let end: (how: End) => void = () => {}
  let answer: (answer: Answer) => void = () => {}
  const request: RunRequest = {
    id: 'run-1',
    idIs: 'made',
    traceId: 'trace-1',
    clientRequestId: null,
    requester: 'local',
    command: 'make',
    args: null,
    env: {},
    cwd: '/project',
    workspaceId: null,
    killAfterMs: more.killAfterMs ?? null,
    payloadHash: 'hash',
  }
  const store = { appendAfter: (line: EndedLine) => void recorded.push(line) }
  const run = new Run({ store: store as never, clock, quotaBytes: 1e6 }, request, join(root, 'out'))
  const deps: RunDeps = {
    clock,
    approver: {
      ask: () => new Promise(resolve => (answer = resolve)),
      present: async () => true,
      absence: () => 'nobody',
    },
    judge: () => ({ verdict: verdictOf(verdict), plan: () => PLAN }),
    spawn: async (_, plan) => {
      spawned.push(plan)
      return { pid: 7, pidStart: '70', ended: new Promise(resolve => (end = resolve)) }
    },
    killedByAnother: () => false,
    processesOf: () => [],
    kill: async () => {
      killed.push('tree')
      end({ exitCode: null, signal: 'SIGTERM', drained: true })
      return []
    },
    ...more,
  }
  const life = executeRun(deps, run, cancel.signal).catch((cause: Error) => cause)
  return {
    run,
    clock,
    recorded,
    spawned,
    killed,
    life,
    cancel,
    end: (how: End) => end(how),
    exit: (exitCode: number) => end({ exitCode, signal: null, drained: true }),
    answer: (kind: Answer) => answer(kind),
  }
}

test('what a rule covers has been started by the time its caller goes on', () => {
  const { spawned } = world('auto', { approver: nobodyToAsk })
  expect(spawned).toEqual([PLAN])
})

test('what a rule covers runs at once, exactly as it was planned, and ends with the exit code of its process', async () => {
  const { run, spawned, exit, life, clock, recorded } = world('auto')
  await idle()
  await clock.advance(40)
  exit(3)
  await life
  expect(spawned).toEqual([PLAN])
  expect(run.state).toEqual({ at: 'exited', exitCode: 3, signal: null, startedAt: 0, endedAt: 40, tookMs: 40 })
  expect([run.planHash, recorded]).toEqual(['hash-of-the-plan', [run.line()]])
})

test.each([
  { verdict: 'blocked', because: 'policy' },
  { verdict: 'destructive', because: 'destructive' },
] as const)('what is $verdict never starts', async ({ verdict, because }) => {
  const { run, spawned, life } = world(verdict)
  await life
  expect(run.state).toEqual({ at: 'blocked', why: 'because', because, endedAt: 0 })
  expect(spawned).toEqual([])
})

test('what needs a yes waits for it and then runs', async () => {
  const { run, spawned, answer, exit, life } = world('approval')
  await idle()
  expect([run.state, spawned]).toEqual([{ at: 'awaiting_approval', since: 0 }, []])
  answer({ kind: 'approved', instead: null })
  await idle()
  expect([run.state.at, spawned]).toEqual(['running', [PLAN]])
  exit(0)
  await life
  expect(run.state.at).toBe('exited')
})

test('a line that a person wrote instead runs by the plan they were shown', async () => {
  const { run, spawned, answer, exit, life } = world('approval')
  await idle()
  const instead = { ...PLAN, command: 'expr two', hash: 'hash-of-the-edit' }
  answer({ kind: 'approved', instead: { command: 'expr two', verdict: verdictOf('approval'), plan: () => instead } })
  await idle()
  exit(0)
  await life
  expect([spawned, run.commandExecuted, run.planHash]).toEqual([[instead], 'expr two', 'hash-of-the-edit'])
})

test('what nobody may run does not run, whoever wrote it', async () => {
  const { run, spawned, answer, life } = world('approval')
  await idle()
  answer({ kind: 'approved', instead: { command: 'x', verdict: verdictOf('destructive'), plan: () => PLAN } })
  await life
  expect([run.state.at, spawned]).toEqual(['blocked', []])
})

test.each([
  { answer: { kind: 'declined', reason: 'not on Friday' }, state: { at: 'declined', reason: 'not on Friday' } },
  { answer: { kind: 'declined', reason: null }, state: { at: 'declined', reason: null } },
  { answer: { kind: 'expired', afterMs: 9000 }, state: { at: 'expired', limitMs: 9000 } },
  { answer: { kind: 'withdrawn' }, state: { at: 'withdrawn' } },
  { answer: { kind: 'nobody' }, state: { at: 'blocked', why: 'nobody could be asked', because: 'nobody' } },
] as const)('an answer that is not a yes ($answer.kind) starts nothing', async ({ answer: given, state }) => {
  const { run, spawned, answer, life } = world('approval')
  await idle()
  answer(given)
  await life
  expect([run.state, spawned]).toEqual([{ ...state, endedAt: 0 }, []])
})

test('where nobody can be asked, a question is a refusal', async () => {
  const { run, spawned, life } = world('approval', { approver: nobodyToAsk })
  await life
  expect([run.state.at, spawned]).toEqual(['blocked', []])
})

test('a question that cannot be put ends the run and starts nothing', async () => {
  const { run, spawned, life } = world('approval', {
    approver: { ask: () => Promise.reject(new Error('no window')), present: async () => true, absence: () => 'nobody' },
  })
  await life
  expect([run.state, spawned]).toEqual([{ at: 'failed', fault: 'ours', problem: 'no window', endedAt: 0 }, []])
})

test('cancelled before it starts, it is withdrawn and never starts', async () => {
  const { run, spawned, cancel, life } = world('auto')
  cancel.abort('cancelled')
  await life
  expect([run.state, spawned]).toEqual([{ at: 'withdrawn', by: 'cancelled', endedAt: 0 }, []])
})

test('a yes that comes after the cancel starts nothing', async () => {
  const { run, spawned, cancel, answer, life } = world('approval')
  await idle()
  cancel.abort('cancelled')
  answer({ kind: 'approved', instead: null })
  await life
  expect([run.state, spawned]).toEqual([{ at: 'withdrawn', by: 'cancelled', endedAt: 0 }, []])
})

test('cancelled while the process is being started, its tree is ended as soon as it is there', async () => {
  let started: (process: StartedProcess) => void = () => {}
  let end: (how: End) => void = () => {}
  const { run, cancel, life } = world('auto', {
    spawn: () => new Promise(resolve => (started = resolve)),
    kill: async () => {
      end({ exitCode: null, signal: 'SIGTERM', drained: true })
      return []
    },
  })
  await idle()
  cancel.abort('kill')
  started({ pid: 7, pidStart: '70', ended: new Promise(resolve => (end = resolve)) })
  await life
  expect(run.state).toMatchObject({ at: 'killed', by: 'kill', survivors: [] })
})

test('a gate that breaks means no', async () => {
  const { run, spawned, life } = world('auto', {
    judge: () => {
      throw new Error('the rules cannot be read')
    },
  })
  await life
  expect([run.state, spawned]).toEqual([
    { at: 'failed', fault: 'ours', problem: 'the rules cannot be read', endedAt: 0 },
    [],
  ])
})

test('a plan that cannot be made starts nothing', async () => {
  const { run, spawned, life } = world('auto', {
    judge: () => ({
      verdict: verdictOf('auto'),
      plan: () => {
        throw new Error('the program is gone')
      },
    }),
  })
  await life
  expect([run.state, spawned]).toEqual([
    { at: 'failed', fault: 'ours', problem: 'the program is gone', endedAt: 0 },
    [],
  ])
})

test('a process that does not start is a failed run with the reason of the system', async () => {
  const { run, life } = world('auto', { spawn: () => Promise.reject(new Error('spawn E2BIG')) })
  await life
  expect(run.state).toEqual({ at: 'failed', fault: 'ours', problem: 'spawn E2BIG', endedAt: 0 })
})

test('kill_after_ms ends the whole tree, counted from the start of the process', async () => {
  const { run, killed, clock, life } = world('auto', { killAfterMs: 100 })
  await idle()
  await clock.advance(99)
  expect([run.state.at, killed]).toEqual(['running', []])
  await clock.advance(1)
  await life
  expect([run.state, killed]).toEqual([
    { at: 'timed_out', survivors: [], limitMs: 100, startedAt: 0, endedAt: 100, tookMs: 100 },
    ['tree'],
  ])
})

test('a process that ends in time takes its kill_after_ms with it', async () => {
  const { killed, clock, exit, life } = world('auto', { killAfterMs: 100 })
  await idle()
  exit(0)
  await life
  await clock.advance(1000)
  expect([killed, clock.pending]).toEqual([[], 0])
})

test.each(['kill', 'cancelled'] as const)('stopped by %s, it is killed, and who asked first is told', async by => {
  const { run, killed, cancel, clock, life } = world('auto', { killAfterMs: 50 })
  await idle()
  cancel.abort(by)
  await life
  await clock.advance(100)
  expect([run.state, killed]).toEqual([
    { at: 'killed', by, survivors: [], startedAt: 0, endedAt: 0, tookMs: 0 },
    ['tree'],
  ])
})

test('a killed run is over only when all of its tree is gone, and names who is left', async () => {
  let gone: (left: number[]) => void = () => {}
  const { run, cancel, exit, life } = world('auto', { kill: () => new Promise(resolve => (gone = resolve)) })
  await idle()
  cancel.abort('kill')
  exit(0)
  await idle()
  expect(run.state.at).toBe('running')
  gone([42])
  await life
  expect(run.state).toMatchObject({ at: 'killed', survivors: [42] })
})

test('a killed run whose output closes while the last of its tree is being ended is drained', async () => {
  let gone: (left: number[]) => void = () => {}
  const { run, cancel, end, life } = world('auto', { kill: () => new Promise(resolve => (gone = resolve)) })
  await idle()
  cancel.abort('kill')
  end({ exitCode: null, signal: 'SIGTERM', drained: false })
  await idle()
  run.close()
  gone([])
  await life
  expect(run.status()).toMatchObject({ state: { at: 'killed' }, drained: true })
})

test('a kill that breaks does not leave a dead process listed as running for ever', async () => {
  const { run, cancel, exit, life } = world('auto', { kill: () => Promise.reject(new Error('/proc: EMFILE')) })
  await idle()
  cancel.abort('kill')
  exit(0)
  await life
  expect(run.over).toBe(true)
})

test('when whoever owned its terminal dies, a run is lost, and those of it that live are named', async () => {
  const { run, life, end } = world('auto', { processesOf: () => [8, 9] })
  await idle()
  end('lost')
  await life
  expect(run.state).toEqual({ at: 'lost', startedAt: 0, endedAt: 0, survivors: [8, 9] })
})
