import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inheritedEnv, runEnv } from '../src/runs/plan/base-env.ts'
import { DiskTree, type Given } from './drivers/judged-on-disk.ts'
import { needs } from './drivers/needs.ts'

/** What runs unasked in a folder of the person's, on a real disk: the attacks of the security report, by its numbers. */
let disk: DiskTree
beforeEach(() => {
  disk = new DiskTree()
})
afterEach(() => disk.remove())

const BOUND = { workspace: { directory: 'app', trusted: false } }
const LANES = ['interactive', 'headless'] as const
const bothLanes = (command: string, given: Given = BOUND, cwd = 'app') =>
  LANES.map(lane => disk.judges(command, cwd, { ...given, lane }).verdict)
const ASKED = ['approval', 'blocked']

const project = () =>
  disk
    .write({
      'home/.ssh/id_rsa': 'KEY',
      'home/.config/gh/hosts.yml': 'KEY',
      'app/README.md': 'x',
      'app/.env': 'KEY=1',
      'app/.env.example': 'KEY=',
      'app/id_rsa': 'KEY',
      'app/server.pem': 'KEY',
      'app/.gitignore': 'node_modules/\n*.log\n',
      'app/src/a.ts': 'x',
      'app/src/b.ts': 'x',
      'app/docs/notes.md': 'x',
      'app/lib/debug.log': 'KEY',
      'app/lib/a.ts': 'x',
      'app/settings.json': `{"token":"ghp_${'a'.repeat(36)}"}`,
      'app/plain.json': '{}',
      'app/.git/HEAD': 'ref: refs/heads/main\n',
      'app/.git/config': '[remote "origin"]\n\turl = https://me:KEY@example.test/x\n',
      'app/.git/info/exclude': 'local-notes/\n',
      'app/local-notes/x.md': 'KEY',
    })
    .directory('app/.git/objects')
    .directory('app/.git/refs')

describe('§1.3 an operand is never taken for a pattern', () => {
  beforeEach(() => void project())

  test.each([
    'grep --regex=root /etc/passwd',
    'grep --reg root /etc/passwd',
    'grep -5eroot /etc/passwd',
    'grep -1e root /etc/passwd',
    'grep -nie root /etc/passwd',
    'grep --fil=README.md /etc/passwd',
    'grep -f README.md /etc/passwd',
    'grep -f/etc/passwd README.md',
    'grep -A1 -e x -- /etc/passwd',
    'rg -0e. /etc/passwd',
    'rg -.e. /etc/passwd',
    'grep -rh --include=*.k?y --regex=. ..',
    'grep root /etc/passwd',
    'head -5c /etc/passwd',
    'tail -n1 /etc/passwd',
    'sort --files0-from=README.md',
    'wc --files0-f=README.md',
    'file -fREADME.md',
    'file -p README.md',
    'find -files0-from README.md',
    'find . -newer /etc/passwd',
    'diff --from-file=/etc/passwd README.md',
    'diff --to-f /etc/passwd README.md',
  ])('%s needs approval', command => {
    expect(bothLanes(command)).toEqual(ASKED)
  })

  test.each([
    'grep -n x README.md',
    'grep -5e x README.md',
    'grep --regex=/etc/passwd README.md',
    'grep -rn TODO src',
    'grep -rn "/etc/passwd" src docs',
    'head -n5 README.md',
    'cat .env.example',
    'find . -name "*.ts" -not -path "./node_modules/*"',
  ])('%s runs unasked', command => {
    expect(bothLanes(command)).toEqual(['auto', 'auto'])
  })
})

describe('§1.3 links lead where they lead', () => {
  test.each([
    'grep -R KEY src',
    'cat src/l/id_rsa',
    'cat src/k',
    'diff -rN src docs',
    'rg -L KEY src',
    'ls src/l',
    'ls -LR src',
  ])('%s needs approval', command => {
    project().link('app/src/l', '../../home/.ssh').link('app/src/k', '../../home/.ssh/id_rsa')
    expect(bothLanes(command)).toEqual(ASKED)
  })

  test('what does not follow them runs unasked', () => {
    project().link('app/src/l', '../../home/.ssh')
    expect([bothLanes('grep -rn x src'), bothLanes('ls -la src')]).toEqual([
      ['auto', 'auto'],
      ['auto', 'auto'],
    ])
  })
})

