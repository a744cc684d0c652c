import { describe, expect, test } from 'vitest'
import type { Judged, Question } from '../contract/approver-frames.ts'
import { changeBetween } from './approve-edited.ts'
import { KeyReader } from './approve-keys.ts'
import { type Circumstances, type Pressed, press } from './approve-press.ts'
import { approveScreen } from './approve-screen.ts'
import { type ApproveState, openState, told, withAllSeen } from './approve-state.ts'

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
    last = press(last.state, key, { now, alone: at.alone ?? true, page: 10 })
    now += at.every ?? 1000
  }
  return last
}

const plain = (rows: readonly string[]): string => rows.join('\n').replaceAll(/\x1b\[\d*m/g, '')

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
    expect(key && press(showing(asking('q1')), key, { now: 1000, alone: true, page: 10 }).answer).toBeUndefined()
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

const judgedAs = (command: string, more: Partial<Judged> = {}): Judged => ({
  type: 'judged',
  ask_id: 'q1',
  command,
  plan_hash: `plan-of-${command}`,
  problem: null,
  verdict: { verdict: 'approval', why: 'no rule covers it', parts: [] },
  grave: false,
  executables: ['/usr/bin/npm'],
  ...more,
})
/** The line was edited, the host has judged it, and all of it was on the screen. */
const edited = (typed: string, judged: Judged): ApproveState =>
  withAllSeen(told(pressing(showing(asking('q1')), `e${typed}\r`).state, judged, 9000, ASKED), 9000)

describe('an edited line', () => {
  const line = 'npm install --dry-run'

  test('is judged by the host before anything can be said to it', () => {
    const { state, answer, ask } = pressing(showing(asking('q1')), 'e --dry-run\r')
    expect([answer, ask]).toEqual([undefined, { type: 'judge', ask_id: 'q1', command: line }])
    expect(pressing(state, 'a', { now: 60_000 }).answer).toBeUndefined()
  })

  test('is approved with the plan that was shown', () => {
    expect(pressing(edited(' --dry-run', judgedAs(line)), 'a', { now: 10_000 }).answer?.decision).toEqual({
      kind: 'edit',
      command: line,
      plan_hash: `plan-of-${line}`,
    })
  })

  test.each([
    ['before all of it was seen', { ...edited(' --dry-run', judgedAs(line)), mode: unseen() }, 10_000],
    ['in the moment its verdict comes', edited(' --dry-run', judgedAs(line)), 9200],
    ['when it is refused', edited(' --dry-run', judgedAs(line, { plan_hash: null, problem: 'No.' })), 10_000],
    ['by the verdict on another line', edited(' --dry-run', judgedAs('npm install')), 10_000],
  ])('is not approved %s', (_, state, now) => {
    expect(pressing(state as ApproveState, 'a', { now }).answer).toBeUndefined()
  })

  test('that is hard to undo is typed out', () => {
    const state = edited(' --dry-run', judgedAs(line, { grave: true }))
    expect(pressing(state, 'arun it\r', { now: 10_000 }).answer?.decision).toEqual({
      kind: 'edit',
      command: line,
      plan_hash: `plan-of-${line}`,
      typed: 'run it',
    })
  })

  test('shows what changed, the verdict and the programs', () => {
    const state = edited(' --dry-run', judgedAs(line, { verdict: { verdict: 'approval', why: 'because of this' } }))
    const shown = plain(approveScreen(state, { columns: 80, rows: 30 }, 20_000).rows)
    expect(shown).toMatch(/put in +--dry-run/)
    for (const words of [line, 'because of this', '/usr/bin/npm', 'a approve this line']) expect(shown).toContain(words)
  })

  test('that did not count is still there', () => {
    const sent = pressing(edited(' --dry-run', judgedAs(line)), 'a', { now: 10_000 }).state
    const state = told(sent, { type: 'answer_refused', ask_id: 'q1', problem: 'too fast', open: true }, 10_100, ASKED)
    expect(pressing(state, 'a', { now: 11_000 }).answer?.decision).toMatchObject({ kind: 'edit', command: line })
  })

  function unseen(): ApproveState['mode'] {
    return { at: 'checking', command: line, judged: judgedAs(line), seenAll: false }
  }
})

test.each([
  ['expr one', 'expr two', 'one', 'two'],
  ['a b c', 'a c', 'b ', ''],
  ['aa', 'aaa', '', 'a'],
  ['same', 'same', '', ''],
])('from %j to %j, %j goes and %j comes', (before, after, out, put) => {
  expect(changeBetween(before, after)).toEqual({ out, in: put })
})

describe('somebody who asks to be let in', () => {
  const knock = {
    type: 'admission_asked',
    admission_id: 'adm_1',
    name: 'ada\u202e@ssh',
    surface: 'terminal',
    process: { pid: 4711, program: '/usr/bin/node' },
    code: '493 027 118',
    expires_in_ms: 60_000,
  } as const

  test.each([
    ['while a question is read', showing(asking('q1'))],
    ['while nobody asks', showing()],
  ])('is shown with the code and who it is, %s', (_, before) => {
    const shown = plain(approveScreen(told(before, knock, 0, ASKED), { columns: 80, rows: 30 }, 8000).rows)
    for (const words of ['493 027 118', 'pid 4711, /usr/bin/node', 'ada⟨U+202E⟩@ssh', '52 s'])
      expect(shown).toContain(words)
  })

  test('is refused by one key, and nothing else is decided', () => {
    expect(pressing(told(showing(asking('q1')), knock, 0, ASKED), 'x')).toMatchObject({
      ask: { type: 'refuse_admission', admission_id: 'adm_1' },
      state: { current: 'q1', mode: { at: 'looking' } },
    })
  })

  test('is gone from the screen when it is over, and an alarm stays until it is put away', () => {
    const alarm = { type: 'alarm', message: 'Three wrong codes' } as const
    const over = { type: 'admission_over', admission_id: 'adm_1', outcome: 'failed' } as const
    const state = [knock, over, alarm].reduce((so, frame) => told(so, frame, 0, ASKED), showing(asking('q1')))
    const shown = (each: ApproveState) => plain(approveScreen(each, { columns: 80, rows: 30 }, 0).rows)
    expect([shown(state).includes('493'), shown(state).includes('Three wrong codes')]).toEqual([false, true])
    expect(shown(pressing(state, 'x').state)).not.toContain('Three wrong codes')
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

test('a long question is read by rows, by screens, and from either end', () => {
  const state = showing(asking('q1'))
  const topAfter = (...keys: string[]) =>
    keys.reduce((each, key) => {
      const [read] = new KeyReader().read(Buffer.from(key))
      return read ? press(each, read, { now: 1000, alone: true, page: 20 }).state : each
    }, state).top
  expect([topAfter('\x1b[B'), topAfter('\x1b[6~'), topAfter(' ', ' '), topAfter(' ', '\x1b[5~')]).toEqual([
    1, 19, 38, 0,
  ])
  expect([topAfter(' ', '\x1b[H'), topAfter('\x1b[F')]).toEqual([0, Number.MAX_SAFE_INTEGER])
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
