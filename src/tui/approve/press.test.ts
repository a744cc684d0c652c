import { describe, expect, test } from 'vitest'
import type { Judged, Question } from '../../contract/wire/approver-frames.ts'
import { changeBetween } from './edited.ts'
import { KeyReader } from './keys.ts'
import { onFrame } from './on-frame.ts'
import { type Circumstances, press } from './press.ts'
import type { Pressed } from './pressed.ts'
import { approveScreen } from './screen.ts'
import { type ApproveState, openState, withAllSeen } from './state.ts'

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
  typed_into_shell: false,
  cwd: '/project',
  workspace_directory: '/project',
  env: [],
  venv: null,
  executables: ['/usr/bin/npm'],
  found_when_run: [],
  stands_for: [],
  not_shown: [],
  changed: [],
  verdict: { verdict: 'approval', why: 'no rule covers it', parts: [] },
  reaches: [],
  grave: false,
  proposed_rules: ['npm install'],
  wider_rules: [],
  project: { directory: '/project', id: 'test', kind: 'bound', trusted: false, why_not: null },
  kill_after_ms: null,
  ...more,
})

/** A state in which the questions have come at 0 and all of the first was seen. */
const showing = (...questions: Question[]): ApproveState => ({
  ...questions.reduce(
    (state, each) => onFrame(state, each, 0, ASKED),
    openState({ grave_text: 'run it', arming_ms: 400 }),
  ),
  seenAll: true,
  heard: true,
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
    ['before the host has heard that', { ...showing(asking('q1')), heard: false }, 'a', {}],
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
    const next = onFrame(first, { type: 'withdrawn', ask_id: 'q1', why: 'cancelled' }, 1000, ASKED)
    expect(next.current).toBe('q2')
    expect(pressing({ ...next, seenAll: true, heard: true }, 'a', { now: 1200 }).answer).toBeUndefined()
  })
})

test('a no carries the reason', () => {
  const { answer } = pressing(showing(asking('q1')), 'dnot on a Friday\r')
  expect(answer?.decision).toEqual({ kind: 'decline', reason: 'not on a Friday' })
})

test('a no needs no reason', () => {
  expect(pressing(showing(asking('q1')), 'd\r').answer?.decision).toEqual({ kind: 'decline', reason: null })
})

test('a no needs no delay, however fast the keys come one after the other', () => {
  expect(pressing(showing(asking('q1')), 'd\r', { now: 1, every: 1 }).answer?.decision).toMatchObject({
    kind: 'decline',
  })
  expect(pressing(showing(asking('q1')), 'rno\r', { now: 1, every: 1 }).answer?.decision).toMatchObject({
    reason: 'no',
  })
})

test('tab makes a no hold for today, for the project or for the agent, and says what that means', () => {
  const once = pressing(showing(asking('q1')), 'dno').state
  const today = pressing(once, '\t').state
  const shown = plain(approveScreen(today, { columns: 80, rows: 40 }, 9000).rows)
  expect(shown).toContain('▸ Don’t ask me again today in test, whoever wants it')
  expect(shown).toContain('Until midnight it is refused without a question')
  expect(pressing(today, '\r').answer?.decision).toEqual({ kind: 'decline', reason: 'no', keep: 'project' })
  expect(pressing(today, '\t\r').answer?.decision).toEqual({ kind: 'decline', reason: 'no', keep: 'agent' })
  expect(pressing(today, '\t\t\r').answer?.decision).toEqual({ kind: 'decline', reason: 'no' })
})

test('words that are typed for something else while a question comes up decline nothing and open nothing', () => {
  const state = onFrame(pressing(showing(), 'cd /tm', { now: -60, every: 10 }).state, asking('q1'), 0, ASKED)
  const typed = pressing({ ...state, seenAll: true, heard: true }, 'p; ls -dreas', { now: 1, every: 10 })
  expect([typed.answer, typed.state.mode.at]).toEqual([undefined, 'looking'])
  expect(pressing(typed.state, 'd', { now: 2000 }).state.mode.at).toBe('declining')
})

test('keys that only read on decide nothing and keep nobody from approving', () => {
  const state = showing(asking('q1'))
  expect(pressing(state, '    ', { every: 10 }).answer).toBeUndefined()
  expect(pressing(state, '  a', { now: 900, every: 50 }).answer?.decision).toEqual(once)
})

test('? shows the keys, and any key goes back', () => {
  const { state } = pressing(showing(asking('q1')), '?')
  expect(plain(approveScreen(state, { columns: 80, rows: 24 }, 0).rows)).toContain('No key that moves ever decides')
  expect(pressing(state, 'a')).toMatchObject({ state: { mode: { at: 'looking' } } })
})

