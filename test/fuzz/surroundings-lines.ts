import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { GateLane } from '../../src/policy/model/verdict.ts'
import type { Random } from './random.ts'
import { gitLine } from './surroundings-git-lines.ts'
import { handedLine } from './surroundings-handed-lines.ts'
import type { Site, Tree } from './surroundings-tree.ts'
import { around, optionWords, pathWord, READERS, type Spot, wild } from './surroundings-words.ts'

/** What an agent asks for, and where. */
export interface Trial {
  readonly lane: GateLane
  readonly line: string
  readonly args?: readonly string[]
  readonly site: Site
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly venv: string | null
  /** The PATH that server and host were started with. */
  readonly hostPath: string
}

const CWDS = ['.', '.', '.', 'src', 'docs', 'lib', 'src/deep']

/** A request as an agent may send it, from the default rules and what lies around. */
export function randomTrial(tree: Tree, random: Random): Trial {
  const site = random.pick(tree.sites)
  const cwd = join(site.directory, random.pick(CWDS))
  const spot = { tree, site, cwd }
  const lane = random.chance(3) ? 'headless' : 'interactive'
  const common = {
    lane,
    site,
    cwd,
    env: requestEnv(tree, random),
    venv: null,
    hostPath: hostPath(spot, random),
  } as const
  if (random.chance(8)) {
    const [line = '', ...args] = readingWords(spot, random)
    return { ...common, line, args }
  }
  if (lane === 'headless')
    return { ...common, line: random.pick([gitLine, readingLine, readingLine, plainLine])(spot, random) }
  return { ...common, line: shellLine(spot, random), venv: random.chance(4) ? venvAt(spot, random) : null }
}

const readingWords = (spot: Spot, random: Random, program = random.pick(Object.keys(READERS))): string[] => {
  const texts = READERS[program]?.texts
  const operands = Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3]) }, () => pathWord(spot, random))
  const options = optionWords(program, spot, random)
  const text = texts && !random.chance(6) ? [quoted(random.pick(texts))] : []
  const [first = '', ...rest] = operands
  // Options may stand behind operands.
  if (random.chance(6)) return [program, ...text, first, ...options, ...rest].filter(word => word !== '')
  return [program, ...options, ...text, ...(random.chance(9) ? ['--'] : []), ...operands]
}

const quoted = (text: string): string => (/^[\w.+-]+$/.test(text) ? text : `'${text}'`)

/** As people write it: nothing odd, so that it often runs, and one file out of place is enough. */
function plainLine(spot: Spot, random: Random): string {
  const directory = (): string =>
    relative(spot.cwd, random.pick(random.chance(3) ? spot.tree.directories : around(spot))) || '.'
  const hidden = around(
    spot,
    spot.tree.canaries.map(({ file }) => file),
  )
  const file = (): string => relative(spot.cwd, random.pick(random.chance(3) ? hidden : around(spot, spot.tree.paths)))
  // Without a repository, git compares any two files.
  if (spot.site.shape === 'none' && random.chance(3)) return `git diff ${file()} ${file()}`
  switch (random.below(6)) {
    case 0:
    case 1:
      return `grep ${random.pick(['-r', '-R', '-rn', '-Rh', '-rn --include=*.md', '-r --exclude=.env'])} ${random.pick(['KEY', '.', 'x'])} ${directory()}`
    case 2:
      return `diff ${random.pick(['-r', '-rN', '-rq', '-r --no-dereference'])} ${directory()} ${directory()}`
    case 3:
      return `${random.pick(['cat', 'head -3', 'grep KEY', 'sort', 'ls -la'])} ${wild(file(), random)}`
    case 4:
      return `git diff ${random.pick(['', '--no-index '])}${file()} ${file()}`
    default:
      return `${random.pick(['cat', 'head', 'grep KEY'])} ${file()}`
  }
}

const SEARCHES = ['grep', 'diff', 'cat', 'grep', 'ls', 'sed', 'head']
const readingLine = (spot: Spot, random: Random): string =>
  random.chance(12)
    ? findLine(spot, random)
    : readingWords(spot, random, random.chance(2) ? random.pick(SEARCHES) : undefined).join(' ')

const findLine = (spot: Spot, random: Random): string =>
  [
    'find',
    random.pick(['', '-L', '-H']),
    random.chance(3) ? '' : pathWord(spot, random),
    random.pick(FIND_TESTS),
    pathWord(spot, random),
  ]
    .filter(word => word !== '')
    .join(' ')
const FIND_TESTS = [
  '-name',
  '-newer',
  '-path',
  '-samefile',
  '-type f -name',
  '-exec cat {} +',
  '-delete -name',
  '-fprint',
  '-files0-from',
]

