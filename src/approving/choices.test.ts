import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Question } from '../contract/wire/approver-frames.ts'
import { choiceOf, choicesOf, isSpelledOut, trustOffer } from './choices.ts'
import { approvalOf, type Decision, notOffered } from './decision.ts'
import type { CommandQuestion } from './question.ts'

const EXAMPLE = new URL('../contract/examples/to-approver.question.frame.json', import.meta.url)
const SHOP = { directory: '/home/ada/shop', id: 'shop', kind: 'bound', trusted: false, why_not: null } as const

function question(more: Partial<CommandQuestion> = {}): CommandQuestion {
  const example = Question.parse(JSON.parse(readFileSync(EXAMPLE, 'utf8'))) as CommandQuestion
  const rules = { proposed_rules: ['npm install lodash'], wider_rules: ['npm install *'] }
  return { ...example, command: 'npm install lodash', project: SHOP, ...rules, ...more }
}
const inWords = (q: Question) =>
  choicesOf(q).map(({ key, words: { before, rule, after } }) =>
    [key, before, ...(rule === null ? [] : [`\`${rule}\``]), after].filter(word => word !== '').join(' '),
  )

test('a card offers once, the usual rule, exactly this, this terminal, and a while, each under its own key', () => {
  expect(inWords(question())).toEqual([
    '1 Once',
    '2 Don’t ask again for `npm install *` in shop',
    '3 Don’t ask again for exactly this in shop',
    '4 In this terminal',
    '5 For 15 minutes',
  ])
})

test('without a usual rule "don’t ask again" is for exactly this', () => {
  expect(inWords(question({ wider_rules: [] }))).toEqual([
    '1 Once',
    '2 Don’t ask again for `npm install lodash` in shop',
    '4 In this terminal',
    '5 For 15 minutes',
  ])
})

test.each([
  ['is hard to undo', { grave: true }],
  ['no rule can stand for', { proposed_rules: [], wider_rules: [] }],
])('what %s is approved once only', (_, more) => {
  expect(inWords(question(more))).toEqual(['1 Once'])
})

test.each([
  ['cannot be a project', { ...SHOP, id: null, kind: 'none', why_not: 'it is your home directory' }],
  ['has a broken rule file', { ...SHOP, why_not: 'terminal-allowlist.json is not JSON' }],
] as const)('where the directory %s nothing is offered that would have to be kept there', (_, project) => {
  expect(choicesOf(question({ project })).map(({ id }) => id)).toEqual(['once', 'terminal', 'time'])
})

test('several rules are not named in one button', () => {
  const q = question({ proposed_rules: ['a b', 'c d'], wider_rules: ['a *', 'c *'] })
  const always = choiceOf(q, 'always')
  expect(always?.words).toEqual({ before: 'Don’t ask again for these 2 commands', rule: null, after: 'in shop' })
  expect(always && isSpelledOut(q, always)).toBe(false)
})

test('one press gives what can be read in its words, or what is the command itself', () => {
  const long = `npm install ${'x'.repeat(80)} *`
  const spelled = (q: CommandQuestion) => choicesOf(q).flatMap(choice => (isSpelledOut(q, choice) ? [choice.id] : []))
  expect(spelled(question())).toEqual(['once', 'always', 'exactly', 'terminal', 'time'])
  expect(spelled(question({ wider_rules: [long] }))).toEqual(['once', 'exactly', 'terminal', 'time'])
  const exact = question({ proposed_rules: [long.slice(0, -2)], wider_rules: [] })
  expect([inWords(exact)[1], spelled(exact)[1]]).toEqual(['2 Don’t ask again for exactly this in shop', 'always'])
})

test('trust is offered for what is no workspace yet, with a directory that may be changed, and for one that is not trusted', () => {
  const offered = { ...SHOP, kind: 'offered' } as const
  expect([
    trustOffer(question({ project: offered })),
    trustOffer(question()),
    trustOffer(question({ project: { ...SHOP, trusted: true } })),
    trustOffer(question({ project: { ...SHOP, kind: 'none' } })),
    trustOffer(question({ project: offered, grave: true })),
  ]).toEqual([
    { directory: '/home/ada/shop', isFixed: false },
    { directory: '/home/ada/shop', isFixed: true },
    null,
    null,
    null,
  ])
})

const PROJECTS = [
  SHOP,
  { ...SHOP, trusted: true },
  { ...SHOP, kind: 'offered' },
  { ...SHOP, kind: 'none', id: null, why_not: 'it is your home directory' },
  { ...SHOP, why_not: 'terminal-allowlist.json is not JSON' },
] as const

test('whatever a card offers, its answer is one that was offered', () => {
  for (const project of PROJECTS)
    for (const grave of [false, true])
      for (const proposed_rules of [[], ['npm install lodash']]) {
        const q = question({ project, grave, proposed_rules })
        const trusts = [undefined, trustOffer(q)?.directory]
        for (const choice of choicesOf(q))
          for (const trust of trusts) {
            const decision = approvalOf(choice, trust === undefined ? {} : { trust })
            expect(decision && notOffered(q, decision)).toBeNull()
          }
      }
})

const WORKSPACE: Decision = { kind: 'approve', scope: { kind: 'workspace', rules: ['npm install *'] } }
const ONCE = { kind: 'approve', scope: { kind: 'once' } } as const

test.each([
  ['a rule for a grave one', question({ grave: true }), WORKSPACE],
  ['a rule where there is no project', question({ project: PROJECTS[3] }), WORKSPACE],
  ['trust where there is no project', question({ project: PROJECTS[3] }), { ...ONCE, trust: { directory: '/' } }],
  ['trust in what is trusted', question({ project: PROJECTS[1] }), { ...ONCE, trust: { directory: '/home/ada/shop' } }],
  ['trust in another directory than the workspace', question(), { ...ONCE, trust: { directory: '/home/ada' } }],
  ['trust with a grave one', question({ grave: true }), { ...ONCE, trust: { directory: '/home/ada/shop' } }],
])('an answer with %s was not offered', (_, q, decision) => {
  expect(notOffered(q, decision)).toEqual(expect.any(String))
})

test('an answer whose rules or whose directory were all emptied is none', () => {
  const always = choiceOf(question(), 'always')
  const once = choiceOf(question(), 'once')
  expect([always && approvalOf(always, { rules: [' ', ''] }), once && approvalOf(once, { trust: ' ' })]).toEqual([
    null,
    null,
  ])
})
