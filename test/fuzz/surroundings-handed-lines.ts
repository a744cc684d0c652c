import { relative } from 'node:path'
import type { Random } from './random.ts'
import { around, type Spot } from './surroundings-words.ts'

const NAMES = [
  '',
  "-name '*.ts'",
  "-name '*.md'",
  "-name 'a*'",
  "-name '*.json'",
  "-iname '*.TS'",
  "-type f -name '*.ts'",
  '-type f',
  "-not -name '.env'",
  "\\( -name '*.ts' -o -name '*.md' \\)",
  "-name x -o -name '.e*'",
  "-name '.e*'",
  '-maxdepth 1',
  "-name '*.t?'",
]
const LEFT_OUT = [
  '',
  '',
  "-not -path '*/node_modules/*'",
  "! -path './.git/*'",
  "-not -path './lib/*'",
  "-not -path '*/.*'",
]
const HANDED_TO = [
  'cat',
  'head -3',
  'wc -l',
  'grep -h .',
  'grep -n KEY',
  'ls -la',
  'sed -n p',
  "awk '{print}'",
  'sort',
  'tail -n 2',
  'file',
  'basename',
  'strings',
  'od -c',
  'grep',
  'uniq',
  'sed',
  'rm',
]
const FILTERS = ['', '', '| sort ', '| head -5 ', '| grep -v test ', '| tail -n +2 ', '| sort -u ']

/** A command that finds files, and one that is handed them. */
export function handedLine(spot: Spot, random: Random): string {
  const place = (): string => {
    const directory = relative(spot.cwd, random.pick(random.chance(6) ? spot.tree.directories : around(spot))) || '.'
    return random.chance(4) ? `${directory}/` : directory
  }
  const tests = `${random.pick(NAMES)} ${random.pick(LEFT_OUT)}`
  const reader = random.pick(HANDED_TO)
  switch (random.below(5)) {
    case 0:
      return `find ${place()} ${tests} -exec ${reader} {} +`
    case 1:
      return `find ${place()} ${random.chance(5) ? place() : ''} ${tests} -exec ${reader} {} \\;`
    case 2:
      return `find ${place()} ${tests} ${random.pick(FILTERS)}| xargs ${random.pick(['', '-n 1', '-r', '-I{}'])} ${reader}`
    case 3:
      return `find ${place()} ${tests} -print0 | xargs -0 ${reader}`
    default:
      return `${random.pick(['grep -rl', 'grep -Rl', 'grep -rli', "grep -rl --include='*.ts'"])} ${random.pick(['.', 'x', 'KEY'])} ${random.chance(3) ? '' : place()} ${random.pick(FILTERS)}| xargs ${reader}`
  }
}