test('of a long question it is said which rows are in view, and every key fits into 80 columns', () => {
  const long = asking('q1', { command: Array.from({ length: 300 }, (_, i) => `echo ${i}`).join('\n') })
  const shown = plain(approveScreen({ ...showing(long), seenAll: false }, { columns: 80, rows: 24 }, 0).rows)
  expect(shown).toMatch(/rows 1 to \d+ of 3\d\d/)
  expect(shown).toContain('space reads on (before approval: the command)   d decline   ? keys   q quit')
})

test('the command and its script are first, why it is wanted before them, and only they have to be read', () => {
  const context = 'It is needed. '.repeat(40)
  const body = {
    kind: 'package_script',
    name: 'test',
    path: '/project/package.json',
    text: 'vitest run',
    omitted_bytes: 0,
  }
  const asked = asking('q1', {
    command: 'npm test',
    context,
    stands_for: [body as never],
    executables: ['/usr/bin/npm'],
  })
  const { rows, toRead, total } = approveScreen(showing(asked), { columns: 80, rows: 60 }, 0)
  const shown = plain(rows)
  const places = ['it says', 'not checked', 'npm test', 'vitest run', 'does', 'directory', '2  Don’t ask', 'programs']
  const at = places.map(words => shown.indexOf(words))
  expect(at).toEqual([...at].sort((a, b) => a - b))
  expect(at).not.toContain(-1)
  expect(toRead).toBeLessThan(total)
})

const judgedAs = (command: string, more: Partial<Judged> = {}): Judged => ({
  type: 'judged',
  ask_id: 'q1',
  command,
  plan_hash: `plan-of-${command}`,
  problem: null,
  verdict: { verdict: 'approval', why: 'no rule covers it', parts: [] },
  reaches: [],
  grave: false,
  executables: ['/usr/bin/npm'],
  ...more,
})
/** The line was edited, the host has judged it, and all of it was on the screen. */
const edited = (typed: string, judged: Judged): ApproveState =>
  withAllSeen(onFrame(pressing(showing(asking('q1')), `e${typed}\r`).state, judged, 9000, ASKED), 9000)

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

  test('of a command with separate arguments starts as one line, and what was not changed is not said to be', () => {
    const args = showing(asking('q1', { args: ['a b'], env: [{ name: 'API_TOKEN', value: 'ghp_0123456789' }] }))
    const checking = pressing(args, 'e\r').state
    const state = onFrame(checking, judgedAs("'npm install' 'a b'"), 9000, ASKED)
    const shown = plain(approveScreen(state, { columns: 80, rows: 30 }, 20_000).rows)
    expect(shown).toMatch(/changed +nothing/)
    expect(shown).toContain('API_TOKEN=••••••••')
    expect(shown).not.toContain('ghp_')
  })

  test('that did not count is still there', () => {
    const sent = pressing(edited(' --dry-run', judgedAs(line)), 'a', { now: 10_000 }).state
    const state = onFrame(
      sent,
      { type: 'answer_refused', ask_id: 'q1', problem: 'too fast', open: true },
      10_100,
      ASKED,
    )
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
    const shown = plain(approveScreen(onFrame(before, knock, 0, ASKED), { columns: 80, rows: 30 }, 8000).rows)
    for (const words of ['493 027 118', 'pid 4711, /usr/bin/node', 'ada⟨U+202E⟩@ssh', '52 s'])
      expect(shown).toContain(words)
  })

  test('is refused by one key, and nothing else is decided', () => {
    expect(pressing(onFrame(showing(asking('q1')), knock, 0, ASKED), 'x')).toMatchObject({
      ask: { type: 'refuse_admission', admission_id: 'adm_1' },
      state: { current: 'q1', mode: { at: 'looking' } },
    })
  })

  test('is gone from the screen when it is over, and an alarm stays until it is put away', () => {
    const alarm = { type: 'alarm', message: 'Three wrong codes' } as const
    const over = { type: 'admission_over', admission_id: 'adm_1', outcome: 'failed' } as const
    const state = [knock, over, alarm].reduce((so, frame) => onFrame(so, frame, 0, ASKED), showing(asking('q1')))
    const shown = (each: ApproveState) => plain(approveScreen(each, { columns: 80, rows: 30 }, 0).rows)
    expect([shown(state).includes('493'), shown(state).includes('Three wrong codes')]).toEqual([false, true])
    expect(shown(pressing(state, 'x').state)).not.toContain('Three wrong codes')
  })
})

