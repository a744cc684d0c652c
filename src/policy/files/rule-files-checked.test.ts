import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RuleFiles } from './rule-files.ts'

let dataDir = ''
let project = ''
let files: RuleFiles
beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rules-')))
  dataDir = join(root, 'data')
  project = join(root, 'project')
  mkdirSync(project, { recursive: true })
  files = new RuleFiles({ dataDir, now: () => 0 })
  files.bind('w', project, false)
})
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }))

const allowlist = (): string => join(dataDir, 'w', 'terminal-allowlist.json')
const edit = (content: unknown): void => {
  writeFileSync(allowlist(), JSON.stringify(content))
  chmodSync(allowlist(), 0o600)
}
const inForce = () => files.rulesFor({ cwd: project, lane: 'interactive' })

test('a pattern that could run anything does not become a rule', () => {
  for (const pattern of ['bash *', 'python *', 'sudo *', 'rm *', '*', 'git push --force'])
    expect(() => files.add('w', 'base', pattern)).toThrow('cannot be a rule')
  expect(inForce().rules).toEqual([])
})

test('a rule that breaks its own examples is not in force', () => {
  files.add('w', 'base', 'git log *')
  edit({ patterns: ['git log *'], updated_at: '', examples: { 'git log *': { spares: ['git log -3'] } } })
  expect(inForce().rules).toEqual([])
  expect(inForce().idle.map(({ why }) => why)).toEqual([
    'it breaks its own example: it should not cover "git log -3" and does',
  ])
})

test('a rule that keeps its examples is in force, and they survive a change of the file', () => {
  files.add('w', 'base', 'git log *')
  const examples = { 'git log *': { matches: ['git log -3'], spares: ['git push'] } }
  edit({ patterns: ['git log *'], updated_at: '', examples })
  files.add('w', 'base', 'ls *')
  expect(inForce().rules.map(({ pattern }) => pattern.text)).toEqual(['git log *', 'ls *'])
  expect(JSON.parse(readFileSync(allowlist(), 'utf8')).examples).toEqual(examples)
})

test('a removal from outside counts at once, an addition only after a person has confirmed it', () => {
  files.add('w', 'base', 'ls *')
  edit({ patterns: ['cat *'], updated_at: '' })
  expect(inForce().rules).toEqual([])
  expect(inForce().idle.map(({ pattern, why }) => [pattern, why])).toEqual([
    ['cat *', 'added from outside; a person has to confirm it'],
  ])
})

test('a broken file means no patterns', () => {
  files.add('w', 'base', 'ls *')
  writeFileSync(allowlist(), '{')
  chmodSync(allowlist(), 0o600)
  expect(inForce().rules).toEqual([])
  expect(inForce().broken.map(({ problem }) => problem)).toEqual(['is not JSON'])
})
