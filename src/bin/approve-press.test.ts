import { describe, expect, test } from 'vitest'
import type { Question } from '../contract/approver-frames.ts'
import { KeyReader } from './approve-keys.ts'
import { type Circumstances, type Pressed, press } from './approve-press.ts'
import { approveScreen } from './approve-screen.ts'
import { type ApproveState, openState, told } from './approve-state.ts'

const ASKED = Date.parse('2026-01-01T00:00:00.000Z')

const asking = (askId: string, more: Partial<Extract<Question, { kind: 'command' }>> = {}): Question => ({
  type: 'question',
  kind: 'command',
  ask_id: askId,
  requester: 'local',
  client: 'claude',
  request_id: 'req_1',
  trace_id: 'trace_1',
  workspace_id: 'test',
  context: 'the build needs it',
  plan_hash: `plan-of-${askId}`,
  asked_at: '2026-01-01T00:00:00.000Z',
  expires_in_ms: 300_000,
  session_id: 'req_1',
  terminal_id: 'term_1',
  intent: 'execute_command',
  command: 'npm install',
  args: null,
  shell: 'bash',
  cwd: '/project',
  workspace_directory: '/project',
  env: [],
  venv: null,
  executables: ['/usr/bin/npm'],
  stands_for: [],
  verdict: { verdict: 'approval', why: 'no rule covers it', parts: [] },
  grave: false,
  proposed_rules: ['npm install'],
  kill_after_ms: null,
  ...more,
})

/** A state in which the questions have come at 0 and all of the first was seen. */
const showing = (...questions: Question[]): ApproveState => ({
  ...questions.reduce(
    (state, each) => told(state, each, 0, ASKED),
    openState({ grave_text: 'run it', arming_ms: 400 }),
  ),
  seenAll: true,
})

/** Presses keys one by one, a second apart unless said otherwise. */
function pressing(state: ApproveState, text: string, at: Partial<Circumstances> & { every?: number } = {}): Pressed {
  let now = at.now ?? 1000
  let last: Pressed = { state }
  for (const key of [...text].flatMap(char => new KeyReader().read(Buffer.from(char)))) {
    last = press(last.state, key, { now, alone: at.alone ?? true })
    now += at.every ?? 1000
  }
  return last
}

const once = { kind: 'approve', scope: { kind: 'once' } }

test('one key approves what was read', () => {
  expect(pressing(showing(asking('q1')), 'a').answer).toEqual({
    type: 'answer',
    ask_id: 'q1',
    plan_hash: 'plan-of-q1',
    decision: once,
  })
})

describe('nothing is decided', () => {
  test.each([
    ['within 400 ms after the question came up', showing(asking('q1')), 'a', { now: 399 }],
    ['within 400 ms after another key', showing(asking('q1')), 'xa', { every: 100 }],
    ['by a key that is held down', showing(asking('q1')), 'aaaaaaaaaaaaaaaaaaaa', { now: 100, every: 50 }],
    ['by keys that came in one burst', showing(asking('q1')), 'a', { alone: false }],
    ['before all of it was on the screen', { ...showing(asking('q1')), seenAll: false }, 'a', {}],
    ['when nobody asks', showing(), 'a', {}],
  ])('%s', (_, state, keys, at) => {
    expect(pressing(state, keys, at).answer).toBeUndefined()
  })

  test('by a paste', () => {
    const [key] = new KeyReader().read(Buffer.from('\x1b[200~a\x1b[201~'))
    expect(key && press(showing(asking('q1')), key, { now: 1000, alone: true }).answer).toBeUndefined()
  })

  test('by a key meant for the question before', () => {
    const first = showing(asking('q1'), asking('q2'))
    const next = told(first, { type: 'withdrawn', ask_id: 'q1', why: 'cancelled' }, 1000, ASKED)
    expect(next.current).toBe('q2')
    expect(pressing({ ...next, seenAll: true }, 'a', { now: 1200 }).answer).toBeUndefined()
  })
})

test('a no carries the reason', () => {
  const { answer } = pressing(showing(asking('q1')), 'dnot on a Friday\r')
  expect(answer?.decision).toEqual({ kind: 'decline', reason: 'not on a Friday' })
})

test('a no needs no reason', () => {
  expect(pressing(showing(asking('q1')), 'd\r').answer?.decision).toEqual({ kind: 'decline', reason: null })
})

test('an edited line is looked at before it is approved', () => {
  const edited = pressing(showing(asking('q1')), 'e --dry-run\r')
  expect([edited.state.mode, edited.answer]).toEqual([{ at: 'checking', command: 'npm install --dry-run' }, undefined])
  expect(pressing(edited.state, 'a', { now: 60_000 }).answer?.decision).toEqual({
    kind: 'edit',
    command: 'npm install --dry-run',
  })
})

