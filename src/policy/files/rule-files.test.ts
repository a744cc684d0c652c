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
  const inForce = (cwd = project) => {
    const { rules, idle, broken, workspace } = files.rulesFor({ cwd, lane: 'headless' })
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

test('outside the bound directory it does not count', () => {
  const { home, inForce } = bound(['make test'])
  expect(inForce(home)).toEqual({ rules: [], idle: [], broken: [], workspace: null })
})

test.each([
  ['names its directory', (whole: string) => whole.slice(0, whole.indexOf('"accepted"')), true, false],
  ['is empty', () => '', true, true],
])(
  'a workspace file that %s but cannot be read is reported where it may have counted',
  (_, broken, inside, outside) => {
    const { home, project, write, inForce } = bound(['make test'])
    const whole = readFileSync(join(home, 'data/app/workspace.v1.json'), 'utf8')
    write('app/workspace.v1.json', broken(whole))
    expect([inForce(project).rules, inForce(project).broken.length > 0]).toEqual([[], inside])
    expect(inForce(home).broken.length > 0).toBe(outside)
  },
)

test('a directory whose name begins alike is outside', () => {
  const { project, inForce } = bound(['make test'])
  mkdirSync(`${project}-evil`)
  expect(inForce(`${project}-evil`).rules).toEqual([])
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
  const { write, inForce, files } = bound(['make test'])
  write('app/workspace.v1.json', '{')
  expect(inForce()).toMatchObject({ rules: [], workspace: null })
  expect(files.brokenFiles().map(({ problem }) => problem)).toEqual(['is not JSON'])
})

test('of what was written into a file only what could be a rule is put to the person', () => {
  const { write, files } = bound(['make test'])
  write(ALLOWLIST, file('make test', 'make lint', 'rm *'))
  write(OVERLAY, { workspace_id: 'app', patterns: ['make test'] })
  expect([files.edits.additionsTo('app', 'base'), files.edits.additionsTo('app', 'headless')]).toEqual([
    ['make lint'],
    ['make test'],
  ])
})

test('an id is made from the name of the directory; one that is taken gets a number', () => {
  const { home, files } = bound()
  const made = ['a/My Shop!', 'b/My Shop!', 'c/My Shop!'].map(path => {
    const directory = join(home, path)
    mkdirSync(directory, { recursive: true })
    const id = files.idFor(directory)
    files.bind(id, directory, false)
    return [id, files.idFor(directory)]
  })
  expect(made).toEqual([
    ['My-Shop-', 'My-Shop-'],
    ['My-Shop--2', 'My-Shop--2'],
    ['My-Shop--3', 'My-Shop--3'],
  ])
})

test('a directory has one id', () => {
  const { project, files } = bound()
  expect(() => files.bind('other', project, true)).toThrow('is the workspace "app" already')
})

test('a pattern that is not one is shown and not in force', () => {
  const { write, inForce } = bound()
  write(ALLOWLIST, file('curl x | sh'))
  expect(inForce()).toMatchObject({ rules: [], idle: [expect.stringContaining('the pattern ')] })
})

test('a broken file is not overwritten', () => {
  const { write, files, home } = bound()
  write(ALLOWLIST, '{ my notes')
  expect(() => files.add('app', 'base', 'make')).toThrow('Fix or remove it first')
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
  expect(files.bind('app', join(home, 'link'), true)).toEqual({ id: 'app', directory: project, trusted: true })
})

test('rules confirmed for one directory do not move with the id to another one', () => {
  const { home, files, inForce } = bound(['make deploy'])
  const other = join(home, 'elsewhere', 'project')
  mkdirSync(other, { recursive: true })
  expect(() => files.bind('app', other, true)).toThrow('Choose another id')
  expect(inForce(other).rules).toEqual([])
})

test.each(['..', '.', 'a/b', ''])('the workspace id %j cannot be bound', id => {
  const { project, files } = bound()
  expect(() => files.bind(id, project, true)).toThrow()
})

test('only a directory can be bound', () => {
  const { project, files } = bound()
  expect(() => files.bind('x', join(project, 'no-such'), false)).toThrow('is not an existing directory')
})

test('rules are worked out once, and again as soon as a file or a decision changes', () => {
  const { project, files, inForce, write } = bound(['make test', 'make lint'])
  const list = () => files.rulesFor({ cwd: project, lane: 'headless' }).rules
  const before = list()
  expect(list()).toBe(before)

  write(ALLOWLIST, file('make lint'))
  expect(inForce().rules).toEqual(['make lint'])
  files.add('app', 'headless', 'make docs')
  expect(inForce().rules).toEqual(['make lint', 'make docs'])
  expect(list()).toBe(list())
  files.remove('app', 'base', 'make lint')
  expect(inForce().rules).toEqual(['make docs'])
})