describe('§1.4 a directory that nobody can tell makes what follows need approval', () => {
  beforeEach(() => void project().link('app/node_modules/ui', '../../home/x').directory('home/x'))

  test.each([
    'cd && cat .config/gh/hosts.yml',
    'cd; cat notes.txt',
    'cd -- && cat x',
    'cd - && pwd && ls',
    'cd -P node_modules/ui/.. && cat .config/gh/hosts.yml',
    'cd -LP node_modules/ui/.. && ls',
    'cd "" && ls',
    'cd src docs && ls',
    'popd; ls',
    'cd ../home; ls',
    'cd src/../.. && ls',
    'cd nowhere/../.. ; ls',
    // A shell does not get there, and stays.
    'cd src/nowhere/.. ; cat settings.json',
    'cd src/nowhere/..\ncat settings.json',
    'cd src/a.ts/..; cat settings.json',
  ])('%s', command => {
    expect(disk.judges(command, 'app', BOUND).verdict).toBe('approval')
  })

  test.each([
    'cd src && ls',
    'cd -P src && cat a.ts',
    'cd -- src && ls',
    'cd src; ls; cd ..; ls',
    'cd src && cat ../README.md',
  ])('%s runs unasked', command => {
    expect(disk.judges(command, 'app', BOUND).verdict).toBe('auto')
  })
})

describe('§1.5 only what is read as UTF-8 or as plain bytes', () => {
  test.each([{ LC_ALL: 'zh_CN.GBK' }, { LANG: 'ja_JP.SJIS' }, { LC_CTYPE: 'zh_TW.Big5' }, { LANG: 'en_US' }])(
    'a request that sets %j needs approval',
    env => {
      disk.directory('app')
      expect(bothLanes('echo "あ\\"; id #"', { env })).toEqual(ASKED)
      expect(bothLanes('pwd', { env })).toEqual(ASKED)
    },
  )

  test.each(['C', 'POSIX', 'C.UTF-8', 'en_US.utf8', 'de_DE.UTF-8@euro'])('LC_ALL=%s is fine', LC_ALL => {
    disk.directory('app')
    expect(bothLanes('pwd', { env: { LC_ALL } })).toEqual(['auto', 'auto'])
  })

  test('where the host itself reads otherwise, a line that is not ASCII needs approval', () => {
    disk.directory('app')
    const hostEnv = { LANG: 'zh_CN.GBK' }
    expect([bothLanes('echo あ', { hostEnv }), bothLanes('echo a', { hostEnv })]).toEqual([ASKED, ['auto', 'auto']])
  })
})