test('a yes can reach further, with the rules it proposes', () => {
  const decided = (keys: string) => pressing(showing(asking('q1')), keys).answer?.decision
  const rules = ['npm install']
  expect(decided('s1')).toEqual(once)
  expect(decided('s2\r')).toEqual({ kind: 'approve', scope: { kind: 'terminal', rules } })
  expect(decided('s3\r')).toEqual({ kind: 'approve', scope: { kind: 'workspace', rules } })
  expect(decided('s5\r')).toEqual({ kind: 'approve', scope: { kind: 'time', minutes: 60, rules } })
  expect(decided('s3 -D\r')).toEqual({ kind: 'approve', scope: { kind: 'workspace', rules: ['npm install -D'] } })
})

describe('a command that is hard to undo', () => {
  const grave = showing(asking('q1', { grave: true, command: 'git push --force' }))

  test('is typed out', () => {
    expect(pressing(grave, 'arun it\r').answer?.decision).toEqual({ ...once, typed: 'run it' })
  })

  test.each([
    ['one key', 'a'],
    ['another text', 'arun\r'],
    ['a wider scope', 's2\r'],
  ])('is not approved by %s', (_, keys) => {
    expect(pressing(grave, keys).answer).toBeUndefined()
  })
})

test('a question that is withdrawn meanwhile says so', () => {
  const state = told(showing(asking('q1')), { type: 'withdrawn', ask_id: 'q1', why: 'cancelled' }, 5000, ASKED)
  expect(state.notice).toBe('last: npm install — withdrawn: the agent no longer wants it')
  expect(approveScreen(state, { columns: 80, rows: 24 }, 5000).rows.join('\n')).toContain('no longer wants it')
})

test('an answer that did not count leaves the question open, and says why', () => {
  const sent = pressing(showing(asking('q1')), 'a').state
  const state = told(sent, { type: 'answer_refused', ask_id: 'q1', problem: 'too fast', open: true }, 2000, ASKED)
  expect([state.mode.at, state.current, state.notice]).toEqual(['looking', 'q1', 'Your answer did not count: too fast'])
})

test('a line that was edited into one that is hard to undo is typed out', () => {
  const sent = pressing(pressing(showing(asking('q1')), 'ex\r').state, 'a', { now: 9000 }).state
  const problem = 'This is hard to undo: type "run it" to approve it.'
  const state = told(sent, { type: 'answer_refused', ask_id: 'q1', problem, open: true }, 9100, ASKED)
  expect(pressing(state, 'run it\r', { now: 10_000 }).answer?.decision).toEqual({
    kind: 'edit',
    command: 'npm installx',
    typed: 'run it',
  })
})

test('several questions wait in line, and none takes the place of the one that is read', () => {
  const state = showing(asking('q1'), asking('q2'), asking('q3'))
  expect(state.current).toBe('q1')
  expect(pressing(state, '\t').state.current).toBe('q2')
  expect(approveScreen(state, { columns: 80, rows: 24 }, 0).rows[0]).toContain('question 1 of 3')
})

describe('the screen', () => {
  const text = (question: Question, size = { columns: 80, rows: 40 }) =>
    approveScreen(showing(question), size, 12_000).rows.join('\n')

  test('shows all a person needs to decide', () => {
    const shown = text(asking('q1', { env: [{ name: 'CI', value: '1' }] }))
    for (const words of [
      'npm install',
      '/project',
      'CI=1',
      'the build needs it',
      'local · claude',
      'waiting 12 s',
      '4 min 48 s',
    ])
      expect(shown).toContain(words)
  })

  test('draws what would draw itself', () => {
    const shown = text(asking('q1', { command: 'ls \x1b[2K\u202e; rm x', context: '\x1b]0;approved\x07' }))
    expect(shown).toContain('ls ⟨ESC⟩[2K⟨U+202E⟩; rm x')
    expect(shown.replaceAll(/\x1b\[\d*m/g, '')).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
  })

  test('has exactly as many rows as the terminal, however small', () => {
    for (const rows of [5, 8, 24, 60])
      expect(approveScreen(showing(asking('q1')), { columns: 40, rows }, 0).rows).toHaveLength(rows)
  })

  test('knows that a long command was not seen yet', () => {
    const long = asking('q1', { command: Array.from({ length: 60 }, (_, i) => `echo ${i}`).join('\n') })
    const { top, height, total } = approveScreen(showing(long), { columns: 80, rows: 24 }, 0)
    expect(top + height).toBeLessThan(total)
  })
})

test('a question that waited before this approver came shows how long', () => {
  const state = told(openState({ grave_text: 'run it', arming_ms: 400 }), asking('q1'), 0, ASKED + 60_000)
  const shown = approveScreen(state, { columns: 100, rows: 40 }, 1000).rows.join('\n')
  expect(shown).toContain('waiting 1 min 1 s, expires in 3 min 59 s')
})
