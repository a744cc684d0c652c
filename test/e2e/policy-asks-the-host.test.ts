import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandLine } from '../drivers/command-line.ts'
import { type FakeApprover, type LiveHost, openLiveHost } from '../drivers/live-host.ts'

/** docs/spec.md D26: while a host runs, changing the rules from the command line is a question. */

let at: LiveHost
let approver: FakeApprover
let shop: string
beforeEach(async () => {
  at = await openLiveHost()
  approver = await at.approver()
  shop = join(at.place.root, 'shop')
  mkdirSync(shop)
})
afterEach(() => at.close())

const policy = (...words: string[]) =>
  commandLine(at.place, ['policy', ...words], { PM_TERM_PORT: String(at.host.port) })
const changes = () => at.journal().flatMap(({ kind, body }) => (kind === 'rules_changed' ? [JSON.parse(body)] : []))
const binding = (id: string) => JSON.parse(at.place.read(`home/data/${id}/workspace.v1.json`) || 'null')

test('trust is asked for with the folder, and counts after the yes, although the command line had no terminal', async () => {
  const told = policy('trust', shop)
  const question = await approver.question()
  expect(question).toMatchObject({
    kind: 'rules',
    client: expect.stringContaining('interactive-terminal policy'),
    workspace_id: 'shop',
    binds: { directory: shop, trusted: true },
    added: [],
  })
  expect(binding('shop')).toBeNull()
  approver.approve(question)
  expect(await told).toMatchObject({ code: 0, out: expect.stringContaining('"shop" and is trusted') })
  expect(binding('shop')).toMatchObject({ directory: shop, trusted: true })
  expect(changes()).toMatchObject([{ workspace_id: 'shop', directory: shop, trusted: true, added: [] }])
})

test.each([
  ['add', 'make test', { added: ['make test'], removed: [] }],
  ['remove', 'expr a', { added: [], removed: ['expr a'] }],
])('%s is asked for, and a no leaves everything as it was', async (verb, pattern, shown) => {
  at.place.allow('expr a')
  const told = policy(verb, pattern)
  const question = await approver.question()
  expect(question).toMatchObject({ kind: 'rules', workspace_id: 'test', ...shown })
  approver.decline(question, 'not now')
  expect(await told).toMatchObject({ code: 2, out: expect.stringContaining('not now') })
  expect(JSON.parse(at.place.read('home/data/test/terminal-allowlist.json')).patterns).toEqual(['expr a'])
  expect(changes()).toEqual([])
})

test('a folder that cannot be trusted is not even asked for, neither from the command line nor by a frame', async () => {
  expect(await policy('trust', at.place.root)).toMatchObject({ code: 2, out: expect.stringContaining('your home') })
  const client = await at.client()
  const bind = { directory: at.place.root, trusted: true }
  client.ask('allowlist_update', { workspace_id: 'x', operation: 'add', patterns: [], bind })
  expect(await client.heard.next('error')).toMatchObject({ error: { message: expect.stringContaining('your home') } })
  expect(approver.heard.all.some(({ type }) => type === 'question')).toBe(false)
})

test('a container cannot ask for trust', async () => {
  at.pair('box')
  const box = await at.client('box')
  const bind = { directory: shop, trusted: true }
  box.ask('allowlist_update', { workspace_id: 'shop', operation: 'add', patterns: [], bind })
  expect(await box.heard.next('error')).toMatchObject({ error: { code: 'PM_TERM_INVALID_PAYLOAD' } })
})
