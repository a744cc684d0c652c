import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { TryFirst } from '../../runs/jail/try-first.ts'
import type { Run } from '../../runs/run/run.ts'
import { KeptDeclines } from '../questions/kept-declines.ts'
import { ScopedRules } from '../questions/scoped-rules.ts'
import { Terminals } from '../terminals/terminals.ts'
import { type GateDeps, InteractiveGate } from './gate.ts'
import type { PreparedRequest } from './prepared-request.ts'

let root: string
let cwd: string
let scoped: ScopedRules
let declines: KeptDeclines
const clock = new FakeClock()
const ids = randomIds()

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-gate-')))
  cwd = join(root, 'project')
  mkdirSync(cwd)
  scoped = new ScopedRules(clock, ids)
  declines = new KeptDeclines(clock, ids)
})
afterEach(() => rmSync(root, { recursive: true }))

function gateWith(settings: Partial<GateDeps['settings']> = {}): InteractiveGate {
  const ruleFiles = new RuleFiles({ dataDir: join(root, 'data'), now: () => 0 })
  ruleFiles.bind('ws', cwd, true)
  const env = { PATH: '/usr/bin:/bin', HOME: root, DEPLOY_TOKEN: 'x' }
  const ground = { home: root, tmp: [], ours: [] } as never
  return new InteractiveGate({
    world: { env, home: root, shell: '/bin/bash', platform: process.platform, tmp: [], ours: [], ground },
    settings: {
      PM_TERM_AUTO_APPROVE: 'allowlist',
      PM_TERM_GRAVE: 'ask',
      PM_TERM_HAND_ON: '',
      ...settings,
    } as GateDeps['settings'],
    ruleFiles,
    scoped,
    declines,
    tries: new TryFirst({ make: () => ({ problem: 'none here' }), doubt() {} }),
    shellFiles: join(root, 'shell'),
  })
}

const terminals = new Terminals(ids)
const key = () => ({ requester: 'local', workspaceId: 'ws', home: cwd, profile: 'bash' }) as const
const terminal = () => terminals.create(key())
const prepared = (more: Partial<PreparedRequest> = {}) =>
  ({
    frame: {},
    place: { cwd, venv: null, workspaceDirectory: cwd },
    terminal: terminal(),
    how: 'run',
    requester: 'local',
    marks: [],
    ...more,
  }) as PreparedRequest
const runOf = (command: string) => ({ request: { command, args: null, env: {} }, note: null }) as unknown as Run
const verdictOn = (command: string, more: Partial<PreparedRequest> = {}, gate = gateWith()) =>
  gate.judge(prepared(more), runOf(command), undefined).verdict

test('what only reads runs by a default rule; anything else needs a person', () => {
  expect(verdictOn('ls -l').verdict).toBe('auto')
  expect(verdictOn('make install').verdict).toBe('approval')
})

test('what a request says makes it stricter, never looser', () => {
  const frame = { approval_required: true } as PreparedRequest['frame']
  expect(verdictOn('ls -l', { frame })).toMatchObject({
    verdict: 'approval',
    why: 'the asker wants a person to decide',
  })
  const looser = { approval_required: false } as PreparedRequest['frame']
  expect(verdictOn('make install', { frame: looser }).verdict).toBe('approval')
})

test('a line that is typed into an open shell always needs approval', () => {
  expect(verdictOn('ls -l', { how: 'send', terminal: terminals.createShell(key()) }).verdict).toBe('approval')
})

test('what earlier commands left in the environment ends auto-approval in that terminal', () => {
  const changed = terminal()
  changed.carry({ cwd: null, env: { LD_PRELOAD: '/tmp/x.so' } })
  expect(verdictOn('ls -l', { terminal: changed })).toMatchObject({
    verdict: 'approval',
    why: expect.stringMatching(/^carried_env: .*LD_PRELOAD/),
  })
})

test('an approval for the terminal covers the same line there, and not elsewhere', () => {
  const own = terminal()
  scoped.hold(
    { kind: 'terminal', rules: ['make install'] },
    { requester: 'local', workspaceId: 'ws', cwd, terminalId: own.id },
  )
  expect(verdictOn('make install', { terminal: own }).verdict).toBe('auto')
  expect(verdictOn('make install').verdict).toBe('approval')
})

test('what was declined for today needs a person also where a rule covers it; a line that they write themselves does not', () => {
  const gate = gateWith()
  const own = prepared()
  const about = { covers: 'project', command: 'ls -l', directory: cwd, reason: null } as const
  expect(gate.judge(own, runOf('ls -l'), undefined).verdict.verdict).toBe('auto')
  declines.keep(gate.plainly(own, runOf('ls -l')), about)
  expect(gate.judge(own, runOf('/bin/ls -l'), undefined).verdict.verdict).toBe('approval')
  expect(gate.judge(own, runOf('ls -l'), undefined).verdict).toMatchObject({
    verdict: 'approval',
    why: 'the person declined it for today',
  })
  expect(gate.judge(own, runOf('ls -a'), undefined).verdict.verdict).toBe('auto')
  expect(gate.judge(own, runOf('make install'), 'ls -l').verdict.verdict).toBe('auto')
})

test('while a rule file is broken no rule counts, the defaults included, but what a person has just approved does', () => {
  const own = terminal()
  scoped.hold(
    { kind: 'terminal', rules: ['ls -l'] },
    { requester: 'local', workspaceId: 'ws', cwd, terminalId: own.id },
  )
  const gate = gateWith()
  writeFileSync(join(root, 'data/ws/terminal-allowlist.json'), '{"patterns": [')
  expect(verdictOn('pwd', { terminal: own }, gate)).toMatchObject({
    verdict: 'approval',
    why: expect.stringContaining('until it is fixed no rule counts here'),
  })
  expect(verdictOn('ls -l', { terminal: own }, gate).verdict).toBe('auto')
})

test('what a rule covers gets no variable that looks like a token; what a person approves does', () => {
  const planOf = (command: string, gate = gateWith()) => gate.judge(prepared(), runOf(command), undefined).plan()
  const [covered, approved] = [planOf('ls -l'), planOf('ls -l > list')]
  expect([covered.env.DEPLOY_TOKEN, covered.leftOut]).toEqual([undefined, ['DEPLOY_TOKEN']])
  expect([approved.env.DEPLOY_TOKEN, approved.leftOut]).toEqual(['x', []])
  const handedOn = planOf('ls -l', gateWith({ PM_TERM_HAND_ON: 'DEPLOY_TOKEN' }))
  expect(handedOn.env.DEPLOY_TOKEN).toBe('x')
  expect(new Set([covered.hash, approved.hash, handedOn.hash]).size).toBe(3)
})

test('what is hard to undo is refused without a question where the setting says so', () => {
  expect(verdictOn('git push --force')).toMatchObject({ verdict: 'approval', tier: 'grave' })
  const strict = gateWith({ PM_TERM_GRAVE: 'block' })
  expect(verdictOn('git push --force', {}, strict)).toMatchObject({
    verdict: 'destructive',
    why: expect.stringContaining('PM_TERM_GRAVE is block'),
  })
})

test('what is shown, checked and started is one plan; a line that no shell can read has none', () => {
  const judged = gateWith().judge(prepared(), runOf('ls -l'), undefined)
  expect(judged.plan()).toBe(judged.plan())
  expect(() => gateWith().judge(prepared(), runOf("echo 'open"), undefined).plan()).toThrow('not closed')
})

test('an edited line is judged in place of the one that was sent', () => {
  expect(gateWith().judge(prepared(), runOf('make install'), 'ls -l').verdict.verdict).toBe('auto')
})