describe('§1.6 what is secret stays so, however it is spelled', () => {
  beforeEach(() => void project())

  test.each([
    'grep -rn KEY ./.',
    'grep -rn KEY .//',
    'grep -rn KEY src/..',
    'grep -d recurse KEY',
    'grep -drec KEY',
    'grep --recur KEY',
    'grep -5r KEY',
    'grep -rn KEY .',
    'grep -rn --include=*.env KEY .',
    'grep -rn --exclude=.env --include=.env --exclude-dir=.git KEY .',
    'diff -rN src .',
    'diff src .',
    'git diff --no-index src .',
    'cat server.p?m id_r*',
    'cat *',
    'file -fid_rsa',
    'cat .git/config',
    'rg -nuu KEY',
    'rg -n. KEY',
    'rg -g .env KEY',
    'rg --iglob .ENV KEY',
    'rg KEY',
    "git show 'main@{2020-01-01 00:00:00}:.env'",
    'git log -p -L1,2:.env',
    "git log -p -- '.e*'",
    'cat settings.json',
    'head -c20 settings.json',
    'grep -r KEY lib',
    'grep -rn KEY local-notes',
    'cat .docker/config.json',
    'cat .kube/config',
    'cat .pgpass',
    'cat .vault-token',
    'cat .dev.vars',
    'cat .yarnrc.yml',
    'cat prod.env',
    'cat terraform.tfstate',
    'cat service-account.json',
    'ls .env',
    'echo .e*',
    'grep -e s* README.md',
    'grep s* README.md',
    'grep -f *.md src/a.ts',
  ])('%s needs approval', command => {
    expect(bothLanes(command)).toEqual(ASKED)
  })

  test.each([
    "rg -n foo -g '*.ts'",
    'rg -n /etc/passwd src',
    "rg -n foo -g '*.ts' -g '!*.test.ts'",
    'rg foo src docs',
    'grep -rn foo src docs',
    'cat plain.json',
    'ls -la',
    'wc -l src/*.ts',
    'cat src/*.ts',
    'diff src/a.ts src/b.ts',
  ])('%s runs unasked', command => {
    expect(disk.judges(command, 'app', BOUND).verdict).toBe('auto')
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['where there is no repository', { 'bare/.gitignore': '*.json\n' }],
    ['in a repository within', { 'bare/.gitignore': '*.json\n', 'bare/.git/HEAD': '', 'bare/in/.git/HEAD': '' }],
    ['that only looks like it', { 'bare/.gitignore': '[x]rod.json\n', 'bare/.git/HEAD': '' }],
    ['that another line takes back', { 'bare/.gitignore': 'in/**\n!in/prod.json\n', 'bare/.git/HEAD': '' }],
  ])('rg reads what git does not ignore: %s', (_, files) => {
    disk.write({ 'bare/in/prod.json': `{"token":"ghp_${'a'.repeat(36)}"}`, ...files })
    expect(bothLanes('rg KEY in', { workspace: { directory: 'bare', trusted: false } }, 'bare')).toEqual(ASKED)
  })

  test('nothing that lies above our own files is searched', () => {
    disk.write({ 'app/deep/ours/x': '1', 'app/deep/y.ts': '' })
    const ours = [disk.path('app/deep/ours')]
    expect([
      bothLanes('grep -rn x deep', { ...BOUND, ours }),
      bothLanes('cat deep/ours/x', { ...BOUND, ours }),
    ]).toEqual([ASKED, ASKED])
  })

  test('a file of ours is not read as the input of a command either', () => {
    disk.write({ 'app/deep/ours/rules.json': '{}' })
    const ours = [disk.path('app/deep/ours')]
    expect(disk.judges('head < deep/ours/rules.json', 'app', { ...BOUND, ours }).verdict).toBe('approval')
  })

  test('what reads nothing but its input, or nothing at all, runs unasked anywhere; what names a file does not', () => {
    const nowhere = { workspace: null }
    for (const command of ['echo a | wc -l', 'echo a | grep a | sort -rn | head -5', 'basename a/b', 'pwd'])
      expect([command, disk.judges(command, 'app', nowhere).verdict]).toEqual([command, 'auto'])
    for (const command of ['ls', 'cat README.md', 'grep -r a', 'echo *', 'git status', 'cd src', 'find'])
      expect([command, disk.judges(command, 'app', nowhere).verdict]).toEqual([command, 'approval'])
  })
})

describe('what stands around a command', () => {
  beforeEach(() => void project())
  const TRUSTED = { workspace: { directory: 'app', trusted: true } }

  test.each([
    'wc -l < README.md',
    'tr a-z A-Z < README.md | head',
    'CI=1 npm test',
    'NODE_ENV=test CI=true npm run build 2>&1 | tail -5',
    'LC_ALL=C sort README.md',
  ])('%s runs unasked in a shell, and is refused without one', command => {
    expect(bothLanes(command, TRUSTED)).toEqual(['auto', 'blocked'])
  })

  test.each([
    'cat < .env',
    'wc -l < /etc/passwd',
    'cat < /dev/tcp/127.0.0.1/80',
    'cat < /dev/../dev/tcp/127.0.0.1/80',
    'sort < id_rsa',
    'npm test < README.md',
    'cat < *.md',
    'cat <> README.md',
    'cat 3< README.md',
    'cat << README.md',
    'cat < $HOME/x',
    'cat < <(id)',
    'LD_PRELOAD=/x ls',
    'PATH=. npm test',
    'NODE_OPTIONS=--require=x npm test',
    'CI=$(id) npm test',
    'CI=`id` npm test',
    'CI=1; npm test',
    'CI+=1 npm test',
    'CI[0]=1 npm test',
    'LC_ALL=zh_CN.GBK echo "あ\\"; id #"',
    'CI=1 FOO=2 npm test',
  ])('%s needs approval', command => {
    expect(disk.judges(command, 'app', TRUSTED).verdict).toBe('approval')
  })

  test('what a person allowed is that, not the same with something before or behind it', () => {
    const patterns = ['make pictures', 'mysql db']
    for (const command of ['CI=1 make pictures', 'mysql db < README.md'])
      expect(disk.judges(command, 'app', { ...TRUSTED, patterns }).verdict).toBe('approval')
    expect(disk.judges('make pictures', 'app', { ...TRUSTED, patterns }).verdict).toBe('auto')
  })
})

