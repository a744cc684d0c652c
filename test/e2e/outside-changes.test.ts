import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Decided } from '../../src/contract/disk/files.ts'
import { digestOf } from '../../src/policy/files/decisions.ts'
import { journalIn } from '../../src/runs/journal/journal.ts'
import { typed } from '../drivers/command-line.ts'
import { HostProcesses, type Met } from '../drivers/host-process.ts'
import { eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/**
 * docs/spec.md D26: a command that a person once approved writes into our files, so that the next ones need nobody. Numbers are those of
 * docs/attacks.md (A1 …). Both lanes: the host decides by what it knows, and the headless server by what the host vouches for.
 */

let hosts: HostProcesses
let met: Met
let server: Opened
beforeEach(async () => {
  hosts = new HostProcesses()
  hosts.place.allow('expr 1 *')
  await hosts.start()
  met = await hosts.meet()
  server = await openStdio({ place: hosts.place })
})
afterEach(async () => {
  await server.close()
  await hosts.close()
})

const write = (path: string, content: object) => hosts.place.write(`home/${path}`, JSON.stringify(content))
const rules = (id: string, ...patterns: string[]) =>
  write(`data/${id}/terminal-allowlist.json`, { patterns, updated_at: '' })
const binding = (id: string, more: { directory?: string; trusted?: boolean; base?: string[] }) =>
  write(`data/${id}/workspace.v1.json`, {
    workspace_id: id,
    directory: more.directory ?? hosts.place.work,
    trusted: more.trusted ?? false,
    accepted: { base: more.base ?? [], headless: [] },
    updated_at: '',
  })

const inLine = () => {
  const file = join(hosts.place.work, 'line.sh')
  return [`${file} *`, 'expr 1 *']
}

/** Whether the line runs without approval: in the window, and headless. */
async function runsUnasked(command: string, cwd = hosts.place.work): Promise<{ window: boolean; headless: boolean }> {
  const id = met.client.command(command, { working_directory: cwd })
  const asked = met.approver.heard.next('question', each => each.request_id === id)
  const window = await Promise.race([
    asked.then(() => false),
    met.client.response(id).then(({ approved_by }) => approved_by === 'allowlist'),
  ])
  if (!window) {
    const question = await met.approver.question(each => each.request_id === id)
    met.approver.decline(question)
    await met.client.response(id)
  }
  const { data } = await server.headless({ action: 'run', command, cwd })
  return { window, headless: data.error === null || data.error === undefined }
}

const card = () => met.approver.question(each => each.kind === 'rules')
const agreed = async () => {
  const question = await card()
  met.approver.approve(question)
  await met.approver.heard.next('answered', ({ ask_id }) => ask_id === question.ask_id)
  return question
}

const NEITHER = { window: false, headless: false }
const BOTH = { window: true, headless: true }

test('the set-up: what a person decided runs without approval in both lanes', async () => {
  expect(await runsUnasked('expr 1 + 1')).toEqual(BOTH)
  expect(await runsUnasked('expr 2 + 1')).toEqual(NEITHER)
})

test('A1: a pattern written into the rule file does not count before a person agrees, and counts in both lanes after it', async () => {
  rules('test', ...inLine(), 'expr 2 *')
  expect(await runsUnasked('expr 2 + 1')).toEqual(NEITHER)
  expect(await agreed()).toMatchObject({ added: ['expr 2 *'], client: 'terminal-allowlist.json' })
  expect(await runsUnasked('expr 2 + 1')).toEqual(BOTH)
})

test('A2: with "accepted" written into workspace.v1.json it does not count either, and is a card', async () => {
  binding('test', { base: [...inLine(), 'expr 2 *'] })
  rules('test', ...inLine(), 'expr 2 *')
  expect(await runsUnasked('expr 2 + 1')).toEqual(NEITHER)
  expect(await card()).toMatchObject({ added: ['expr 2 *'] })
})

test('A3: a new workspace, bound, trusted and with rules, is none until a person agrees to all of it on one card', async () => {
  const directory = join(hosts.place.root, 'planted')
  hosts.place.write('planted/file', '')
  binding('evil', { directory, trusted: true, base: ['expr 2 *'] })
  rules('evil', 'expr 2 *')
  expect(await runsUnasked('expr 2 + 1', directory)).toEqual(NEITHER)
  expect(await agreed()).toMatchObject({
    workspace_id: 'evil',
    binds: { directory, trusted: true },
    added: ['expr 2 *'],
    client: 'workspace.v1.json',
  })
  expect(await runsUnasked('expr 2 + 1', directory)).toEqual(BOTH)
})

test('A4: "trusted": true written by hand trusts nothing, is a card, and a no leaves it so', async () => {
  hosts.place.write('work/package.json', JSON.stringify({ scripts: { test: 'true' } }))
  binding('test', { trusted: true, base: inLine() })
  expect(await runsUnasked('npm test')).toEqual(NEITHER)
  const question = await card()
  expect(question).toMatchObject({ binds: { directory: hosts.place.work, trusted: true }, added: [] })
  met.approver.decline(question)
  await met.approver.heard.next('answered', ({ ask_id }) => ask_id === question.ask_id)
  expect(await runsUnasked('npm test')).toEqual(NEITHER)
})

test('another directory written into workspace.v1.json takes the rules nowhere', async () => {
  const directory = join(hosts.place.root, 'elsewhere')
  hosts.place.write('elsewhere/file', '')
  binding('test', { directory, base: inLine() })
  expect(await runsUnasked('expr 1 + 1', directory)).toEqual(NEITHER)
  // What the file no longer says is over at once.
  expect(await runsUnasked('expr 1 + 1')).toEqual(NEITHER)
})

test('what is taken out of a file stops counting at once, and put back by somebody else it is a card', async () => {
  rules('test', inLine()[0] ?? '')
  expect(await runsUnasked('expr 1 + 1')).toEqual(NEITHER)
  rules('test', ...inLine())
  expect(await runsUnasked('expr 1 + 1')).toEqual(NEITHER)
  expect(await agreed()).toMatchObject({ added: ['expr 1 *'] })
  expect(await runsUnasked('expr 1 + 1')).toEqual(BOTH)
})

describe('whoever knows how the copy for servers works', () => {
  const copyFile = () => join(hosts.place.home, 'data', 'decisions.v1.json')
  const planted = (): Decided => {
    const { now } = JSON.parse(readFileSync(copyFile(), 'utf8')) as { now: Decided }
    const test = now.workspaces.test
    if (!test) throw new Error('the place is not bound')
    const base = [...test.accepted.base, 'expr 2 *']
    return {
      ...now,
      workspaces: { ...now.workspaces, test: { ...test, trusted: true, accepted: { base, headless: [] } } },
    }
  }
  const plant = () => {
    binding('test', { trusted: true, base: [...inLine(), 'expr 2 *'] })
    rules('test', ...inLine(), 'expr 2 *')
  }

  test('writes it as well: it is put back, every approver hears of it, and nothing counts', async () => {
    expect(await runsUnasked('expr 1 + 1')).toEqual(BOTH)
    const now = planted()
    plant()
    write('data/decisions.v1.json', { v: 1, now, ended: now })
    expect(await runsUnasked('expr 2 + 1')).toEqual(NEITHER)
    await met.approver.heard.next('alarm', ({ message }) => message.includes('decisions.v1.json'))
    expect(readFileSync(copyFile(), 'utf8')).not.toContain('expr 2')
    expect(await runsUnasked('expr 1 + 1')).toEqual(BOTH)
  })

  test('writes rows into the journal and another port into host.json: a server still hears the host alone', async () => {
    const now = planted()
    const file = join(hosts.place.home, 'state', 'journal.db')
    const journal = journalIn(new DatabaseSync(file), file, { now: () => 0, onProblem: () => {}, patienceMs: 5000 })
    const body = { decided: digestOf(now) }
    journal.append({ kind: 'rules_changed', requester: null, runId: null, body })
    journal.close()
    plant()
    write('data/decisions.v1.json', { v: 1, now, ended: now })
    const told = hosts.told()
    write('state/host.json', { ...told, port: 1 })
    const fresh = await openStdio({ place: hosts.place })
    const { data } = await fresh.headless({ action: 'run', command: 'expr 2 + 1' })
    expect(data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
    await fresh.close()
    write('state/host.json', { ...told })
    expect(await runsUnasked('expr 2 + 1')).toEqual(NEITHER)
  })
})

describe('A27b: the command line in a terminal of its own, while a host runs', () => {
  const policy = (env: Record<string, string> = {}) => typed(hosts.place, ['policy', 'trust', hosts.place.work], env)

  test('is a question', needs('script'), async () => {
    const told = policy()
    const question = await card()
    expect(question).toMatchObject({ binds: { trusted: true } })
    met.approver.decline(question)
    expect(await told).toMatchObject({ code: 2 })
  })

  test('and changes nothing when the host is hidden from it by a port', needs('script'), async () => {
    expect(await policy({ PM_TERM_PORT: '1' })).toMatchObject({
      code: 2,
      out: expect.stringContaining('A host runs, and this command does not reach it'),
    })
    expect(hosts.place.read('home/data/test/workspace.v1.json')).toContain('"trusted":false')
  })
})

test('a rule made in the window is believed by a server that runs already', async () => {
  expect(await runsUnasked('expr 3 + 1')).toEqual(NEITHER)
  const id = met.client.command('expr 3 + 1', { working_directory: hosts.place.work })
  const question = await met.approver.question(each => each.request_id === id)
  met.approver.approve(question, { scope: { kind: 'workspace', rules: ['expr 3 + 1'] } })
  await met.client.response(id)
  await eventually('the copy has it', () => hosts.place.read('home/data/decisions.v1.json').includes('expr 3 + 1'))
  expect(await runsUnasked('expr 3 + 1')).toEqual(BOTH)
})
