import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Question } from '../contract/wire/approver-frames.ts'
import { editedFacts, type Fact, factsOf } from './facts.ts'
import type { CommandQuestion } from './question.ts'

const EXAMPLE = new URL('../contract/examples/to-approver.question.frame.json', import.meta.url)
const question = (more: Partial<CommandQuestion>): CommandQuestion => ({
  ...(Question.parse(JSON.parse(readFileSync(EXAMPLE, 'utf8'))) as CommandQuestion),
  ...more,
})
const valuesOf = (facts: readonly Fact[], id: Fact['id']) => facts.find(fact => fact.id === id)?.values
const values = (id: Fact['id'], more: Partial<CommandQuestion>) => valuesOf(factsOf(question(more)), id)
const SHOP = { directory: '/shop', id: 'shop', kind: 'bound', trusted: false, why_not: null } as const

test('separate arguments are read by no shell, and the card says so', () => {
  const bash = { shell: 'bash', venv: null, typed_into_shell: false }
  expect(values('shell', { ...bash, args: null })).toEqual([{ text: 'bash', tone: 'plain' }])
  expect(values('shell', { ...bash, args: ['x'] })).toEqual([{ text: 'none', tone: 'quiet' }])
  expect(values('shell', { ...bash, args: null, typed_into_shell: true, venv: '/v' })).toEqual([
    { text: 'your own bash, as it is now with virtualenv /v', tone: 'plain' },
  ])
})

test('a program is named once, and a row without anything in it is left out', () => {
  expect(values('programs', { executables: ['/bin/a', '/bin/a'] })).toEqual([{ text: '/bin/a', tone: 'code' }])
  expect(values('programs', { executables: [] })).toBeUndefined()
  expect(values('ends', { kill_after_ms: null })).toBeUndefined()
})

test('a limit is on the card as exactly as it was set', () => {
  expect(values('ends', { kill_after_ms: 1500 })?.[0]?.text).toBe('killed after 1.5 s, if it still runs')
})

test('a variable says whether it is unset or kept, and a secret has a mask', () => {
  const env = [
    { name: 'CI', value: '1' },
    { name: 'LANG', value: null, carried: true },
    { name: 'API_TOKEN', value: 'ghp_0123456789' },
  ]
  expect(values('variables', { env })).toEqual([
    { text: 'CI=1', tone: 'code' },
    { text: 'LANG', tone: 'code', remark: 'is unset, kept from earlier commands' },
    { text: 'API_TOKEN=ghp_0123456789', tone: 'code', beforeMask: 'API_TOKEN=' },
  ])
})

test('an edited line keeps the masks and the unset variables of what was asked', () => {
  const env = [
    { name: 'LANG', value: null },
    { name: 'API_TOKEN', value: 'ghp_0123456789' },
  ]
  const facts = editedFacts(question({ env }), { executables: ['/bin/b'] })
  expect(facts.map(({ id }) => id)).toEqual(['directory', 'variables', 'programs'])
  expect(valuesOf(facts, 'variables')).toMatchObject([{ remark: 'is unset' }, { beforeMask: 'API_TOKEN=' }])
  expect(valuesOf(facts, 'programs')).toEqual([{ text: '/bin/b', tone: 'code' }])
})

test.each([
  [SHOP, { text: 'shop', remark: 'not trusted, /shop' }],
  [{ ...SHOP, why_not: 'broken' }, { remark: 'not trusted, /shop; nothing can be kept here: broken' }],
  [
    { ...SHOP, id: null, kind: 'none', why_not: 'it is your home' },
    { text: 'none: nothing can be kept here: it is your home' },
  ],
  [{ ...SHOP, kind: 'offered' }, { text: 'none yet' }],
] as const)('the project %j is named with what is known of it', (project, shown) => {
  expect(values('project', { project })).toMatchObject([shown])
})
