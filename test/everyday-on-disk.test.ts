// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DiskTree, type Given } from './drivers/judged-on-disk.ts'

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
