import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Decision } from '../../approving/decision.ts'
import { randomIds } from '../../base/ids.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { projectAt } from '../questions/project-at.ts'
import { Terminals } from '../terminals/terminals.ts'
import { type Widening, widen, wideningOf } from './widen-project.ts'

let root: string
let shop: string
let ruleFiles: RuleFiles
const deps = () => ({
  ruleFiles,
  ground: { homes: [join(root, 'home')], tmp: [], ours: [join(root, 'data')], user: null },
})

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-widen-')))
  shop = join(root, 'shop')
  mkdirSync(join(shop, 'src'), { recursive: true })
  mkdirSync(join(root, 'home'))
  ruleFiles = new RuleFiles({ dataDir: join(root, 'data'), now: () => 0 })
})
afterEach(() => rmSync(root, { recursive: true }))

const rules = (...texts: string[]): Decision => ({ kind: 'approve', scope: { kind: 'workspace', rules: texts } })
const trust = (directory: string): Decision => ({ kind: 'approve', scope: { kind: 'once' }, trust: { directory } })
const about = (cwd = shop) => ({ cwd, shown: projectAt(cwd, deps()) })

test('an answer for once, a decline and an edit change nothing for the project', () => {
  for (const decision of [
    { kind: 'approve', scope: { kind: 'once' } },
    { kind: 'decline', reason: null },
    { kind: 'edit', command: 'make', plan_hash: 'x' },
  ] as Decision[])
    expect(wideningOf(decision, about(), deps())).toBeNull()
})

test('the first rule of a directory makes it a workspace, without trusting it, and adopts its terminals', () => {
  const widening = wideningOf(rules('make *'), about(), deps()) as Widening
  expect(widening).toMatchObject({ directory: shop, bound: true, trusted: false, added: ['make *'] })
  const terminals = new Terminals(randomIds())
  const terminal = terminals.create({ requester: 'local', workspaceId: null, home: shop, profile: 'bash' })
  widen(widening, { ...deps(), terminals })
  expect(ruleFiles.workspaceAt(join(shop, 'src'))).toMatchObject({ directory: shop, trusted: false })
  expect(terminal.workspaceId).toBe(widening.workspace_id)
})

test('a rule for a workspace that is trusted leaves it trusted', () => {
  ruleFiles.bind('shop', shop, true)
  expect(wideningOf(rules('make *'), about(), deps())).toMatchObject({
    workspace_id: 'shop',
    bound: false,
    trusted: true,
  })
})

test('a folder is trusted only around the command, and never a home or what is ours', () => {
  expect(wideningOf(trust(shop), about(join(shop, 'src')), deps())).toMatchObject({ directory: shop, trusted: true })
  expect(wideningOf(trust(join(shop, 'src')), about(), deps())).toContain('which is not inside')
  expect(wideningOf(trust(root), about(), deps())).toContain('cannot be trusted')
  expect(wideningOf(trust(join(shop, 'nowhere')), about(), deps())).toContain('is not an existing directory')
})

test('what became another project while the card was up does not count', () => {
  const asked = about(join(shop, 'src'))
  ruleFiles.bind('inner', join(shop, 'src'), false)
  expect(wideningOf(rules('make *'), { ...asked, shown: { ...asked.shown, directory: shop } }, deps())).toContain(
    'Meanwhile',
  )
})

test('nothing is added to rules that cannot be read', () => {
  ruleFiles.bind('shop', shop, false)
  writeFileSync(join(root, 'data/shop/terminal-allowlist.json'), '{')
  expect(typeof wideningOf(rules('make *'), about(), deps())).toBe('string')
})