/** docs/policy.md, "Programs", sentence by sentence; how a run gets its programs is in test/e2e (fresh shell, carry-over, virtual environments). */
describe('programs', () => {
  const onPath = (...folders: string[]) => ({
    PATH: [...folders.map(name => disk.path(name)), process.env.PATH].join(':'),
  })
  const tools = (folder: string, ...names: string[]) =>
    disk.write(Object.fromEntries(names.map(name => [`${folder}/${name}`, '#!/bin/sh\n'])), 0o755)

  test('every bare name of a line counts: each must be the file that it is on the PATH of this host', () => {
    tools('usual', 'one', 'two').directory('app').directory('venv/bin')
    const given = {
      workspace: { directory: 'app', trusted: true },
      patterns: ['one *', 'two *'],
      hostEnv: onPath('usual'),
    }
    const lines = ['one x', 'one x && two y', 'one x | two', 'two x; one y']
    const judged = (venv?: string) => lines.map(line => disk.judges(line, 'app', { ...given, ...(venv && { venv }) }))
    expect(judged().map(({ verdict }) => verdict)).toEqual(lines.map(() => 'auto'))
    tools('venv/bin', 'two')
    const [alone, ...others] = judged('venv')
    expect(alone?.why).toContain('is not in a trusted folder')
    expect(others.map(({ verdict, why }) => [verdict, why])).toEqual(
      others.map(() => ['approval', 'two is another program here than on the PATH of this host']),
    )
  })

  test('a virtual environment is the workspace’s own: its programs need trust, and with it run unasked', () => {
    tools('app/.venv/bin', 'tool')
    const judged = (trusted: boolean) =>
      disk.judges('tool x', 'app', {
        workspace: { directory: 'app', trusted },
        patterns: ['tool *'],
        venv: 'app/.venv',
      }).verdict
    expect([judged(false), judged(true)]).toEqual(['approval', 'auto'])
  })

  test('a rule for ./build.sh is for the one where the rules are for, and for no other of that name', () => {
    tools('app', 'build.sh')
    tools('app/sub', 'build.sh')
    const given = (trusted: boolean) => ({ workspace: { directory: 'app', trusted }, patterns: ['./build.sh *'] })
    const judged = (command: string, cwd: string, trusted: boolean) => disk.judges(command, cwd, given(trusted)).verdict
    expect(judged('./build.sh x', 'app', true)).toBe('auto')
    for (const [command, cwd] of [
      ['./build.sh x', 'app/sub'],
      ['cd sub && ./build.sh x', 'app'],
    ] as const) {
      expect(judged(command, cwd, true)).toBe('auto')
      expect(disk.judges(command, cwd, given(false)).why).toMatch(/is another file here|not trusted/)
    }
  })

  test('a program named by path runs unasked only where a rule names it so', () => {
    tools('usual', 'tool')
    tools('app', 'tool', 'sub/tool', 'build.sh')
    const judged = (line: string, patterns: string[]) => [
      disk.judges(line, 'app', { ...BOUND, patterns, hostEnv: onPath('usual') }).verdict,
      disk.judges(line, 'app', { ...BOUND, patterns, hostEnv: onPath('usual'), lane: 'headless' }).verdict,
    ]
    expect(judged('tool x', ['tool *'])).toEqual(['auto', 'auto'])
    for (const line of ['./tool x', 'sub/tool x', `${disk.path('usual/tool')} x`, `${disk.path('app')}/tool x`])
      expect([line, judged(line, ['tool *'])]).toEqual([line, ASKED])
    expect(judged('./build.sh x', ['./build.sh *'])).toEqual(['auto', 'auto'])
    for (const line of ['build.sh x', 'sub/../build.sh x', '././build.sh x', 'sh build.sh x', 'bash ./build.sh x'])
      expect([line, judged(line, ['./build.sh *'])]).toEqual([line, ASKED])
  })

  test('one that leads into the workspace, or is run by something there, needs approval unless it is trusted', () => {
    disk
      .write({ 'app/bin/tool': '#!/bin/sh\n', 'app/bin/inner': '#!/bin/sh\n' }, 0o755)
      .write({ 'path/script': '#!/usr/bin/env inner\n', 'path/odd': '#!inner\n' }, 0o755)
      .link('path/linked', '../app/bin/tool')
    const PATH = [disk.path('path'), disk.path('app/bin'), process.env.PATH].join(':')
    const patterns = ['tool', 'linked', 'script', 'odd']
    const judged = (trusted: boolean) =>
      patterns.map(
        command =>
          disk.judges(command, 'app', { workspace: { directory: 'app', trusted }, patterns, hostEnv: { PATH } })
            .verdict,
      )
    expect(judged(false)).toEqual(['approval', 'approval', 'approval', 'approval'])
    expect(judged(true)).toEqual(['auto', 'auto', 'auto', 'approval'])
  })

  test('a shell that lies in the workspace needs approval unless it is trusted', () => {
    disk.write({ 'app/bin/bash': '#!/bin/sh\n' }, 0o755)
    const hostEnv = { PATH: [disk.path('app/bin'), process.env.PATH].join(':') }
    const judged = [null, false, true].map(
      trusted =>
        disk.judges('pwd', 'app', {
          workspace: trusted === null ? null : { directory: 'app', trusted },
          hostEnv,
        }).verdict,
    )
    expect(judged).toEqual(['approval', 'approval', 'auto'])
  })

  test('a script needs approval where a stranger’s programs come before those of the system: it would find them', () => {
    disk.write({ 'own/tool': '#!/bin/sh\nexec grep "$@"\n', 'app/bin/grep': '#!/bin/sh\n' }, 0o755)
    const judged = (...places: readonly string[]) =>
      disk.judges('tool', 'app', {
        ...BOUND,
        patterns: ['tool'],
        hostEnv: { PATH: [...places.map(place => disk.path(place)), '/usr/bin', '/bin'].join(':') },
      }).verdict
    expect([judged('own'), judged('app/bin', 'own')]).toEqual(['auto', 'approval'])
  })

  test('what npx put on the PATH never reaches a command', () => {
    const PATH = '/home/me/clone/node_modules/.bin:/home/me/node_modules/.bin:/usr/lib/node_modules/npm/bin:/usr/bin'
    expect(inheritedEnv({ PATH }).PATH).toBe('/usr/lib/node_modules/npm/bin:/usr/bin')
  })

  test('an empty or relative place on the PATH never reaches a command', () => {
    expect(inheritedEnv({ PATH: `:.:bin:/usr/bin::` }).PATH).toBe('/usr/bin')
  })

  test('a command is not told that it is somewhere else than it is', () => {
    const { PWD, OLDPWD } = inheritedEnv({ PWD: '/elsewhere', OLDPWD: '/before' })
    expect([PWD, OLDPWD]).toEqual([undefined, undefined])
  })
})

