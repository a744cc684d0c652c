import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Receipt } from '../../contract/disk/receipt.ts'
import type { EndedLine, OpenedLine } from '../../contract/disk/run-record.ts'
import { RunStore } from '../store/run-store.ts'
import { ledgerProblem } from '../store/verify-ledgers.ts'
import { keptOutput } from './kept-output.ts'
import { makeReceipt } from './make-receipt.ts'
import { type SealKey, sealFinding } from './receipt-seal.ts'
import { type RecordsNow, type Statement, verifyReceipt } from './verify-receipt.ts'

/** A receipt of a run that a real ledger has, and what is said of it once something is not what it was. */
const KEY: SealKey = { key: Buffer.alloc(32, 7) }
const OTHER: SealKey = { key: Buffer.alloc(32, 8) }
const SERVER = { id: 'srv_1', pid: 1, start: null, version: '9.9.9' }
const OPENED: OpenedLine = {
  ...{ type: 'opened', v: 1, id: 'req_1', trace_id: 'trace_1', client_request_id: 'mine' },
  ...{ requester: 'local', client: 'codex 1', lane: 'headless', adapter: 'headless_process' },
  ...{ command: 'git', args: ['status'], cwd: '/project', workspace_id: 'shop', env_names: ['B', 'A'] },
  ...{ payload_hash: 'p', server: SERVER, at: 1000 },
}
const ENDED: EndedLine = {
  ...{ type: 'ended', id: 'req_1', state: 'exited', at: 2000, started_at: 1500, took_ms: 500 },
  ...{ exit_code: 0, signal: null, ended_by: null, why: null, destructive: false, approved_by: 'allowlist' },
  ...{ survivors: [], output_bytes: 0, lost_bytes: 0, drained: true },
  verdict: { verdict: 'auto', why: 'a default rule', rule: 'git status' },
}

const TREE = { head: 'a'.repeat(40), files: 2, bytes: 7, sha256: 'b'.repeat(64) }

let directory: string
let store: RunStore
let receipt: Receipt
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'it-receipt-'))
  store = new RunStore({ stateDir: directory, serverId: 'srv_1', now: () => 1000 })
  store.open(OPENED, 'made')
  const repository = { top: '/project', head: 'a'.repeat(40), branch: 'main' }
  const process = { pid: 2, start: null, mark: 'm', executable: '/usr/bin/git', plan_hash: 'h' }
  store.appendAfter({ type: 'started', id: 'req_1', ...process, at: 1500, repository })
  store.appendAfter(ENDED)
  const record = store.record('req_1')
  if (!record) throw new Error('no record')
  receipt = await makeReceipt({
    record,
    rows: null,
    key: KEY,
    version: '9.9.9',
    now: () => 3000,
    lookAtWorkTree: async () => TREE,
  })
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

async function now(read: unknown, key = KEY): Promise<RecordsNow> {
  const file = join(directory, 'runs', receipt.ledger.name, 'ledger.jsonl')
  return {
    seal: sealFinding(read as Record<string, unknown>, key),
    ledger: { kind: 'there', text: readFileSync(file, 'utf8'), problem: ledgerProblem(file, null), seenTo: 3 },
    journal: null,
    output: await keptOutput(join(directory, 'nothing'), 0),
    workTree: TREE,
  }
}
const findings = (statements: readonly Statement[], finding: Statement['finding']): string[] =>
  statements.filter(each => each.finding === finding).map(({ about }) => about)

test('of a receipt that nobody has touched everything holds, in whatever order and spacing it was written', async () => {
  const written = Object.fromEntries(Object.entries(receipt).reverse())
  const read = JSON.parse(JSON.stringify(written, null, 4)) as Record<string, unknown>
  const statements = verifyReceipt(Receipt.parse(read), await now(read))
  expect(findings(statements, 'holds')).toHaveLength(statements.length)
  expect(findings(statements, 'holds')).toEqual(
    expect.arrayContaining([
      'seal',
      'ledger',
      'anchor',
      'command',
      'repository',
      'rule',
      'exit_code',
      'output',
      'work_tree',
    ]),
  )
})

