import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { RuleFiles } from './rule-files.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'it-rules-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0

/** A data directory and a project of their own, the project bound as "app". */
function bound(patterns: readonly string[] = []) {
  const home = join(root, String(next++))
  const project = join(home, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  const files = new RuleFiles({ dataDir: join(home, 'data'), now: () => 0 })
  files.bind('app', project, false)
  for (const pattern of patterns) files.add('app', 'base', pattern)
  const inForce = (cwd = project, workspaceId?: string) => {
    const { rules, idle, broken, workspace } = files.rulesFor({ cwd, workspaceId, lane: 'headless' })
    return {
      rules: rules.map(rule => rule.pattern.text),
      idle: idle.map(({ pattern, why }) => `${pattern}: ${why}`),
      broken: broken.map(({ problem }) => problem),
      workspace: workspace?.id ?? null,
    }
  }
  return {
    home,
    project,
    files,
    inForce,
    write(path: string, content: unknown, mode = 0o600) {
      const file = join(home, 'data', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
      chmodSync(file, mode)
    },
  }
}
const ALLOWLIST = 'app/terminal-allowlist.json'
const OVERLAY = 'app/interactive-terminal/headless-allowlist-policy.v1.json'
const file = (...patterns: string[]) => ({ patterns, updated_at: '2030-01-01T00:00:00Z' })

test('a rule the person added counts in the bound directory and below it', () => {
  const { project, inForce } = bound(['make test'])
  const expected = { rules: ['make test'], idle: [], broken: [], workspace: 'app' }
  expect([inForce(), inForce(join(project, 'src'))]).toEqual([expected, expected])
})

test('outside the bound directory it does not count, also when the workspace is named', () => {
  const { home, inForce } = bound(['make test'])
  expect([inForce(home), inForce(home, 'app')]).toEqual([
    { rules: [], idle: [], broken: [], workspace: null },
    {
      rules: [],
      idle: ['make test: the directory is outside the one bound to this workspace'],
      broken: [],
      workspace: null,
    },
  ])
})

test('a directory whose name begins alike is outside', () => {
  const { project, inForce } = bound(['make test'])
  mkdirSync(`${project}-evil`)
  expect(inForce(`${project}-evil`, 'app').rules).toEqual([])
})

test('the id of another workspace gives nothing here', () => {
  const { home, files, project, inForce } = bound(['make test'])
  mkdirSync(join(home, 'other'))
  files.bind('other', join(home, 'other'), true)
  files.add('other', 'base', 'deploy *')
  expect([inForce(project, 'other').rules, inForce(project, 'no-such').rules]).toEqual([[], []])
})

test('of two bound directories around the current one the inner counts', () => {
  const { project, files, inForce } = bound(['outer'])
  files.bind('inner', join(project, 'src'), false)
  expect(inForce(join(project, 'src'))).toMatchObject({ rules: [], workspace: 'inner' })
})

test('what was added to a file from outside waits for the person; what was removed is gone at once', () => {
  const { write, inForce } = bound(['make test', 'make lint'])
  write(ALLOWLIST, file('make lint', 'curl *'))
  expect(inForce()).toEqual({
    rules: ['make lint'],
    idle: ['curl *: added from outside; a person has to confirm it'],
    broken: [],
    workspace: 'app',
  })
})

test('a pattern confirmed for one file is not confirmed for the other', () => {
  const { write, inForce } = bound(['make test'])
  write(ALLOWLIST, file())
  write(OVERLAY, { workspace_id: 'app', patterns: ['make test'] })
  expect(inForce().rules).toEqual([])
})

test('the overlay adds to the base for the headless lane only', () => {
  const { project, files, inForce } = bound(['make test'])
  files.add('app', 'headless', 'make lint')
  const interactive = files.rulesFor({ cwd: project, lane: 'interactive' }).rules.map(rule => rule.pattern.text)
  expect([inForce().rules, interactive]).toEqual([['make test', 'make lint'], ['make test']])
})

test.each([
  ['is not JSON', '{"patterns": ["make'],
  ['has no patterns', { updated_at: 'x' }],
  ['has a number among its patterns', { patterns: ['make test', 7], updated_at: 'x' }],
  ['is empty', ''],
])('a file that %s gives no rules and is reported', (_, content) => {
  const { write, inForce } = bound(['make test'])
  write(ALLOWLIST, content)
  expect([inForce().rules, inForce().broken.length]).toEqual([[], 1])
})

test.each([0o666, 0o620, 0o602])('a file that others may write (%o) gives no rules and is reported', mode => {
  const { write, inForce } = bound(['make test'])
  write(ALLOWLIST, file('make test'), mode)
  expect(inForce()).toMatchObject({ rules: [], broken: ['can be written by other users; chmod it to 600'] })
})

test('a broken binding means no workspace, and is reported', () => {
  const { write, inForce, project } = bound(['make test'])
  write('app/workspace.v1.json', '{')
  expect(inForce(project, 'app')).toMatchObject({ rules: [], broken: ['is not JSON'], workspace: null })
})

test('a pattern that is not one is shown and not in force', () => {
  const { write, inForce } = bound()
  write(ALLOWLIST, file('curl x | sh'))
  expect(inForce()).toMatchObject({ rules: [], idle: [expect.stringContaining('the pattern ')] })
})

test('a broken file is not overwritten', () => {
  const { write, files, home } = bound()
  write(ALLOWLIST, '{ my notes')
  expect(() => files.add('app', 'base', 'make')).toThrow('Mend or remove it first')
  expect(readFileSync(join(home, 'data', ALLOWLIST), 'utf8')).toBe('{ my notes')
})

test('removing a rule takes it out of the file and out of force', () => {
  const { files, inForce } = bound(['make test', 'make lint'])
  files.remove('app', 'base', 'make test')
  expect(inForce().rules).toEqual(['make lint'])
  expect(() => files.remove('app', 'base', 'make test')).toThrow('has no pattern')
})

test('a directory is bound by its real path', () => {
  const { home, project, files } = bound()
  symlinkSync(project, join(home, 'link'))
  expect(files.bind('linked', join(home, 'link'), true)).toEqual({ id: 'linked', directory: project, trusted: true })
})

test('rules confirmed for one directory do not move with the id to another one', () => {
  const { home, files, inForce } = bound(['make deploy'])
  const other = join(home, 'elsewhere', 'project')
  mkdirSync(other, { recursive: true })
  expect(() => files.bind('app', other, true)).toThrow('Choose another id')
  expect(inForce(other, 'app').rules).toEqual([])
})

test.each(['..', '.', 'a/b', ''])('the workspace id %j cannot be bound', id => {
  const { project, files } = bound()
  expect(() => files.bind(id, project, true)).toThrow()
})

test('only a directory can be bound', () => {
  const { project, files } = bound()
  expect(() => files.bind('x', join(project, 'no-such'), false)).toThrow('is not an existing directory')
})
