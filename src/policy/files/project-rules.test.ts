import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRules } from './project-rules.ts'
import { RuleFiles } from './rule-files.ts'

let root: string
let files: RuleFiles
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-projects-')))
  mkdirSync(join(root, 'shop'))
  files = new RuleFiles({ dataDir: join(root, 'data'), now: () => 0 })
  files.bind('shop', join(root, 'shop'), false)
})
afterEach(() => rmSync(root, { recursive: true }))

const write = (path: string, text: string): void => {
  const file = join(root, 'data', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode: 0o600 })
}
const counting = () =>
  projectRules(files).flatMap(({ workspace_id, files: own }) =>
    own.flatMap(({ layer, patterns }) => patterns.map(({ pattern, idle }) => [workspace_id, layer, pattern, idle])),
  )

test('each rule is shown where it is, with whether it counts and why not', () => {
  files.add('shop', 'base', 'make lint')
  files.add('shop', 'headless', 'make test')
  expect(counting()).toEqual([
    ['shop', 'base', 'make lint', null],
    ['shop', 'headless', 'make test', null],
  ])
  write('shop/terminal-allowlist.json', JSON.stringify({ patterns: ['make lint', 'make all'], updated_at: '' }))
  expect(counting()).toContainEqual(['shop', 'base', 'make all', 'added from outside; a person has to confirm it'])
})

test('with a file that cannot be read no rule of the project is said to count, and the file is named', () => {
  files.add('shop', 'headless', 'make test')
  write('shop/terminal-allowlist.json', '{')
  const [project] = projectRules(files)
  expect(project?.files[0]).toMatchObject({ problem: 'is not JSON', patterns: [] })
  expect(counting()).toEqual([['shop', 'headless', 'make test', expect.stringContaining('no rule counts here')]])
})

test('a project that only a file speaks of is shown as one that does not count, and so is trust that only a file gives', () => {
  const claimed = {
    directory: join(root, 'shop'),
    trusted: true,
    accepted: { base: ['ls x'], headless: [] },
    updated_at: '',
  }
  mkdirSync(join(root, 'other'))
  write(
    'other/workspace.v1.json',
    JSON.stringify({ ...claimed, directory: join(root, 'other'), workspace_id: 'other' }),
  )
  write('other/terminal-allowlist.json', JSON.stringify({ patterns: ['ls x'], updated_at: '' }))
  write('shop/workspace.v1.json', JSON.stringify({ ...claimed, workspace_id: 'shop' }))
  expect(projectRules(files)).toMatchObject([
    { workspace_id: 'other', trusted: false, problem: expect.stringContaining('no person has agreed') },
    { workspace_id: 'shop', trusted: false, problem: null, claims_trust: true },
  ])
  expect(counting()).toEqual([['other', 'base', 'ls x', 'its project does not count']])
})

test('an empty directory among our data is no project', () => {
  mkdirSync(join(root, 'data', 'left-over'))
  expect(projectRules(files).map(({ workspace_id }) => workspace_id)).toEqual(['shop'])
})