test('a yes can reach further, with the rules it proposes', () => {
  const decided = (keys: string) => pressing(showing(asking('q1')), keys).answer?.decision
  const rules = ['npm install']
  expect(decided('s1')).toEqual(once)
  expect(decided('s2\r')).toEqual({ kind: 'approve', scope: { kind: 'workspace', rules } })
  expect(decided('s4\r')).toEqual({ kind: 'approve', scope: { kind: 'terminal', rules } })
  expect(decided('s6\r')).toEqual({ kind: 'approve', scope: { kind: 'time', minutes: 60, rules } })
  expect(decided('s2 -D\r')).toEqual({ kind: 'approve', scope: { kind: 'workspace', rules: ['npm install -D'] } })
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
    ['the key of a wider scope', '2'],
  ])('is not approved by %s', (_, keys) => {
    expect(pressing(grave, keys).answer).toBeUndefined()
  })
})

test('a question that is withdrawn meanwhile says so', () => {
  const state = onFrame(showing(asking('q1')), { type: 'withdrawn', ask_id: 'q1', why: 'cancelled' }, 5000, ASKED)
  expect(state.notice).toBe('last: npm install — withdrawn by the agent: it did not run')
  expect(approveScreen(state, { columns: 80, rows: 24 }, 5000).rows.join('\n')).toContain('withdrawn by the agent')
})

test('an answer that did not count leaves the question open, and says why', () => {
  const sent = pressing(showing(asking('q1')), 'a').state
  const state = onFrame(sent, { type: 'answer_refused', ask_id: 'q1', problem: 'too fast', open: true }, 2000, ASKED)
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
      'claude',
      'its own claim, not checked',
      'waiting 12 s',
      '4 min 48 s',
    ])
      expect(shown).toContain(words)
  })

  test('says from where the agent says it calls, as its own claim', () => {
    const shown = text(asking('q1', { caller_surface: 'chat_button' }))
    expect(shown).toContain('claude, by a button in a chat')
    expect(shown).toContain('The name and from where it calls are its own claims')
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
  const state = onFrame(openState({ grave_text: 'run it', arming_ms: 400 }), asking('q1'), 0, ASKED + 60_000)
  const shown = approveScreen(state, { columns: 100, rows: 40 }, 1000).rows.join('\n')
  expect(shown).toContain('waiting 1 min 1 s, expires in 3 min 59 s')
})

test('a question whose agent has gone on says so, and has to be read anew before a yes', () => {
  const goneOn = asking('q1', { asker_state: 'gone_on', revision: 1 })
  const state = onFrame(showing(asking('q1')), goneOn, 2000, ASKED)
  expect(plain(approveScreen(state, { columns: 80, rows: 40 }, 2000).rows)).toContain(
    'The agent has gone on meanwhile: it may no longer expect this.',
  )
  expect(pressing(state, 'a', { now: 5000 }).answer).toBeUndefined()
  const heard = (revision: number) =>
    onFrame(withAllSeen(state, 5000), { type: 'shown_heard', ask_id: 'q1', revision }, 5000, ASKED)
  expect(pressing(heard(0), 'a', { now: 9000 }).answer).toBeUndefined()
  const read = heard(1)
  expect(pressing(read, 'a', { now: 5100 }).answer).toBeUndefined()
  expect(pressing(read, 'a', { now: 6000 }).answer).toMatchObject({ ask_id: 'q1', decision: once })
})

test('what is typed for a no stays when the agent goes on', () => {
  const declining = pressing(showing(asking('q1')), 'dnot now').state
  const state = onFrame(declining, asking('q1', { asker_state: 'gone_on', revision: 1 }), 9000, ASKED)
  expect(pressing(state, '\r', { now: 20_000 }).answer?.decision).toEqual({ kind: 'decline', reason: 'not now' })
})

describe('what an agent left running', () => {
  const left = (run_id: string, command: string) => ({
    run_id,
    requester: 'local',
    client: 'codex 0.166.0',
    command,
    terminal_id: 'term_1',
    why: 'cancelled' as const,
    since: '2026-01-01T00:00:00.000Z',
  })
  const leaving = (state: ApproveState) =>
    onFrame(
      state,
      { type: 'left_running', items: [left('req_9', 'npm run dev\x1b[2K'), left('req_8', 'sleep 60')] },
      0,
      0,
    )

  test.each([
    ['while nobody asks', () => openState({ grave_text: 'run it', arming_ms: 400 })],
    ['beside a question', () => showing(asking('q1'))],
  ])('stands there with the key that ends it, %s', (_, state) => {
    const shown = plain(approveScreen(leaving(state()), { columns: 100, rows: 40 }, 0).rows)
    expect(shown).toContain('2 commands left running by codex 0.166.0 — K ends the first')
    expect(shown).toContain('npm run dev⟨ESC⟩[2K')
    expect(pressing(leaving(state()), 'K').ask).toEqual({ type: 'end_run', requester: 'local', run_id: 'req_9' })
  })

  test('ends by no key that was typed for something else, or came with others', () => {
    expect(pressing(leaving(showing(asking('q1'))), 'dK').ask).toBeUndefined()
    expect(pressing(leaving(showing(asking('q1'))), 'K', { alone: false }).ask).toBeUndefined()
    expect(pressing(showing(asking('q1')), 'K').ask).toBeUndefined()
  })
})

