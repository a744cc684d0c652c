// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DiskTree, type Given } from './fakes/judged-on-disk.ts'

/** Everyday lines that are understood, on a real disk: what becomes free with it, and what must not. */
let disk: DiskTree
beforeEach(() => {
  disk = new DiskTree()
  disk
    .write({
      'home/notes.txt': 'x',
      'app/README.md': 'x',
      'app/package.json': '{}',
      'app/.env': 'KEY=1',
      'app/id_rsa': 'KEY',
      'app/src/a.ts': 'x',
      'app/src/b.ts': 'x',
      'app/scripts/check.js': 'x',
      'app/.git/HEAD': 'ref: refs/heads/main\n',
      'app/.git/config': '[core]\n\tbare = false\n',
      'outside/x.js': 'x',
    })
    .directory('app/.git/objects')
    .directory('app/.git/refs')
})
afterEach(() => disk.remove())

const BOUND: Given = { workspace: { directory: 'app', trusted: false } }
const TRUSTED: Given = { workspace: { directory: 'app', trusted: true } }
const verdict = (command: string, given: Given) =>
  disk.judges(command, 'app', { hostEnv: { HOME: disk.path('home') }, ...given }).verdict

describe('in a bound folder', () => {
  test.each([
    'x=src; ls $x',
    'cat "$PWD/src/a.ts"',
    'for f in src/a.ts src/b.ts; do head -5 $f; done',
    'cat src/{a,b}.ts',
    'ls src/*.{ts,js}',
    'wc -l < $PWD/package.json',
    'npm pkg get scripts',
    'npm ls --depth=0',
    'docker ps',
    'gh pr list',
    'kubectl get pods',
    'grep -rn x --include="*.ts" .',
  ])('%s runs unasked', command => {
    expect(verdict(command, BOUND)).toBe('auto')
  })

  test.each([
    // secrets and what lies outside, by whatever name
    'x=.env; cat $x',
    'x=.; cat $x/.env',
    'cat "$PWD/.env"',
    'cat $PWD/id_rsa',
    'cat $HOME/notes.txt',
    'ls "$HOME"',
    'x=/etc; cat $x/passwd',
    'x=..; cat $x/outside/x.js',
    'cat < $PWD/.env',
    'for f in src/a.ts .env; do cat $f; done',
    'for f in a ../../outside/x; do cat src/$f; done',
    'for d in src $HOME; do ls $d; done',
    'cat {src/a.ts,.env}',
    'cat ../{app,outside}/x.js',
    'head {id_rsa,README.md}',
    'grep -rn x --include="*" .',
    'grep -rn KEY --include=config .',
    // options that write or run, from a variable, a list or braces
    'x=-o; sort $x out README.md',
    'for o in -u -oout; do sort $o README.md; done',
    'find . {-print,-delete}',
    'for p in -delete; do find src $p; done',
    'x=--output=y; git log $x',
    'for x in --pre=sh; do rg $x foo; done',
    'npm ls --prefix /x',
    'npm pkg set a=b',
    'docker ps --host tcp://x',
    'docker rm x',
    'gh pr merge 1',
    'gh pr view --web 1',
    'kubectl delete pods x',
    'node scripts/check.js',
  ])('%s needs approval', command => {
    expect(verdict(command, BOUND)).toBe('approval')
  })

  test('a link is followed, also where a variable or a loop names it', () => {
    disk.link('app/src/out', disk.path('outside'))
    for (const command of [
      'x=src/out; cat $x/x.js',
      'for f in src/out/x.js; do cat $f; done',
      'cat src/{a.ts,out/x.js}',
    ])
      expect(verdict(command, BOUND)).toBe('approval')
  })

  test('npm needs approval where the project tells it what to do', () => {
    disk.write({ 'app/.npmrc': 'cache=/x' })
    expect([verdict('npm ls', BOUND), verdict('npm ls', TRUSTED)]).toEqual(['approval', 'auto'])
  })

  test('gh needs approval where the repository could start a program', () => {
    disk.write({ 'app/.git/config': '[core]\n\tfsmonitor = ./x\n' })
    expect(verdict('gh pr status', BOUND)).toBe('approval')
  })
})

