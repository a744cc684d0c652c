import { expect, test } from 'vitest'
import type { ToWindow } from '../../contract/window/window-frames.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { type Draft, noOf, yesOf } from './card.ts'
import { cardOf, openState, type WindowEvent, type WindowState } from './window-model.ts'
import { reduce } from './window-state.ts'

const NOW = 1_000_000
const question = (ask_id: string, more: Partial<Question> = {}): Question =>
  ({
    type: 'question',
    kind: 'command',
    ask_id,
    plan_hash: `hash of ${ask_id}`,
    asked_at: new Date(NOW).toISOString(),
    expires_in_ms: 60_000,
    command: 'npm test',
    args: null,
    intent: 'execute_command',
    proposed_rules: ['npm test'],
    wider_rules: [],
    project: { directory: '/project', id: 'test', kind: 'bound', trusted: true, why_not: null },
    grave: false,
    ...more,
  }) as Question
const frame = (told: ToWindow, busy = false): WindowEvent => ({
  type: 'frame',
  frame: told,
  now: 5000,
  wallNow: NOW + 2000,
  busy,
})
const admitted = frame({
  type: 'admitted',
  protocol_version: 1,
  approver_id: 'apr_1',
  instance_id: 'host_1',
  heartbeat_interval_ms: 5000,
  grave_text: 'run it',
  arming_ms: 400,
})
const answered = (ask_id: string) => frame({ type: 'answered', ask_id, outcome: 'approved', by: 'bob', yours: false })
const after = (...events: WindowEvent[]): WindowState => events.reduce(reduce, openState())
const order = (state: WindowState) => state.cards.map(({ question: { ask_id }, phase }) => `${ask_id} ${phase.at}`)

test('a question comes to the front of an idle window, and its time counts from when it was asked', () => {
  const state = after(admitted, frame(question('a')))
  expect(state.showing).toEqual({ view: 'card', askId: 'a' })
  expect(cardOf(state, 'a')).toMatchObject({ askedAt: 3000, expiresAt: 63_000 })
})

test('a question never takes the place of one that is looked at, nor of what is typed elsewhere', () => {
  const looking = after(admitted, frame(question('a')), frame(question('b')))
  expect(looking.showing).toEqual({ view: 'card', askId: 'a' })
  expect(after(admitted, frame(question('a'), true)).showing).toEqual({ view: 'start' })
})

test('a question does not take a page away from who reads it: it waits in the list', () => {
  const reading: WindowEvent = { type: 'show', showing: { view: 'page', page: 'settings' } }
  const state = after(admitted, reading, frame(question('a')))
  expect(state.showing).toEqual({ view: 'page', page: 'settings' })
  expect(order(state)).toEqual(['a open'])
})

test('nothing in the list moves when one comes or one is over, until the list is tidied', () => {
  const both = after(admitted, frame(question('a')), frame(question('b')), answered('a'), frame(question('c')))
  expect(order(both)).toEqual(['a over', 'b open', 'c open'])
  const next = reduce(both, { type: 'advance' })
  expect([next.showing, order(next)]).toEqual([{ view: 'card', askId: 'b' }, ['a over', 'b open', 'c open']])
  expect(order(reduce(next, { type: 'tidy' }))).toEqual(['b open', 'c open'])
})

test('what another window answered is over here, too, and says who did', () => {
  expect(cardOf(after(admitted, frame(question('a')), answered('a')), 'a')?.phase).toEqual({
    at: 'over',
    how: 'approved',
    text: 'Approved by bob',
  })
})

test('what was approved and then changed before it started is not said to be approved', () => {
  const about = { request_id: 'req_1', requester: 'local' }
  const first = frame(question('a', { ...about, changed: [] }))
  const again = frame(question('b', { ...about, changed: ['x.sh changed.'] }))
  const state = after(admitted, first, answered('a'), again)
  expect([cardOf(state, 'a')?.phase, cardOf(state, 'b')?.phase]).toEqual([
    { at: 'over', how: 'withdrawn', text: 'Changed before it started: it did not run' },
    { at: 'open' },
  ])
})

test('what was approved and could not start is not said to be approved either', () => {
  const told = frame({ type: 'not_started', ask_id: 'a' })
  expect(cardOf(after(admitted, frame(question('a')), answered('a'), told), 'a')?.phase).toEqual({
    at: 'over',
    how: 'withdrawn',
    text: 'Approved, but it could not start: it did not run',
  })
})

test('after a lost connection only what the host asks again is open, with what was typed about it', () => {
  const before = after(admitted, frame(question('a')), frame(question('b')), {
    type: 'draft',
    askId: 'a',
    change: { panel: 'decline', reason: 'not now' },
  })
  const back = [admitted, frame(question('a'))].reduce(reduce, before)
  expect(order(back)).toEqual(['a open', 'b over'])
  expect(cardOf(back, 'a')?.draft.reason).toBe('not now')
})

