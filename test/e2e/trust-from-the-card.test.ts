import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandQuestion } from '../../src/approving/question.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

/** docs/spec.md D24: in a directory that is no workspace, the answer can make it one. */

let at: LiveHost
let client: FakeClient
let approver: FakeApprover
let shop: string
beforeEach(async () => {
  at = await openLiveHost()
  client = await at.client()
  approver = await at.approver()
  shop = directory('code/shop')
  for (const name of ['objects', 'refs']) mkdirSync(join(shop, '.git', name), { recursive: true })
  writeFileSync(join(shop, '.git', 'HEAD'), 'ref: refs/heads/main\n')
})
afterEach(() => at.close())

const directory = (path: string): string => {
  const made = join(at.place.root, path)
  mkdirSync(made, { recursive: true })
  return made
}
const asked = async (command: string, cwd = shop, more = {}) => {
  const id = client.command(command, { working_directory: cwd, ...more })
  return { id, question: (await approver.question(each => each.request_id === id)) as CommandQuestion }
}
const binding = (id: string) => JSON.parse(at.place.read(`home/data/${id}/workspace.v1.json`) || 'null')
const rulesIn = (id: string) => JSON.parse(at.place.read(`home/data/${id}/terminal-allowlist.json`)).patterns
const workspace = (...rules: string[]) => ({ scope: { kind: 'workspace', rules } })

test('a rule that would not hold is not offered: neither where the repository needs approval, nor for another file', async () => {
  writeFileSync(join(shop, '.git', 'config'), '[core]\n\tfsmonitor = ./evil\n')
  expect((await asked('git fetch origin')).question).toMatchObject({ proposed_rules: [], wider_rules: [] })
  const inside = directory('code/shop/packages/web')
  writeFileSync(join(inside, 'build.sh'), '#!/bin/sh\n', { mode: 0o755 })
  expect((await asked('./build.sh', inside)).question.proposed_rules).toEqual([])
})

test('the card offers the project around the directory, and "don’t ask again" binds it without trusting it', async () => {
  const inside = directory('code/shop/packages/web')
  const { id, question } = await asked('expr 1 + 1', inside)
  expect(question).toMatchObject({
    workspace_id: null,
    project: { directory: shop, id: 'shop', kind: 'offered', trusted: false, why_not: null },
    proposed_rules: ['expr 1 + 1'],
  })
  approver.approve(question, workspace('expr 1 + 1'))
  expect(await client.response(id)).toMatchObject({ approved_by: 'person' })
  expect(binding('shop')).toMatchObject({ directory: shop, trusted: false, accepted: { base: ['expr 1 + 1'] } })
  const again = client.command('expr 1 + 1', { working_directory: shop })
  expect(await client.response(again)).toMatchObject({ approved_by: 'allowlist', workspace_id: 'shop' })
  const rows = at.journal().filter(({ run_id }) => run_id === id)
  expect(rows.map(({ kind }) => kind)).toEqual([
    'received',
    'judged',
    'asked',
    'answered',
    'rules_changed',
    'starting',
    'started',
    'ended',
  ])
  expect(JSON.parse(rows[4]?.body ?? '')).toEqual({
    workspace_id: 'shop',
    directory: shop,
    bound: true,
    trusted: false,
    added: ['expr 1 + 1'],
    removed: [],
  })
})

test('trust goes with an answer, and what runs the project’s own code then runs without asking', async () => {
  writeFileSync(join(shop, 'package.json'), JSON.stringify({ scripts: { test: 'echo tested' } }))
  const { id, question } = await asked('npm test')
  approver.approve(question, { trust: { directory: shop } })
  await client.response(id)
  expect(binding('shop')).toMatchObject({ directory: shop, trusted: true, accepted: { base: [] } })
  const again = client.command('npm test', { working_directory: shop })
  expect(await client.response(again, 60_000)).toMatchObject({ approved_by: 'allowlist' })
}, 90_000)

test('the person may trust another directory around the command', async () => {
  const { id, question } = await asked('expr 2')
  approver.approve(question, { trust: { directory: join(at.place.root, 'code') }, ...workspace('expr 2') })
  await client.response(id)
  expect(binding('code')).toMatchObject({ directory: join(at.place.root, 'code'), trusted: true })
  expect(rulesIn('code')).toEqual(['expr 2'])
})