test('going into what is no directory is judged like any other line', () => {
  project()
  for (const command of ['cd README.md && git log x', 'cd README.md/x; git status', 'cd README.md || git diff a b'])
    expect([command, disk.judges(command, 'app', BOUND).verdict]).toEqual([command, 'auto'])
})

describe('§1.2 a repository that would start a program makes git need approval', needs('git'), () => {
  const EVIL =
    '[core]\n\tbare = false\n[diff]\n\texternal = touch ran\n[filter "x"]\n\tclean = touch ran\n[core]\n\tfsmonitor = touch ran\n'

  /** As git runs unasked. */
  const ran = (line: string, cwd: string): boolean => {
    const env = runEnv(inheritedEnv({ PATH: process.env.PATH, HOME: disk.root }), {}, [])
    spawnSync('bash', ['-c', line], { cwd: disk.path(cwd), env })
    return existsSync(disk.path(`${cwd}/ran`))
  }

  test('commondir, without objects and refs beside it', () => {
    disk
      .write({
        'app/evil/HEAD': 'ref: refs/heads/main\n',
        'app/evil/commondir': '../evil2\n',
        'app/evil2/config': EVIL,
      })
      .directory('app/evil2/objects')
      .directory('app/evil2/refs')
    expect(bothLanes('git diff HEAD~1 HEAD', BOUND, 'app/evil')).toEqual(ASKED)
    expect(ran('git status; git diff HEAD~1 HEAD', 'app/evil')).toBe(false)
  })

  test('an empty .git beside a bare layout', () => {
    disk
      .write({ 'app/HEAD': 'ref: refs/heads/main\n', 'app/config': EVIL })
      .directory('app/.git')
      .directory('app/objects')
      .directory('app/refs')
    expect(bothLanes('git status')).toEqual(ASKED)
    expect(ran('git status', 'app')).toBe(false)
  })

  test.each([
    'git status --ignore-submodules=none',
    'git status --ignore-submodules=dirty',
    'git diff --submodule=diff --ignore-submodules=none',
    'git log -p --submodule=diff',
    'git diff --subm',
    'git log --pretty=format:%-GG',
    "git log --format='% GS'",
    'git log --alternate-refs',
  ])('%s', command => {
    disk.directory('app').git('app', 'init', '-q')
    expect(bothLanes(command)).toEqual(ASKED)
    expect(bothLanes('git status')).toEqual(['auto', 'auto'])
  })

  test.each(['sub', 'info', 'hooks', 'logs', 'objects', 'a/b'])(
    'a submodule called %s with a program of its own',
    name => {
      disk.directory('app').git('app', 'init', '-q')
      disk.write({
        [`app/.git/modules/${name}/HEAD`]: 'ref: refs/heads/main\n',
        [`app/.git/modules/${name}/config`]: EVIL,
      })
      expect(bothLanes('git status')).toEqual(ASKED)
    },
  )

  test('a submodule that asks to be looked at', () => {
    disk.directory('app').git('app', 'init', '-q')
    disk.write({ 'app/.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = y\n\tignore = none\n' })
    expect(bothLanes('git status')).toEqual(ASKED)
  })

  test('a usual clone, a linked work tree and a usual submodule are no problem', () => {
    disk.directory('lib').git('lib', 'init', '-q')
    disk.git('lib', 'commit', '-q', '--allow-empty', '-m', 'x')
    disk.directory('app').git('app', 'init', '-q')
    disk.git('app', 'submodule', '--quiet', 'add', disk.path('lib'), 'lib')
    disk.git('app', 'commit', '-q', '-m', 'x')
    disk.git('app', 'worktree', 'add', '-q', 'tree')
    for (const cwd of ['app', 'app/tree', 'app/lib'])
      expect([cwd, bothLanes('git status', BOUND, cwd)]).toEqual([cwd, ['auto', 'auto']])
  })
})

