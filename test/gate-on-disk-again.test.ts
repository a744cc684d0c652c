import { execFileSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { neutralGitEnv } from '../src/policy/git/neutral-git-env.ts'
import { DiskTree, type Given } from './drivers/judged-on-disk.ts'
import { needs } from './drivers/needs.ts'

/** What a second attack on the gate found: each line here once ran unasked, or could have. */
let disk: DiskTree
beforeEach(() => {
  disk = new DiskTree().write({
    'notes.txt': 'KEY',
    'keys/a.ts': 'KEY',
    'app/README.md': 'x',
    'app/src/a.ts': 'x',
    'app/odd/a.ts': 'x',
  })
})
afterEach(() => disk.remove())

const BOUND: Given = { workspace: { directory: 'app', trusted: false } }
const TRUSTED: Given = { workspace: { directory: 'app', trusted: true } }
const judged = (command: string, given: Given = BOUND, cwd = 'app') => disk.judges(command, cwd, given).verdict

describe('a link whose name is no text leads wherever it likes', () => {
  /** `odd/<ff>`, which Node can neither look up nor open by what it reads there. */
  const link = (target: string) =>
    symlinkSync(target, Buffer.concat([Buffer.from(`${disk.path('app/odd')}/`), Buffer.from([0xff])]))

  test.each(['cat odd/*', 'head odd/?', 'cat odd/[!a]', 'grep KEY odd/*', 'grep -R KEY odd', 'diff -r odd src'])(
    '%s needs approval where it leads to a file elsewhere',
    command => {
      link('../../notes.txt')
      expect(judged(command)).toBe('approval')
    },
  )

  test.each(['cat odd/*/a.ts', 'grep -R KEY --include=*.ts odd', 'grep -R --exclude=? KEY odd'])(
    '%s needs approval where it leads to a directory elsewhere',
    command => {
      link('../../keys')
      expect(judged(command)).toBe('approval')
    },
  )

  test.each(['ls odd', 'grep -r KEY odd', 'cat odd/a.ts'])('%s runs unasked: it follows no link', command => {
    link('../../notes.txt')
    expect(judged(command)).toBe('auto')
  })
})

describe('rg opens hidden files of a type that it is asked for', () => {
  beforeEach(() => void disk.write({ 'app/.yarnrc.yml': 'KEY', 'app/.config/x.yml': 'KEY' }))

  test.each(['rg -tyaml KEY', 'rg -t yaml KEY', 'rg --type=yaml KEY', 'rg -nt yaml KEY .'])(
    '%s needs approval beside a hidden file with secrets',
    command => {
      expect(judged(command)).toBe('approval')
    },
  )

  test.each(['rg KEY', 'rg -Tyaml KEY', 'rg -tyaml KEY src'])('%s runs unasked', command => {
    expect(judged(command)).toBe('auto')
  })
})

describe('zsh calculates where other shells compare, and that may set the PATH', () => {
  test.each(['[ -t PATH=5 ]; ls', 'test -t path=5 && ls', '[ PATH+=5 -eq 5 ]; ls', '[ 1 -eq ++PATH ]; ls'])(
    '%s needs approval',
    command => {
      expect(judged(command, { ...TRUSTED, shell: 'zsh' })).toBe('approval')
    },
  )

  test.each(['[ -d src ] && ls', '[ -n a ]; ls', 'test -f README.md && ls'])('%s runs unasked', command => {
    expect(judged(command, { ...TRUSTED, shell: 'zsh' })).toBe('auto')
  })
})

describe('some of git looks into submodules whatever it is told', needs('git'), () => {
  const LOOKS = ['describe --always --dirty', 'describe --always --di=x', 'describe --all --b']
  beforeEach(() => {
    disk.git('app', 'init', '-q')
    disk.git('app', 'add', '-A')
    disk.git('app', 'commit', '-qm', 'one')
  })

  /** A repository in the repository that starts a program of its own for each file it looks at. */
  function plantSubmodule(): void {
    disk.write({ 'app/sub/f': 'x' })
    disk.git('app/sub', 'init', '-q')
    disk.git('app/sub', 'add', 'f')
    disk.git('app/sub', 'commit', '-qm', 'sub')
    disk.git('app/sub', 'config', 'filter.x.clean', `touch ${disk.path('STARTED')}; cat`)
    disk.write({ 'app/sub/.git/info/attributes': 'f filter=x\n', 'app/sub/f': 'y' })
    disk.git('app', '-c', 'advice.addEmbeddedRepo=false', 'add', 'sub')
    disk.git('app', 'commit', '-qm', 'two')
  }

  test.each(LOOKS)('git %s needs approval where there are any, and there it would start a program', words => {
    plantSubmodule()
    expect(judged(`git ${words}`)).toBe('approval')
    const env = { PATH: process.env.PATH ?? '', HOME: disk.root, ...neutralGitEnv() }
    execFileSync('git', words.split(' '), { cwd: disk.path('app'), env, stdio: 'pipe' })
    expect(existsSync(disk.path('STARTED'))).toBe(true)
  })

  test.each(['git diff-index HEAD', 'git diff-files'])('%s does so under a rule of the person’s as well', command => {
    const rule = { ...BOUND, patterns: ['git diff-index *', 'git diff-files *'] }
    expect(judged(command, rule)).toBe('auto')
    plantSubmodule()
    expect(judged(command, rule)).toBe('approval')
  })

  test.each(LOOKS)('git %s runs unasked where there are none', words => {
    expect(judged(`git ${words}`)).toBe('auto')
  })

  test('what keeps out of them runs unasked beside them', () => {
    plantSubmodule()
    expect(['git describe --always', 'git status', 'git diff'].map(command => judged(command))).toEqual([
      'auto',
      'auto',
      'auto',
    ])
  })
})

describe('a version manager starts what a file of the folder names', () => {
  beforeEach(() => {
    disk.write({ 'home/.asdf/shims/node': '#!/bin/sh\nexec asdf exec node "$@"\n' }, 0o755)
  })
  const withShims = (given: Given) => ({
    ...given,
    hostEnv: { PATH: `${disk.path('home/.asdf/shims')}:${process.env.PATH}` },
  })

  test.each([
    ['.tool-versions', 'nodejs path:./evil\n'],
    ['.node-version', '../../evil\n'],
    ['mise.toml', '[tools]\nnode = "path:./evil"\n'],
  ])('a folder that is not trusted makes its programs need approval by its %s', (name, text) => {
    disk.write({ [`app/${name}`]: text })
    const places: (readonly [Given, string])[] = [
      [BOUND, 'app'],
      [BOUND, 'app/src'],
      [{ workspace: null }, 'app'],
      [TRUSTED, 'app'],
    ]
    expect(places.map(([given, cwd]) => judged('node --version', withShims(given), cwd))).toEqual([
      'approval',
      'approval',
      'approval',
      'auto',
    ])
  })

  test('a plain version names no place', () => {
    disk.write({ 'app/.tool-versions': 'nodejs 20.11.0\n', 'app/.node-version': '20.11.0\n' })
    expect(judged('node --version', withShims(BOUND))).toBe('auto')
  })
})

/**
 * Twice it was tried to let these run unasked where every file that could be found may be read, and twice the gate was broken:
 * how names become words, and words commands, has too many corners.
 */
describe('what hands the files that it finds to another command needs approval', () => {
  test.each([
    'find src -name "*.ts" -exec wc -l {} +',
    "find src -type f | xargs grep -n 'TODO'",
    'grep -rl export src | xargs head -5',
    'rg -l foo src | xargs wc -l',
    // a second action behind the end of the first
    'find src -type f -exec echo x \\; -exec touch x \\; -exec echo {} \\;',
    "find src -type f -exec echo ';' -fprint x -exec echo {} +",
    "find src -type f -exec grep x README.md ';' -exec cp README.md y ';' -exec cat {} +",
    // what xargs gets is more than names of files
    'find src missing 2>&1 | xargs cat',
    'echo x |& grep -l x | xargs cat',
    'for f in ../notes.txt; do echo $f; find src -type f; done | xargs cat',
    'find src -type f | head -n 5 - - | xargs cat',
    'find src -type f -print0 | tail -n 1 | xargs -0 cat',
    // a name becomes several words, or an option
    "grep -l x 'a id_rsa' | xargs cat",
    'grep -rl x -- -osrc | xargs sort',
    "find . -name 'a*' -not -path './*/*' | xargs cat",
    // the last of two options counts
    'find src -type f | xargs -I{} -IX cat {}',
    'find src -type f | xargs -I{} -n 2 cat {}',
    // what a pattern leaves out is not what it seems to
    "find src// -not -path 'src/x/*' -exec cat {} +",
    "find src -name '?' -exec cat {} +",
    'find . -name credentials -exec cat {} +',
  ])('%s', command => {
    expect([judged(command), judged(command, TRUSTED)]).toEqual(['approval', 'approval'])
    expect(judged(command, { ...TRUSTED, lane: 'headless' })).toBe('blocked')
  })
})

describe('a character beyond ASCII is one to some tools and several to others', () => {
  beforeEach(() => {
    disk.link('app/odd/\u{1f600}', '../../notes.txt').link('app/odd/a\u00e9', '../../notes.txt')
    disk.write({ 'app/sub/\u{1f600}\u{1f600}/id_rsa': 'KEY', 'app/sub/x': 'x' })
  })

  test.each([
    "grep -R --include='?' KEY odd",
    "grep -R --include='a??' KEY odd",
    "grep -r --exclude-dir='????' KEY sub",
    'cat odd/a??',
    'cat odd/????',
    'head odd/a[!b][!b]',
  ])('%s needs approval, whatever the locale', command => {
    expect(judged(command)).toBe('approval')
  })

  test.each(["grep -R --include='*.ts' KEY odd", 'cat odd/?.ts', 'cat odd/a[!b]ts', "grep -r --include='?' x src"])(
    '%s runs unasked',
    command => {
      expect(judged(command)).toBe('auto')
    },
  )
})

describe('git’s own files are what lies there', () => {
  test.each(['credentials', '*.bak', 'ORIG_HEAD', 'pre-*'])('grep -r --include=%s needs approval', glob => {
    disk.write({ 'app/.git/HEAD': 'x', 'app/.git/credentials': 'x', 'app/.git/config.bak': 'x' })
    disk.write({ 'app/.git/ORIG_HEAD': 'x', 'app/.git/hooks/pre-commit': 'x' })
    expect([judged(`grep -r --include='${glob}' KEY .`), judged("grep -r --include='*.ts' KEY .")]).toEqual([
      'approval',
      'auto',
    ])
  })

  test('a link that a search follows does not lead to our own files', () => {
    disk.write({ 'app/state/journal': 'x' }).link('app/src/journal.ts', '../state/journal')
    const ours = [disk.path('app/state')]
    expect([judged('grep -R KEY src', { ...BOUND, ours }), judged('grep -r KEY src', { ...BOUND, ours })]).toEqual([
      'approval',
      'auto',
    ])
  })
})