test('what was refused without a question is on the screen while nobody asks, the newest few, drawn', () => {
  const one = { requester: 'local', client: 'codex', why: 'it wipes the disk', at: '2026-01-01T00:00:00.000Z' }
  const items = Array.from({ length: 20 }, (_, i) => ({
    ...one,
    request_id: `req_${i}`,
    command: `rm -rf /${i}\x1b[2K`,
  }))
  const idle = onFrame(
    openState({ grave_text: 'run it', arming_ms: 400 }),
    { type: 'blocked_commands', count: 30, items },
    0,
    ASKED,
  )
  const shown = plain(approveScreen(idle, { columns: 80, rows: 24 }, 0).rows)
  expect(shown).toContain('30 commands were refused without asking you')
  expect(shown).toContain('rm -rf /19⟨ESC⟩[2K')
  expect(shown).toContain('codex: it wipes the disk')
  expect(shown).toContain('and 25 before')
  expect(shown).not.toContain('rm -rf /14')
  expect(plain(approveScreen(onFrame(idle, asking('q1'), 0, ASKED), { columns: 80, rows: 24 }, 0).rows)).not.toContain(
    'refused without',
  )
})

test('a change of a client’s own files is shown line by line, drawn', () => {
  const files = [{ file: '/home/ada/.claude.json', lines: ['  {', '+   "allow": ["\x1b[2Kx"]', '  }'] }]
  const { type, ask_id, requester, client, request_id, trace_id, workspace_id, context, ...rest } = asking('q1')
  const { plan_hash, asked_at, expires_in_ms } = rest
  const about = { type, ask_id, requester, client, request_id, trace_id, workspace_id, context }
  const setup: Question = { ...about, plan_hash, asked_at, expires_in_ms, kind: 'setup', target: 'Claude Code', files }
  const shown = plain(approveScreen(showing(setup), { columns: 80, rows: 30 }, 0).rows)
  expect(shown).toContain('An agent asks to change Claude Code’s own files:')
  expect(shown).toContain('/home/ada/.claude.json')
  expect(shown).toContain('+   "allow": ["⟨ESC⟩[2Kx"]')
})

describe('variables on the screen', () => {
  const env = [
    { name: 'API_TOKEN', value: 'ghp_0123456789' },
    { name: 'PATH', value: '/opt/x' },
  ]
  const shown = (state: ApproveState) => approveScreen(state, { columns: 80, rows: 40 }, 12_000).rows.join('\n')

  test('a secret is masked until v shows it, and again for the next question', () => {
    const state = showing(asking('q1', { env }), asking('q2', { env }))
    expect(shown(state)).toContain('API_TOKEN=••••••••')
    expect(shown(state)).not.toContain('ghp_')
    const { state: revealed } = pressing(state, 'v')
    expect(shown(revealed)).toContain('API_TOKEN=ghp_0123456789')
    expect(shown(pressing(revealed, 'j').state)).not.toContain('ghp_')
  })

  test('what decides what runs is warned of by name and never masked', () => {
    expect(shown(showing(asking('q1', { env })))).toContain('PATH decides which programs run.')
    expect(shown(showing(asking('q1', { env })))).toContain('PATH=/opt/x')
  })

  test('a line for the person’s own shell says so, and so does what is found only when it runs', () => {
    const text = shown(showing(asking('q1', { typed_into_shell: true, found_when_run: ['gs'] })))
    expect(text).toContain('Goes into your own shell.')
    expect(text).toMatch(/found then .*gs$/m)
  })

  test('a question that comes again says what changed and what is not shown', () => {
    const files = [{ name: 'lib.sh', path: '/project/lib.sh', by: 'build.sh' }]
    const text = shown(showing(asking('q1', { changed: ['build.sh changed.'], not_shown: files })))
    expect(text).toContain('Asked again: after you said yes, something was changed. Nothing ran.')
    expect(text).toContain('• build.sh changed.')
    expect(text).toContain('/project/lib.sh, loaded by build.sh')
  })
})