test('a workspace that is not trusted yet is trusted from the card, and keeps its rules', async () => {
  at.place.allow('expr a')
  const { id, question } = await asked('expr 3', at.place.work)
  approver.approve(question, { trust: { directory: at.place.work } })
  await client.response(id)
  expect(binding('test')).toMatchObject({ trusted: true, accepted: { base: ['expr a'] } })
})

test.each([
  ['does not hold the command', () => directory('code/other'), 'is not inside'],
  ['is the home', () => at.place.root, 'it is your home directory'],
  ['is above the home', () => join(at.place.root, '..'), 'your home directory is inside it'],
  ['is not there', () => join(shop, 'nowhere'), 'is not an existing directory'],
])('a directory that %s is not trusted, and the question stays open', async (_, wanted, says) => {
  const { id, question } = await asked('expr 4')
  approver.approve(question, { trust: { directory: wanted() } })
  expect(await approver.heard.next('answer_refused')).toMatchObject({
    open: true,
    problem: expect.stringContaining(says),
  })
  expect(at.journal().filter(({ kind }) => kind === 'rules_changed')).toEqual([])
  approver.decline(question)
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
})

test.each([
  ['the home', () => at.place.root, 'it is your home directory'],
  ['the root', () => '/', 'it is the root of a disk'],
  ['our own state', () => at.state, 'it belongs to this product'],
  [
    'what others can write',
    () => {
      const open = directory('open')
      chmodSync(open, 0o777)
      return open
    },
    'every user of this machine can write there',
  ],
])('in %s neither trust nor rules are offered, and both are refused', async (_, cwd, why_not) => {
  const { question } = await asked('expr 5', cwd())
  expect(question.project).toMatchObject({ kind: 'none', id: null, why_not })
  approver.approve(question, workspace('expr 5'))
  expect(await approver.heard.next('answer_refused')).toMatchObject({
    open: true,
    problem: expect.stringContaining(why_not),
  })
  approver.decline(question)
})

test('two cards of one new project can both be answered with "don’t ask again"', async () => {
  const one = await asked('expr 6')
  const two = await asked('expr 7', shop, { terminal_profile: 'sh' })
  approver.approve(one.question, workspace('expr 6'))
  await client.response(one.id)
  approver.approve(two.question, workspace('expr 7'))
  await client.response(two.id)
  expect([binding('shop')?.directory, rulesIn('shop')]).toEqual([shop, ['expr 6', 'expr 7']])
})

test('a project of the same name gets a number, and the terminal it was asked in goes on as its own', async () => {
  const other = directory('elsewhere/shop')
  const first = await asked('expr 8', shop, { workspace_path: shop })
  approver.approve(first.question, workspace('expr 8'))
  const before = await client.response(first.id)
  const second = await asked('expr 9', other)
  expect(second.question.project).toMatchObject({ id: 'shop-2', directory: other })
  approver.decline(second.question)
  const again = client.command('expr 8', { working_directory: shop, workspace_path: shop })
  expect((await client.response(again)).terminal_id).toBe(before.terminal_id)
})

const OFFERED = 'for %s the usual rule is offered beside the exact one, and never one for all that a program can do'
async function offers(command: string, exact: readonly string[], usual: readonly string[]): Promise<void> {
  const { question } = await asked(command)
  expect([question.proposed_rules, question.wider_rules]).toEqual([exact, usual])
  approver.decline(question)
}

test.each([
  ['npm install lodash', ['npm install lodash'], ['npm install *']],
  ['cp a b', ['cp a b'], ['cp a b']],
  ['npm install lodash && cp a b', ['npm install lodash', 'cp a b'], ['npm install *', 'cp a b']],
])(OFFERED, offers)

describe('of git', needs('git'), () => {
  test.each([
    [
      'git commit -m first && npm run build',
      ['git commit -m first', 'npm run build'],
      ['git commit *', 'npm run build *'],
    ],
    ['git push origin main', ['git push origin main'], ['git push origin main']],
  ])(OFFERED, offers)
})
