import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DiskTree, type Given } from './drivers/judged-on-disk.ts'
import { needs } from './drivers/needs.ts'

/** What an unasked git would print or start beyond what a line says, in repositories that somebody else prepared. */
let disk: DiskTree
beforeEach(() => {
  disk = new DiskTree()
  disk.directory('app').git('app', 'init', '-q')
  disk.write({ 'app/README.md': 'x', 'app/.env': 'KEY', 'app/src/a.ts': 'x' })
})
afterEach(() => disk.remove())

const BOUND: Given = { workspace: { directory: 'app', trusted: false } }
const judged = (command: string, cwd = 'app', given: Given = BOUND) =>
  disk.judges(command, cwd, { ...given, lane: 'interactive' }).verdict

describe('git prints what the line names', needs('git'), () => {
  test.each([
    'git grep --untracked KEY',
    'git grep --no-exclude-standard KEY',
    'git cat-file --batch-all-objects --batch',
    'echo HEAD:.env | git cat-file --batch',
    'git cat-file --batch-command',
    'git log -p --stdin',
    "git log -p -- '.en\\v'",
    "git show HEAD -- 'id_rs\\a'",
    "git log -p -- 'config/ma*.k*'",
    "git log -p -- '.s*/config'",
    'git grep -nf/etc/hostname',
    'git log -pO/etc/hostname',
    'git grep -nf.env',
  ])('%s needs approval', command => {
    expect(judged(command)).toBe('approval')
  })

  test.each([
    'git ls-files --exclude-from=../notes.txt',
    'git ls-files --exclude-fro=../notes.txt',
    'git ls-files -oX../notes.txt',
    'git ls-files --exclude-per-directory=../notes.txt',
    'git blame -S ../notes.txt a.ts',
    'git grep -f ../notes.txt',
    'git log -O../notes.txt',
  ])('%s below the top of a repository needs approval: git would take the file from there', command => {
    expect(judged(command, 'app/src')).toBe('approval')
  })

  test.each([
    "git diff -- . ':!package-lock.json'",
    "git log -p -- 'src/*' ':^dist'",
    'git status --untracked-files=no',
    'git grep -n KEY',
    'git log -n5 -p -U3',
    'git cat-file -p HEAD',
  ])('%s runs unasked', command => {
    expect(judged(command)).toBe('auto')
  })
})

describe('no signature is checked', needs('git'), () => {
  test.each([
    "git for-each-ref --form='%(signature)'",
    'git for-each-ref --sort=signature',
    'git branch --list --sort=-signature:grade',
    'git tag -l --sort signature',
  ])('%s needs approval', command => {
    expect(judged(command)).toBe('approval')
    expect(judged(command, 'app', { workspace: null, patterns: ['git *'] })).toBe('approval')
  })
})

describe('a repository that is not the one of this folder makes git need approval', needs('git'), () => {
  beforeEach(() => {
    disk.directory('private').git('private', 'init', '-q')
    disk.git('private', 'commit', '-q', '--allow-empty', '-m', 'KEY')
  })

  test('a file .git that names another one', () => {
    disk.write({ 'app/sub/.git': `gitdir: ${disk.path('private/.git')}\n` })
    expect(judged('git log -p', 'app/sub')).toBe('approval')
  })

  test('a .git that takes its common part from another one', () => {
    disk.write({
      'app/sub/.git/HEAD': 'ref: refs/heads/main\n',
      'app/sub/.git/commondir': `${disk.path('private/.git')}\n`,
    })
    expect(judged('git log -p', 'app/sub')).toBe('approval')
  })

  test.each(['objects', 'refs', 'packed-refs'])('%s that is a link', name => {
    for (const part of ['objects', 'refs', 'packed-refs'])
      if (part === name) disk.link(`app/sub/.git/${part}`, disk.path(`private/.git/${part}`))
      else disk.directory(`app/sub/.git/${part}`)
    disk.write({ 'app/sub/.git/HEAD': 'ref: refs/heads/main\n' })
    expect(judged('git log -p', 'app/sub')).toBe('approval')
  })

  test('objects from elsewhere', () => {
    disk.write({ 'app/.git/objects/info/alternates': `${disk.path('private/.git/objects')}\n` })
    expect(judged('git log -p')).toBe('approval')
  })

  test('one that is larger than the folder', () => {
    expect(judged('git log -p', 'app/src', { workspace: { directory: 'app/src', trusted: false } })).toBe('approval')
    expect(judged('git log -p', 'app/src')).toBe('auto')
  })

  test('a comparison with files outside of it', () => {
    const whole = { workspace: { directory: '.', trusted: false } }
    disk.directory('notes')
    expect(judged('git diff ../notes ../private', 'app', whole)).toBe('approval')
    expect(judged('git diff README.md src', 'app', whole)).toBe('auto')
  })

  test('a section with the name of something that every object has is only one that is not known', () => {
    disk.write({ 'app/.git/config': '[constructor]\n\tx = 1\n' })
    expect(judged('git log')).toBe('approval')
  })
})
