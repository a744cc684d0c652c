import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isBeyondProject } from '../src/contract/verdict-words.ts'
import { DiskTree, type Given } from './drivers/judged-on-disk.ts'
import { needs } from './drivers/needs.ts'

/** How grave it is to delete a directory depends on where it lies, on a real disk with a real repository. */
let disk: DiskTree
beforeEach(() => {
  disk = new DiskTree()
})
afterEach(() => disk.remove())

const BOUND: Given = { workspace: { directory: 'app', trusted: false } }

/** An `app` that git keeps, with what it ignores and what it does not. */
function project(): DiskTree {
  disk.write({
    'app/.gitignore':
      'build/\n/dist\nnode_modules/\n*.egg-info/\nkept/\nlogs[0-9]/\nout/**\nsecret-build/\nclones/\ndata/\n.env\n*-tmp\n',
    'app/src/a.ts': 'x',
    'app/build/a.js': 'x',
    'app/dist/deep/a.js': 'x',
    'app/node_modules/a/test/server.pem': 'KEY',
    'app/a.egg-info/x': 'x',
    'app/kept/a.ts': 'x',
    'app/logs1/a': 'x',
    'app/out/a': 'x',
    'app/secret-build/.env': 'KEY=1',
    'app/clones/lib/.git/HEAD': 'x',
    'app/data/shop.sqlite': 'x',
    'app/packages/ui/build/a.js': 'x',
    'home/build/a.js': 'x',
  })
  disk.git('app', 'init', '-q')
  disk.git('app', 'add', '.gitignore', 'src')
  disk.git('app', 'add', '-f', 'kept/a.ts')
  return disk
}
const judged = (command: string, given: Given = BOUND, cwd = 'app') => {
  const { verdict, tier } = disk.judges(command, cwd, given)
  return [verdict, tier]
}

describe('deleting what git ignores is an ordinary question', needs('git'), () => {
  beforeEach(() => void project())

  test.each([
    'rm -rf build',
    'rm -r ./build/',
    'rm -rf -- build dist',
    'rm -rf dist/deep',
    'rm -rf node_modules',
    'rm -rf packages/ui/build',
    'cd packages/ui && rm -rf build',
    'rm -rf a.egg-info 2>/dev/null',
    'rm -rf packages/none-tmp',
    'rimraf dist',
    'npx rimraf build dist',
    'rm -rf build && npm run build',
  ])('%s', command => {
    expect(judged(command)).toEqual(['approval', 'none'])
    expect(judged(command, { ...BOUND, lane: 'headless' })).toEqual(['blocked', 'none'])
  })

  test('it says so', () => {
    expect(disk.judges('rm -rf build dist', 'app', BOUND).why).toBe(
      'git ignores build, dist: it can be made again; deleting it still needs approval',
    )
    expect(disk.judges('ls src && rm -rf build', 'app', BOUND).parts.map(({ covered, why }) => [covered, why])).toEqual(
      [
        [true, expect.any(String)],
        [false, 'git ignores build: it can be made again; deleting it still needs approval'],
      ],
    )
  })

  test('in a repository that is no workspace as well', () => {
    expect(judged('rm -rf build', {})).toEqual(['approval', 'none'])
  })

  test('no rule makes it run unasked', () => {
    const patterns = ['rm -rf build', 'rm *']
    expect(judged('rm -rf build', { ...BOUND, patterns })).toEqual(['approval', 'none'])
    expect(judged('rm -rf build', { ...BOUND, patterns, lane: 'headless' })).toEqual(['blocked', 'none'])
  })
})

