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

describe('what is handed files that were found here, and only reads them, runs unasked', () => {
  beforeEach(() => {
    disk.write({
      'app/.gitignore': 'node_modules\n',
      'app/package.json': '{}',
      'app/node_modules/a/package.json': '{}',
    })
    disk.write({
      'app/.env': 'KEY',
      'app/docs/a b.md': 'x',
      'app/docs/b.md': 'x',
      'app/.git/HEAD': 'ref: refs/heads/main\n',
    })
    disk.directory('app/.git/objects').directory('app/.git/refs').write({ 'app/.git/config': '' })
  })

  test.each([
    'find src -name "*.ts" -exec wc -l {} +',
    "find src -name '*.ts' -exec grep -l export {} \\;",
    'find . -name package.json -not -path "*/node_modules/*" -exec grep -l vitest {} \\;',
    "find . -type f -name '*.ts' ! -path './node_modules/*' -exec head -n 3 {} \\;",
    'find docs -type f -exec cat {} +',
    "find src -name '*.ts' | xargs wc -l",
    "find src -type f | sort | head -5 | xargs grep -n 'TODO'",
    'find docs -print0 | xargs -0 cat',
    "find . \\( -name '*.js' -o -name '*.ts' \\) -not -path '*/node_modules/*' | xargs wc -l | sort -rn | head",
    'grep -rl export src | xargs head -5',
    "grep -rl export src | grep -v test | xargs -n 1 sed -n '1,5p'",
    'rg -l foo src | xargs wc -l',
    'find src -type f | xargs -I{} basename {}',
    'find src -type f | xargs -n1 echo',
    'find src -type f -exec ls -la {} \\;',
  ])('%s', command => {
    expect(judged(command)).toBe('auto')
  })

  test.each([
    // what it could find is secret, git's own, ignored or elsewhere
    'find . -type f -exec cat {} +',
    'find . -name ".e*" -exec cat {} +',
    'find . -name "*" | xargs cat',
    'find . -name "[.]env" -exec cat {} +',
    "find . -not -name '.env' -type f -exec cat {} +",
    'find . -name package.json -exec cat {} +',
    "find . -name package.json -not -path './other/*' -exec cat {} +",
    "find . -name package.json -not -path '*/node_modules' -exec cat {} +",
    "find . -name package.json -path '*/node_modules/*' -exec cat {} +",
    'find .. -name "*.ts" -exec cat {} +',
    'find src .. -name "*.txt" | xargs cat',
    // names that would become other words
    'find docs -type f | xargs cat',
    'find docs | xargs -n 1 head',
    'grep -rl x docs | xargs cat',
    // it finds something else than it seems
    "find . -name '*.ts' -o -name '.env' -exec cat {} +",
    'find src -name a -o -name b | xargs cat',
    'find src \\( -name a -o -type f \\) -exec cat {} +',
    'find src -printf "../notes.txt\\n" | xargs cat',
    'find src -ls | xargs cat',
    'find -L src -exec cat {} +',
    'find src -follow -exec cat {} +',
    'find src -print0 | xargs cat',
    'find src -name "*.ts" | xargs -0 cat',
    'find src -name "*.ts" | sed s/a/b/ | xargs cat',
    'find src -name "*.ts" | head -c 3 | xargs cat',
    'find src -name "*.ts" | grep -o . | xargs cat',
    'find src -name "*.ts" | sort README.md | xargs cat',
    'find src | tac | xargs cat',
    'grep -r export src | xargs cat',
    'grep -rlc export src | xargs cat',
    'rg -l --path-separator . x src | xargs cat',
    'rg -l --stats x src | xargs cat',
    'echo ../notes.txt | xargs cat',
    'ls src | xargs cat',
    'xargs cat < README.md',
    'xargs cat',
    'find src; xargs cat',
    'find src || ls | xargs cat',
    // it does something else with them
    'find src -exec rm {} +',
    'find src -exec sh -c "cat {}" \\;',
    'find src -exec sed -i s/x/y/ {} +',
    'find src -exec sed {} +',
    'find src -exec awk {} +',
    'find src -exec grep {} +',
    'find src -exec grep -r x {} +',
    'find src -exec diff -r {} +',
    'find src -exec uniq {} +',
    'find src -exec xxd {} +',
    'find src -exec sort -o {} +',
    'find src -exec sort -o x {} +',
    'find src -exec cat {} /etc/passwd \\;',
    'find src -exec cat /etc/passwd {} \\;',
    'find src -exec grep -f /etc/passwd {} +',
    'find src -exec cat {} + -exec rm {} +',
    'find src -exec cat {} \\; -delete',
    'find src -execdir cat {} +',
    'find src -ok cat {} \\;',
    'find src -exec ./cat {} +',
    'find src -exec env cat {} +',
    'find src -exec xargs cat {} +',
    'find src -exec find {} +',
    'find src | xargs rm',
    'find src | xargs sh -c "cat $0"',
    'find src | xargs -a README.md cat',
    'find src | xargs -P 4 cat',
    'find src | xargs -I{} cat {}/../../.env',
    'find src | xargs -I{} sh -c "cat {}"',
    'find src | xargs -Icat cat',
    'find src | xargs rg x',
    'find src | xargs grep',
    'find src | xargs tee',
    'find src | xargs -d x cat',
  ])('%s needs approval', command => {
    expect(judged(command)).toBe('approval')
  })

  test('a link among them is followed by what is handed it, unless only files are found', () => {
    disk.link('app/src/out.ts', '../../notes.txt')
    const lines = ['find src -name "*.ts" -exec cat {} +', 'find src -type f -name "*.ts" -exec cat {} +']
    expect(lines.map(line => judged(line))).toEqual(['approval', 'auto'])
  })

  test('a file that looks like an option is not handed on', () => {
    disk.write({ 'app/src/-x': 'x' })
    expect([judged('grep -rl x | xargs cat', BOUND, 'app/src'), judged('find src -type f -exec cat {} +')]).toEqual([
      'approval',
      'auto',
    ])
  })

  test('the program that is handed them is looked up like any other', () => {
    disk.write({ 'app/bin/wc': '#!/bin/sh\n' }, 0o755)
    const hostEnv = { PATH: `${disk.path('app/bin')}:${process.env.PATH}` }
    expect(judged('find src -type f -exec wc -l {} +', { ...BOUND, hostEnv })).toBe('approval')
  })

  test('a rule of the person’s does not cover it: it is for what is written', () => {
    const own = { workspace: null, patterns: ['find *', 'xargs *', 'wc *'] }
    expect(judged('find src -exec wc -l {} +', own)).toBe('approval')
  })

  test('in a folder that nobody bound it needs approval', () => {
    expect(judged('find src -exec wc -l {} +', { workspace: null })).toBe('approval')
  })
})
