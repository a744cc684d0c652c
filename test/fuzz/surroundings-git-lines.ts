import { DEFAULT_ROWS } from '../../src/policy/files/default-rules.ts'
import type { Random } from './random.ts'
import { pathWord, type Spot } from './surroundings-words.ts'

const GIT_RULES = DEFAULT_ROWS.filter(({ reach }) => reach === 'repository').map(({ pattern }) => pattern)
const COMMON_GIT = [
  'git status *',
  'git log *',
  'git diff *',
  'git show *',
  'git blame *',
  'git grep *',
  'git ls-files *',
]
const GIT_OPTIONS =
  '-p --stat --oneline -3 --ext-diff --textconv --no-index --ignore-submodules=none --submodule=diff --submodule --cached --name-only --untracked --others -o --exclude-standard --no-exclude-standard --format=%H --format=%GG --pretty=format:%+G? --show-signature --all --patch -z -s --porcelain --filters --batch --batch-check --dirty --broken --ignored -u -uall -w --follow -L1,2: -f -t -e -v --recurse-submodules --word-diff --exit-code --check --raw --binary -a -b -c -C -R -S -G --reverse --graph --no-ext-diff --cherry --stdin --verify --tags --long --sort=-refname --contains --no-renames -M --full-history'.split(
    ' ',
  )
const GIT_VALUES = [
  '-O',
  '--output=',
  '--contents=',
  '--contents ',
  '-f ',
  '--exclude-from=',
  '-X ',
  '--ignore-revs-file=',
  '-S ',
  '--file=',
  '--ignore-file=',
  '--mailmap=',
  '-e ',
  '--pathspec-from-file=',
  '--exclude-per-directory=',
  '--path-format=',
  '--git-path ',
  '--resolve-git-dir ',
]
const REVISIONS = [
  'HEAD',
  'HEAD~1',
  'main',
  'topic',
  'v1',
  'HEAD~1 HEAD',
  'HEAD~1..HEAD',
  'HEAD:README.md',
  'HEAD:src',
  ':0:README.md',
  ':README.md',
  'HEAD:.env',
  '@{u}',
  ':(top).env',
  ':/',
  'sub',
  '--',
]

/** A git that a default rule names, with options and words of every kind behind it. */
export function gitLine(spot: Spot, random: Random): string {
  const rule = random.pick(random.chance(2) ? COMMON_GIT : GIT_RULES)
  const words = rule.split(' ')
  if (random.chance(10))
    words.splice(1, 0, random.pick(['--no-pager', '-c core.pager=x', '-C ..', '--git-dir=.git', '-p', '--bare']))
  if (words.at(-1) !== '*') return words.join(' ')
  words.pop()
  for (let left = random.below(4); left > 0; left -= 1) {
    const kind = random.below(8)
    if (kind < 4) words.push(random.pick(GIT_OPTIONS))
    else if (kind < 5) words.push(`${random.pick(GIT_VALUES)}${pathWord(spot, random)}`)
    else if (kind < 7) words.push(random.pick(REVISIONS))
    else words.push(pathWord(spot, random))
  }
  return words.join(' ')
}