test('one changed byte is found, in whichever field, also when the seal was made with another key', async () => {
  const fields: string[] = []
  for (const field of Object.keys(receipt) as (keyof Receipt)[]) {
    const text = JSON.stringify(receipt[field])
    const at = text.search(/[a-y0-8](?=[^a-y0-8]*$)/i)
    if (at < 0) continue
    const other = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) + 1)}${text.slice(at + 1)}`
    const read = { ...receipt, [field]: JSON.parse(other) as unknown }
    const parsed = Receipt.safeParse(read)
    // What is no receipt any more is not believed either.
    if (!parsed.success) continue
    expect([field, ...findings(verifyReceipt(parsed.data, await now(read)), 'contradicted')]).toContain('seal')
    const sealed = ['made_at', 'made_by', 'not_known', 'seal', 'work_tree'].includes(field)
    const unsealed = findings(verifyReceipt(parsed.data, await now(read, OTHER)), 'contradicted')
    if (!sealed) expect([field, ...unsealed]).not.toEqual([field])
    fields.push(field)
  }
  expect(fields.length).toBeGreaterThan(18)
})

test('a field that was taken out is missed', async () => {
  const { exit_code: _, ...read } = receipt
  expect(findings(verifyReceipt(read, await now(read)), 'contradicted')).toEqual(['seal', 'exit_code'])
})

test('what was let go for its age can no longer be known, and is no contradiction', async () => {
  const records = { ...(await now(receipt)), ledger: { kind: 'retired' as const }, output: null, workTree: null }
  const statements = verifyReceipt(receipt, records)
  expect(findings(statements, 'contradicted')).toEqual([])
  expect(findings(statements, 'holds')).toEqual(['seal'])
  expect(findings(statements, 'not_known')).toEqual(expect.arrayContaining(['ledger', 'command', 'output']))
})

test('a ledger that is gone although a host has seen it contradicts the receipt', async () => {
  const ledger = { kind: 'missing' as const, seen: true }
  expect(findings(verifyReceipt(receipt, { ...(await now(receipt)), ledger }), 'contradicted')).toEqual(['ledger'])
})

test('a work tree that has changed since is told, and contradicts nothing', async () => {
  const other = { ...TREE, files: 3, sha256: 'c'.repeat(64) }
  const of = async (workTree: RecordsNow['workTree']) =>
    verifyReceipt(receipt, { ...(await now(receipt)), workTree }).find(({ about }) => about === 'work_tree')
  expect(await of(TREE)).toMatchObject({ finding: 'holds', said: expect.stringContaining('the same now') })
  expect(await of(other)).toMatchObject({
    finding: 'not_known',
    said: expect.stringContaining('another one now, with 3'),
  })
  expect(await of({ problem: 'too much' })).toMatchObject({
    finding: 'not_known',
    said: expect.stringContaining('too much'),
  })
})

test('lines of another run vouch for nothing', async () => {
  const read = { ...receipt, session_id: 'req_2' }
  expect(findings(verifyReceipt(read, await now(read)), 'contradicted')).toEqual(expect.arrayContaining(['ledger']))
})

test('a receipt from before the end is not contradicted by the end', async () => {
  store.open({ ...OPENED, id: 'req_3' }, 'made')
  const record = store.record('req_3')
  if (!record) throw new Error('no record')
  const early = await makeReceipt({
    record,
    rows: null,
    key: KEY,
    version: '9.9.9',
    now: () => 1600,
    lookAtWorkTree: null,
  })
  expect(early).toMatchObject({ state: 'received', not_known: { output: expect.any(String) } })
  store.appendAfter({ ...ENDED, id: 'req_3', state: 'failed' })
  expect(findings(verifyReceipt(early, await now(early)), 'contradicted')).toEqual([])
})