function shellLine(spot: Spot, random: Random): string {
  const { site } = spot
  const read = (): string => readingLine(spot, random)
  switch (random.below(21)) {
    case 0:
    case 1:
      return `${cdWords(spot, random)} ${random.pick(['&&', '&&', ';', '||', '\n', '|'])} ${read()}`
    case 17: {
      const target = random.pick(spot.tree.directories)
      const there = { ...spot, cwd: target }
      return `cd ${random.pick(['', '', '-P ', '-- '])}${relative(spot.cwd, target) || '.'} && ${plainLine(there, random)}`
    }
    case 18:
      return plainLine(spot, random)
    case 20:
      return handedLine(spot, random)
    case 2:
      return `${cdWords(spot, random)} && ${cdWords(spot, random)} ${random.pick(['&&', ';'])} ${random.chance(3) ? gitLine(spot, random) : read()}`
    case 3:
      return `${cdWords(spot, random)} && ${gitLine(spot, random)}`
    case 4:
      return `${read()} | ${random.pick(['sort', 'head -5', 'wc -l', 'grep -v x', 'tr a b', 'cat -', 'sort -u', 'rev'])}`
    case 5:
      return `${random.pick(['cat', 'wc -l', 'sort', 'head', 'tr a-z A-Z', 'od -c'])} < ${pathWord(spot, random)}`
    case 6:
      return `${random.pick(['echo', 'printf', 'which', 'type', 'command -v', 'seq 3', 'basename'])} ${pathWord(spot, random)}`
    case 7:
      return random.pick(VERSIONS)
    case 8:
      return `for f in ${pathWord(spot, random)}; do cat "$f"; done`
    case 9:
      return `${random.pick(['LC_ALL=C', 'CI=1', 'LC_ALL=zh_CN.GBK', 'TZ=UTC', `BASH_ENV=${spot.tree.root}/marks/startup`])} ${read()}`
    case 10:
      return `./${random.pick(['ls', 'git status', 'cat README.md', 'node_modules/.bin/ls'])}`
    case 11:
      // A trusted folder may run its own code: that is no finding.
      return site.workspace?.trusted
        ? read()
        : random.pick(['npm test', 'make', 'make test', 'npm run build', './gradlew test'])
    case 12:
    case 13:
    case 14:
      return gitLine(spot, random)
    case 15:
      return `${read()} ${random.pick(['&&', ';', '||'])} ${read()}`
    case 16:
      return `${random.pick(['test -f', '[ -f', 'test -d'])} ${pathWord(spot, random)}${random.chance(2) ? ' ]' : ''} && ${read()}`
    default:
      return read()
  }
}

const VERSIONS = [
  'npm --version',
  'npm -v',
  'npm -v',
  'node --version',
  'git --version',
  'bash --version',
  'python3 --version',
  'pwd',
  'whoami',
  'id',
  'uname -a',
  'true',
  'make --version',
]

const cdWords = (spot: Spot, random: Random): string =>
  random.chance(5)
    ? random.pick([
        'cd',
        'cd -',
        'cd --',
        'cd ..',
        'cd ../..',
        'cd ~',
        'cd /',
        'cd -P src/ui/..',
        'cd lib/up',
        'cd node_modules/shared/..',
        'popd',
      ])
    : `cd ${random.chance(4) ? random.pick(['-P ', '-L ', '-- ', '-e ']) : ''}${random.chance(2) ? pathWord(spot, random) : random.pick(['src', 'docs', 'lib', '.', '..', 'src/..', 'sub', 'node_modules/ui', 'src/out', 'src/home'])}`

function requestEnv(tree: Tree, random: Random): Record<string, string> {
  if (!random.chance(5)) return {}
  const startup = join(tree.root, 'marks/startup')
  return random.pick<Record<string, string>>([
    { LC_ALL: 'C' },
    { LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    { LANG: 'en_US.UTF-8' },
    { CI: '1', NO_COLOR: '1' },
    { LC_ALL: 'zh_CN.GBK' },
    { BASH_ENV: startup },
    { GIT_EXTERNAL_DIFF: tree.tripwire },
    { PATH: `${tree.root}/tmp/bin:/usr/bin:/bin` },
    { HOME: tree.root },
    { CDPATH: tree.home },
    { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: tree.tripwire },
  ])
}

/** Started from a project, as npx does it, the programs of that one come first; or somebody put those of the workspace there. */
function hostPath({ tree, site, cwd }: Spot, random: Random): string {
  const usual = [join(tree.home, 'bin'), '/usr/local/bin', '/usr/bin', '/bin']
  const isTrusted = site.workspace?.trusted === true
  switch (random.below(12)) {
    case 0:
      return [join(tree.root, 'tmp/bin'), ...usual].join(':')
    case 1:
      return [join(random.pick(tree.sites).directory, 'node_modules/.bin'), ...usual].join(':')
    case 2:
      // A trusted folder may bring its own programs.
      return [...(isTrusted || cwd !== site.directory ? [] : [join(cwd, '.venv/bin')]), ...usual].join(':')
    default:
      return usual.join(':')
  }
}

function venvAt({ tree, site }: Spot, random: Random): string | null {
  const elsewhere = join(tree.home, 'venvs/py')
  const own = join(site.directory, '.venv')
  // That of a trusted folder may bring its own programs.
  return site.workspace?.trusted || random.chance(2) || !existsSync(own) ? elsewhere : own
}