describe('in a trusted folder', () => {
  test.each(['node scripts/check.js', 'make -j4 test', 'pnpm -r test', 'uv run pytest -q', 'ps aux'])(
    '%s runs unasked',
    command => {
      expect(verdict(command, TRUSTED)).toBe('auto')
    },
  )

  test.each([
    'node x.js',
    'node scripts/../../outside/x.js',
    'node -r ./x.js scripts/check.js',
    'node --import ./x.mjs scripts/check.js',
    'node scripts/check.js ../../outside/x.js',
    'node -e 1',
    'make deploy',
    'make -f ../x test',
    'make -j4 -C /x test',
    'uv run pytest -p evil',
    'poetry run pytest -p evil',
    'pnpm exec vitest run --config ../x',
    'yarn jest --config ../x',
    'bun test --preload ./x',
    'python -m flake8 --config /x',
    'ps auxe',
    'ps -p 1 e',
    'ps e -ef',
    'pnpm -r publish',
  ])('%s needs approval', command => {
    expect(verdict(command, TRUSTED)).toBe('approval')
  })

  test('a script that a link leads out of the folder', () => {
    disk.link('app/scripts/out.js', disk.path('outside/x.js'))
    expect(verdict('node scripts/out.js', TRUSTED)).toBe('approval')
  })
})

describe('in no folder of the person’s', () => {
  test.each([
    'echo "$HOME"',
    'for i in 1 2 3; do echo $i; done',
    'echo {a,b}',
    'docker ps',
    'node -v; npm -v',
    'command -v git',
    'echo hi | wc -c',
  ])('%s reads nothing and runs unasked', command => {
    expect(verdict(command, {})).toBe('auto')
  })

  test.each([
    'ls',
    'cat README.md',
    'ls "$PWD"',
    'x=README.md; cat $x',
    'wc -l < README.md',
    'for f in README.md; do cat $f; done',
    'cat {README.md,package.json}',
    'git status',
    'npm ls',
    'npm test',
    'gh pr list',
    'kubectl get pods',
    'ps aux',
    'echo *',
    '[ -f README.md ]',
  ])('%s needs approval', command => {
    expect(verdict(command, {})).toBe('approval')
  })
})