describe('links, wildcards and variables that lead further than they look need approval', () => {
  beforeEach(() => {
    project().write({
      'out/f.ts': 'KEY',
      'out/secret.txt': 'KEY',
      'app/d1/real.ts': 'x',
      'app/w/a*': 'x',
      'app/w/lit.txt': 'a',
    })
    disk.link('app/d1/o', '../../out')
    disk.link('app/src/deep/cfg', '../../.git/config')
    disk.link('app/w/a1', '../../out/secret.txt')
    disk.link('app/build', '../out')
  })

  test.each([
    // A directory behind a link is gone into, whatever files are chosen by name.
    "grep -R --include='*.ts' . d1",
    "grep -Rl --include='*.ts' KEY d1",
    "rg -L -g '*.ts' . d1",
    // A link to git's own files, which hold addresses with passwords.
    'grep -R url src',
    // However the variable of all variables is spelled.
    "jq -n '$ ENV.MYSECRET'",
    "jq -n '$ENV'",
    'jq -n \'"\\($ ENV)"\'',
    "jq -n '{$ ENV}'",
    "jq -n '$#c\nENV'",
  ])('%j', command => {
    expect(bothLanes(command)).toEqual(ASKED)
  })

  test.each(['grep -h a* lit.txt', 'grep -e a* lit.txt', 'sed -n a* lit.txt', 'cut -d a* lit.txt'])(
    '%j, where a file is called as the wildcard is, and another as it says',
    command => {
      expect(bothLanes(command, BOUND, 'app/w')).toEqual(ASKED)
    },
  )

  test.each([
    'grep -r KEY node_modules/pkg',
    'cd src && grep KEY ../node_modules/pkg -r',
    'diff -r src node_modules/pkg/lib',
  ])('%s, below a directory that git ignores', command => {
    disk.write({ 'app/node_modules/pkg/index.js': 'KEY', 'app/node_modules/pkg/lib/a.js': 'KEY' })
    disk.write({ 'app/node_modules/pkg/.gitignore': '!index.js\n!lib\n' })
    expect(bothLanes(command)).toEqual(ASKED)
  })

  test('what a list that ignores all but src leaves in is still searched without approval', () => {
    disk.write({ 'app/.gitignore': '*\n!src\n!src/**\n', 'app/src/plain.ts': 'x' })
    expect(disk.judges('grep -r x src', 'app', { ...BOUND, lane: 'interactive' }).verdict).toBe('auto')
  })

  test('a build in a directory that is a link out of the trusted folder', () => {
    const trusted = { workspace: { directory: 'app', trusted: true } }
    expect(disk.judges('cmake --build build', 'app', { ...trusted, lane: 'interactive' }).verdict).toBe('approval')
  })
})
