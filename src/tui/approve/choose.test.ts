import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { CommandQuestion } from '../../approving/question.ts'
import { Question } from '../../contract/wire/approver-frames.ts'
import { KeyReader } from './keys.ts'
import { onFrame } from './on-frame.ts'
import { press } from './press.ts'
import { approveScreen } from './screen.ts'
import { type ApproveState, openState, withAllSeen } from './state.ts'

const EXAMPLE = new URL('../../contract/examples/to-approver.question.frame.json', import.meta.url)
const SHOP = { directory: '/home/ada/shop', id: 'shop', kind: 'offered', trusted: false, why_not: null } as const

function showing(more: Partial<CommandQuestion> = {}): ApproveState {
  const example = Question.parse(JSON.parse(readFileSync(EXAMPLE, 'utf8'))) as CommandQuestion
  const rules = { proposed_rules: ['npm install lodash'], wider_rules: ['npm install *'] }
  const question = {
    ...example,
    command: 'npm install lodash',
    stands_for: [],
    changed: [],
    project: SHOP,
    ...rules,
    ...more,
  }
  const open = openState({ grave_text: 'run it', arming_ms: 400 })
  return { ...withAllSeen(onFrame(open, question, 0, Date.parse(example.asked_at)), 0), seenAll: true, heard: true }
}

/** One key after the other, each a second after the one before. */
function pressing(state: ApproveState, keys: string) {
  let at = 0
  let now: ReturnType<typeof press> = { state }
  for (const key of [...keys].flatMap(each => new KeyReader().read(Buffer.from(each)))) {
    at += 1000
    now = press(now.state, key, { now: at, alone: true, page: 10 })
  }
  return now
}
const decided = (keys: string, more: Partial<CommandQuestion> = {}) => pressing(showing(more), keys).answer?.decision
const screen = (state: ApproveState) =>
  stripVTControlCharacters(approveScreen(state, { columns: 80, rows: 60 }, 5000).rows.join('\n'))
const workspace = (...rules: string[]) => ({ kind: 'approve', scope: { kind: 'workspace', rules } })

test('one key each: once, the usual rule, exactly this, this terminal, a while', () => {
  const exact = ['npm install lodash']
  expect(['1', '2', '3', '4', '5'].map(key => decided(key))).toEqual([
    { kind: 'approve', scope: { kind: 'once' } },
    workspace('npm install *'),
    workspace('npm install lodash'),
    { kind: 'approve', scope: { kind: 'terminal', rules: exact } },
    { kind: 'approve', scope: { kind: 'time', minutes: 15, rules: exact } },
  ])
})

test('what each key would allow stands on the card', () => {
  const shown = screen(showing())
  for (const words of [
    '2  Don’t ask again for `npm install *` in shop',
    '3  Exactly this    4  This terminal    5  15 minutes    s  Change the rules',
    't  Trust /home/ada/shop, too',
  ])
    expect(shown).toContain(words)
})

test('what a command does stands below it, drawn, and where that is not known the card says so', () => {
  const reaches = [
    { what: 'root', words: 'sudo acts as root' },
    { what: 'another_machine', words: 'ssh acts on another machine: pr\u202eod' },
  ] as const
  expect(screen(showing({ command: 'sudo ssh prod', reaches: [...reaches] }))).toMatch(
    /sudo ssh prod\n+does +sudo acts as root\n +ssh acts on another machine: pr⟨U\+202E⟩od\n/,
  )
  expect(screen(showing({ reaches: [] }))).toMatch(/does +not known here/)
})

test('an ordinary question fits a terminal of 24 rows: it needs no scrolling before it is answered', () => {
  const { total, height } = approveScreen(showing({ env: [], kill_after_ms: null }), { columns: 80, rows: 24 }, 5000)
  expect(total).toBeLessThanOrEqual(height)
})

test('what trust means is said before the answer gives it', () => {
  const pressed = pressing(showing(), 't')
  expect(screen(pressed.state)).toContain('such as npm test, then run there')
  expect(screen(pressing(showing(), 't\r').state)).toContain('Your approval also trusts /home/ada/shop')
})