describe('git in another directory, a time limit, text in another shape', () => {
  beforeEach(() => {
    disk
      .write({
        'app/sub/.git/HEAD': 'ref: refs/heads/main\n',
        'app/sub/.git/config': '[core]\n\tfsmonitor = ./x\n',
        'outside/repo/.git/HEAD': 'ref: refs/heads/main\n',
        'outside/repo/.git/config': '[core]\n\tbare = false\n',
      })
      .directory('app/sub/.git/objects')
      .directory('app/sub/.git/refs')
      .directory('outside/repo/.git/objects')
      .directory('outside/repo/.git/refs')
      .link('app/away', disk.path('outside/repo'))
  })

  test.each([
    'git -C src log --oneline -3',
    'git -C . status --short',
    'git -C src diff -- a.ts',
    'git -C "$PWD" log -1',
    'column -t README.md',
    'expand -t 4 README.md | head',
    'fmt -w 80 README.md',
    'base64 README.md',
    'echo aGk= | base64 -d',
    "jq -r --arg k test '.scripts[$k]' package.json",
    'timeout 10 grep -rn x src',
  ])('%s runs unasked in a bound folder', command => {
    expect(verdict(command, BOUND)).toBe('auto')
  })

  test.each(['timeout 60 npm test', 'timeout 5m npx vitest run', 'python3 scripts/check.py', 'make build test'])(
    '%s runs unasked in a trusted folder alone',
    command => {
      expect([verdict(command, BOUND), verdict(command, TRUSTED)]).toEqual(['approval', 'auto'])
    },
  )

  test.each([
    'git -C .. log',
    'git -C ../outside/repo log',
    'git -C / status',
    'git -C away log',
    'git -C away/../repo log',
    'git -C src/../away log',
    'git -C sub status',
    'git -C src -C .. log',
    'git -C src -C ../.. log',
    'git -C src -c core.pager=x log',
    'git -C src --git-dir=../x log',
    "git -C '' log",
    'git -C',
    'git -C src',
    'git -C .git log',
    'git -C src log --output=x',
    'git -C src push',
    'git -C src show HEAD:.env',
    'git -C src log -p -- ../.env',
    'git -C src diff --no-index a ../../outside/x.js',
    'git -C src grep -O x',
    'git -C s* log',
    'git -C $HOME log',
    'cd .. && git -C app log',
    'column .env',
    'column -t ../outside/x.js',
    'column --tree x .env',
    'expand .env',
    'fmt id_rsa',
    'fmt -d x README.md',
    'base64 .env',
    'base64 -i .env',
    'base64 -d id_rsa',
    'base64 -o out README.md',
    'base64 -i.env',
    'jq --arg a b . .env',
    'jq --arg a . . .env',
    'jq --arg a b --slurpfile c .env . package.json',
    'jq --rawfile a .env . package.json',
    'jq --arg a b env package.json',
    "jq --arg a b '$ENV' package.json",
    'jq --arg a b -f .env package.json',
    'jq --arg a -- b .env',
    'jq . --arg a b ../outside/x.js',
    'timeout 5 cat .env',
    'timeout 5 cat /etc/passwd',
    'timeout 5 sh -c id',
    'timeout 5 rm x',
    'timeout 5 env npm test',
    'timeout 5 sudo npm test',
    'timeout 5 timeout 5 npm test',
    'timeout 5 xargs cat',
    'find src | timeout 5 xargs cat',
    'timeout 5 find . -delete',
    'timeout 5 find src -exec sh {} +',
    'timeout 5 ./x npm test',
    'timeout -s KILL 5 npm test',
    'timeout --foreground 5 npm test',
    'timeout 5 npm test --script-shell=x',
    'timeout 5 npx vitest run --config ../x',
    'timeout 5 npx eslint --fix src',
    'timeout 5 node -e 1',
    'timeout 5 git log --output=x',
    'timeout npm test',
    'timeout $T npm test',
    'python3 x.py',
    'python3 -c 1',
    'python3 -m x scripts/check.py',
    'python3 -i scripts/check.py',
    'python3 scripts/../../outside/x.py',
    'python3 ../app/scripts/check.py',
    'python3 scripts/check.py ../../outside/x.js',
    'python3 -m http.server',
    'python3 -',
    'python3',
    'python3 scripts/check.py .env',
    'python3 -m py_compile ../outside/x.py',
    'printenv',
    'printenv PATH SECRET',
    'env',
    'sleep 1d',
    'make ci deploy',
    'make -n -f ../x',
    'go env -w GOFLAGS=-toolexec=x',
    'git config --global user.name evil',
    'git config remote.origin.url x',
    'git symbolic-ref HEAD refs/heads/x',
    'git branch -a --contains HEAD -D x',
    'git reflog -n 5 --output=x',
    'cargo metadata --manifest-path ../x/Cargo.toml',
    'cargo metadata --no-deps --format-version 1 --config x',
    'ninja -C ../x',
    'bazel test //... --run_under=x',
    'npx turbo run test --root-turbo-json=../x',
  ])('%s needs approval, also in a trusted folder', command => {
    expect(verdict(command, TRUSTED)).not.toBe('auto')
  })

  test('a person’s own rule does not reach behind git -C or timeout', () => {
    for (const command of ['git -C ../outside/repo log', 'timeout 5 deploy now', 'find src -exec deploy {} +'])
      expect(verdict(command, { ...TRUSTED, patterns: ['git log *', 'deploy *', 'find *'] })).toBe('approval')
  })
})