describe('deleting anything else stays grave', needs('git'), () => {
  beforeEach(
    () =>
      void project()
        .link('app/linked', '../home/build')
        .link('app/outside', '../home')
        .link('app/build-tmp', 'src')
        .write({ 'bare/build/x': 'x' }),
  )

  test.each([
    ['the sources', 'rm -rf src'],
    ['the sources too', 'rm -rf build src'],
    ['what is ignored but kept', 'rm -rf kept'],
    ['a pattern that cannot be read exactly', 'rm -rf logs1'],
    ['the directory of which only the inside is ignored', 'rm -rf out'],
    ['one with secrets in it', 'rm -rf secret-build'],
    ['one with another repository in it', 'rm -rf clones'],
    ['one with a database in it', 'rm -rf data'],
    ['one that is not there and would not be ignored', 'rm -rf nowhere'],
    ['what a wildcard stands for', 'rm -rf build*'],
    ['what a variable stands for', 'rm -rf "$BUILD"'],
    ['what lies outside', 'rm -rf ../home/build'],
    ['what a link leads to', 'rm -rf outside/build'],
    ['a link', 'rm -rf linked'],
    ['a link with an ignored name', 'rm -rf build-tmp'],
    ['the project', 'rm -rf ../app/src/..'],
    ['git’s own', 'rm -rf .git'],
    ['a secret', 'rm -rf .env'],
    ['options nobody looked at', 'rm -rf --no-preserve-root build'],
    ['as root', 'sudo rm -rf build'],
    ['inside a script', "sh -c 'rm -rf build'"],
    ['behind a change of directory that nobody can tell', 'cd "$X" && rm -rf build'],
    ['in another directory, with the same words', 'rm -rf build; cd src; rm -rf build/../../kept'],
    ['beside something grave', 'rm -rf build && git push --force'],
    ['in a substitution', 'echo $(rm -rf build)'],
  ])('%s: %s', (_, command) => {
    expect(judged(command)).toEqual(['approval', 'grave'])
  })

  test('where there is no repository', () => {
    expect(judged('rm -rf build', {}, 'bare')).toEqual(['approval', 'grave'])
  })

  test('where everything is ignored, which says nothing about what can be made again', () => {
    disk.write({ 'all/.gitignore': '*\n!src/\n', 'all/notes/a.md': 'x' }).git('all', 'init', '-q')
    expect(judged('rm -rf notes', {}, 'all')).toEqual(['approval', 'grave'])
  })

  test('where our own files lie below', () => {
    expect(judged('rm -rf build', { ...BOUND, ours: [disk.path('app/build/state')] })).toEqual(['approval', 'grave'])
  })

  test('where the line stands in it', () => {
    expect(judged('rm -rf ../build', {}, 'app/build')).toEqual(['approval', 'grave'])
  })

  test('where the index is of a kind that is not read here', () => {
    disk.git('app', 'update-index', '--index-version', '4')
    expect(judged('rm -rf build')).toEqual(['approval', 'grave'])
  })

  test('in the shell of Windows', () => {
    expect(judged('rm -r build', { ...BOUND, shell: 'powershell' })).toEqual(['approval', 'grave'])
  })
})

test('the root of everything stays refused, ignored or not', needs('git'), () => {
  project()
  expect(judged('rm -rf build /')).toEqual(['destructive', 'catastrophic'])
})

describe('writing outside the project is marked by where it really leads', needs('git'), () => {
  beforeEach(() => void project().link('app/outside', '../home'))
  const reachesBeyond = (command: string, directory = 'app', given: Given = BOUND) =>
    disk.judges(command, directory, given).reaches.filter(isBeyondProject)

  test.each([
    ['echo x > ../home/a', 'home/a'],
    ['touch outside/a', 'home/a'],
    ['cp src/a.ts outside', 'home'],
    ['rm ../home/build/a.js', 'home/build/a.js'],
    ['cd .. && mkdir b', 'b'],
  ])('%s', (command, where) => {
    expect(reachesBeyond(command)).toEqual([
      { what: 'outside_project', words: `writes outside the project: ${disk.path(where)}` },
    ])
  })

  test.each(['touch src/b.ts', 'rm outside', 'cd src && touch ../b', 'cp src/a.ts /dev/null'])('%s is not', command => {
    expect(reachesBeyond(command)).toEqual([])
  })

  test('a command below the top of a repository may write anywhere in it', () => {
    expect(reachesBeyond('touch ../b', 'app/src', {})).toEqual([])
  })
})