test('a window that is cut off for good has nothing open any more, and says that nothing was answered in it', () => {
  const cut = reduce(after(admitted, frame(question('a'))), { type: 'link', link: { at: 'shut', why: 'gone' } })
  expect(cardOf(cut, 'a')?.phase).toEqual({
    at: 'over',
    how: 'withdrawn',
    text: 'Not answered here: this window was cut off',
  })
})

test('an answer that did not count leaves the question open, and says why', () => {
  const refused = frame({ type: 'answer_refused', ask_id: 'a', problem: 'too fast', open: true })
  const sent: WindowEvent = { type: 'sent', askId: 'a', decision: { kind: 'decline', reason: null } }
  expect(cardOf(after(admitted, frame(question('a')), sent, refused), 'a')).toMatchObject({
    phase: { at: 'open' },
    problem: 'too fast',
  })
})

test.each([
  ['once', {}, { kind: 'approve', scope: { kind: 'once' } }],
  [
    'for a while',
    { choice: 'time', rules: ['npm test'] },
    { kind: 'approve', scope: { kind: 'time', minutes: 15, rules: ['npm test'] } },
  ],
  ['with no rule left', { choice: 'terminal', rules: [' '] }, null],
] as const)('a yes %s is sent as it stands there', (_, change, expected) => {
  const state = after(admitted, frame(question('a')), { type: 'draft', askId: 'a', change })
  const card = cardOf(state, 'a')
  expect(card && yesOf(card, state.graveText)).toEqual(expected)
})

test('a no holds for the day only while that stands before the person', () => {
  const no = (change: Partial<Draft>) => {
    const card = cardOf(after(admitted, frame(question('a')), { type: 'draft', askId: 'a', change }), 'a')
    return card && noOf(card)
  }
  const kept = { keep: 'project', reason: 'no' } as const
  expect(no({ ...kept, panel: 'decline' })).toEqual({ kind: 'decline', reason: 'no', keep: 'project' })
  expect(no({ ...kept, panel: 'none' })).toEqual({ kind: 'decline', reason: 'no' })
  expect(no({})).toEqual({ kind: 'decline', reason: null })
})

test('what is hard to undo is a yes only with the words typed out, and only once', () => {
  const grave = after(admitted, frame(question('a', { grave: true } as Partial<Question>)))
  const typed = (text: string) => {
    const change = { typed: text, choice: 'always' } as const
    const card = cardOf(reduce(grave, { type: 'draft', askId: 'a', change }), 'a')
    return card && yesOf(card, 'run it')
  }
  expect([typed('run'), typed('run it')]).toEqual([null, { kind: 'approve', scope: { kind: 'once' }, typed: 'run it' }])
})

test('one thing is said at a time, and what was said about a question goes with it', () => {
  const said = (text: string, askId: string | null): WindowEvent => ({ type: 'notice', tone: 'plain', text, askId })
  const asked = after(admitted, frame(question('a')), frame(question('b')))
  const twice = [said('first', 'a'), said('second', 'a')].reduce(reduce, asked)
  expect(twice.notice).toMatchObject({ text: 'second', askId: 'a' })
  expect(reduce(twice, answered('a')).notice).toBeNull()
  expect(reduce(twice, { type: 'show', showing: { view: 'card', askId: 'b' } }).notice).toBeNull()
  const general = reduce(asked, said('ada may answer now, too', null))
  expect(reduce(general, answered('a')).notice).toMatchObject({ text: 'ada may answer now, too' })
})

test('what was looked up about a question goes with its card, and stays when the question is told again', () => {
  const preview = { type: 'preview', ask_id: 'a', edited: null, items: [], complete: true, took_ms: 1 } as const
  const state = after(admitted, frame(question('a')), frame({ ...preview, items: [] }), frame(question('a')))
  expect(cardOf(state, 'a')?.preview).toEqual(preview)
  expect(after(admitted, frame({ ...preview, items: [] })).cards).toEqual([])
})

test('approvals of commands that this person gives within a second each are counted, until one was read', () => {
  const quick = (id: string) => [
    frame(question(id, { asked_at: new Date(NOW + 1500).toISOString() })),
    frame({ type: 'answered', ask_id: id, outcome: 'approved', by: 'me', yours: true }),
  ]
  const three = [...quick('a'), ...quick('b'), ...quick('c')]
  expect(after(admitted, ...three).reflexes).toBe(3)
  // Two seconds before it came here; somebody else's answer says nothing about this person.
  const read = [
    frame(question('d')),
    frame({ type: 'answered', ask_id: 'd', outcome: 'approved', by: 'me', yours: true }),
  ]
  expect([
    after(admitted, ...three, frame(question('e')), answered('e')).reflexes,
    after(admitted, ...three, ...read).reflexes,
  ]).toEqual([3, 0])
})