test('several rules are shown one by one before one key gives them', () => {
  const several = { proposed_rules: ['a b', 'c d'], wider_rules: ['a *', 'c *'] }
  expect(decided('2', several)).toBeUndefined()
  const listed = pressing(showing(several), '2')
  expect(screen(listed.state)).toMatch(/> a \*▏\n {2}c \*/)
  expect(decided('2\r', several)).toEqual(workspace('a *', 'c *'))
})

test.each([
  ['where nothing can be kept', { project: { ...SHOP, id: null, kind: 'none', why_not: 'it is your home directory' } }],
  ['for what is hard to undo', { grave: true }],
] as const)('"don’t ask again" is not offered %s, and its key does nothing', (_, more) => {
  expect([decided('2', more), decided('3', more), screen(showing(more)).includes('ask again for')]).toEqual([
    undefined,
    undefined,
    false,
  ])
})

test('a folder is trusted with the answer, as it is shown or as it is changed', () => {
  const trust = (directory: string) => ({ trust: { directory } })
  expect(decided('t\ra')).toEqual({ kind: 'approve', scope: { kind: 'once' }, ...trust('/home/ada/shop') })
  expect(decided('t/web\r2')).toEqual({ ...workspace('npm install *'), ...trust('/home/ada/shop/web') })
  expect(decided('t\x1ba')).toEqual({ kind: 'approve', scope: { kind: 'once' } })
  expect(decided('t\rta')).toEqual({ kind: 'approve', scope: { kind: 'once' } })
  expect(decided('ta', { project: { ...SHOP, kind: 'bound' } })).toMatchObject(trust('/home/ada/shop'))
  expect(decided('ta', { project: { ...SHOP, kind: 'bound', trusted: true } })).not.toHaveProperty('trust')
})

test('trust meant for one question never goes with the answer to another', () => {
  const first = pressing(showing(), 't\r').state
  const second = { ...first.cards[0]?.question, ask_id: 'ask_other' } as Question
  const both = onFrame(first, second, 3000, Date.parse(second.asked_at))
  expect(both.trust).toBe('/home/ada/shop')
  expect(pressing({ ...both, seenAll: true, heard: true }, '\t').state.trust).toBeNull()
})

test('what a look at this machine says stands below what has to be read, drawn, and starts no wait anew', () => {
  const before = showing()
  const { ask_id } = before.cards[0]?.question ?? { ask_id: '' }
  const items = [{ about: 'glob', pattern: '*.js', names: ['a\u202e.js'], count: 3 }] as const
  const after = onFrame(
    before,
    {
      type: 'preview',
      ask_id,
      edited: null,
      items: items.map(each => ({ ...each, names: [...each.names] })),
      complete: true,
      took_ms: 1,
    },
    5000,
    0,
  )
  expect(screen(after)).toMatch(/right now +\*\.js stands for a⟨U\+202E⟩\.js and 2 more/)
  const seen = { columns: 80, rows: 60 }
  expect([after.touchedAt, approveScreen(after, seen, 0).toRead]).toEqual([
    before.touchedAt,
    approveScreen(before, seen, 0).toRead,
  ])
})

test('who approves one after the other within a second is offered the rule with the next question', () => {
  const quick = (state: ApproveState, id: string): ApproveState => {
    const { question } = showing().cards[0] ?? {}
    if (!question) throw new Error('no question')
    const asked = onFrame(state, { ...question, ask_id: id }, 0, Date.parse(question.asked_at))
    return onFrame(asked, { type: 'answered', ask_id: id, outcome: 'approved', by: 'me', yours: true }, 700, 0)
  }
  const three = ['a', 'b', 'c'].reduce(quick, openState({ grave_text: 'run it', arming_ms: 400 }))
  const { question } = showing().cards[0] ?? {}
  if (!question) throw new Error('no question')
  expect(onFrame(three, { ...question, ask_id: 'd' }, 0, Date.parse(question.asked_at)).notice).toContain('press 2')
})
