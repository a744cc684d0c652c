import { join, relative } from 'node:path'
import type { OptionTable } from '../../src/policy/reads/parse-options.ts'
import * as tables from '../../src/policy/reads/reading-tables.ts'
import type { Random } from './random.ts'
import type { Site, Tree } from './surroundings-tree.ts'

/** Where words are for. */
export interface Spot {
  readonly tree: Tree
  readonly site: Site
  readonly cwd: string
}

const GREP_TEXTS = ['.', 'KEY', 'CANARY', 'x', 'TODO', '-', 'e*']

/** Programs that only read, with the options they have: the gate's own tables, so that no option is forgotten. */
export const READERS: Readonly<Record<string, { readonly table: OptionTable; readonly texts?: readonly string[] }>> = {
  cat: { table: tables.CAT },
  head: { table: tables.HEAD },
  tail: { table: tables.TAIL },
  wc: { table: tables.WC },
  sort: { table: tables.SORT },
  uniq: { table: tables.UNIQ },
  cut: { table: tables.CUT },
  diff: { table: tables.DIFF },
  stat: { table: tables.STAT },
  file: { table: tables.FILE },
  du: { table: tables.DU },
  tree: { table: tables.TREE },
  ls: { table: tables.LS },
  grep: { table: tables.GREP, texts: GREP_TEXTS },
  egrep: { table: tables.GREP, texts: GREP_TEXTS },
  rg: { table: tables.RG, texts: GREP_TEXTS },
  sed: { table: tables.SED, texts: ['p', '1,5p', 's/a/b/', '$p', 'r .env', 'w out', '1e id', 'R id_rsa'] },
  awk: { table: tables.AWK, texts: ['{print}', '{print $1}', 'BEGIN{getline<".env";print}', 'BEGIN{system("id")}'] },
  jq: { table: tables.JQ, texts: ['.', '.name', 'input', 'env', 'input_filename'] },
  nl: { table: tables.NL },
  tac: { table: tables.TAC },
  rev: { table: tables.REV },
  fold: { table: tables.FOLD },
  paste: { table: tables.PASTE },
  comm: { table: tables.COMM },
  cmp: { table: tables.CMP },
  od: { table: tables.OD },
  strings: { table: tables.STRINGS },
  hexdump: { table: tables.HEXDUMP },
  md5sum: { table: tables.SUMS },
  sha256sum: { table: tables.SUMS },
  realpath: { table: tables.REALPATH },
  readlink: { table: tables.READLINK },
  date: { table: tables.DATE, texts: ['+%F'] },
  fd: { table: tables.FD, texts: GREP_TEXTS },
}

/** Waits for ever, or says nothing about the disk. */
const NEVER_GIVEN = /^(?:-f|-F|--follow|--retry|--help|--version|--pid|-V|-h)$/

/** A few options as a person or an attacker may spell them: bundled, glued, cut short, with digits in between. */
export function optionWords(program: string, spot: Spot, random: Random): string[] {
  const spec = READERS[program]
  if (!spec) return []
  const options = spec.table.options.split(/\s+/).filter(item => {
    const name = item.replace(/[=?]$/, '')
    return item !== '' && !(NEVER_GIVEN.test(name) && (program === 'tail' || name.startsWith('--he')))
  })
  const words: string[] = []
  for (let left = random.pick([0, 0, 1, 1, 2, 3]); left > 0; left -= 1) {
    const option = random.pick(program.endsWith('grep') && random.chance(3) ? RECURSING : options)
    const name = option.replace(/[=?]$/, '')
    const value = option.endsWith('=') || (option.endsWith('?') && random.chance(2)) ? optionValue(spot, random) : null
    if (name.startsWith('--')) {
      const typed = random.chance(4) ? name.slice(0, Math.max(4, name.length - 1 - random.below(5))) : name
      words.push(...(value === null ? [typed] : random.chance(3) ? [typed, value] : [`${typed}=${value}`]))
    } else {
      const before = random.chance(4) ? `${random.chance(3) ? random.below(9) : ''}${letters(options, random)}` : ''
      words.push(
        ...(value === null
          ? [`-${before}${name[1]}`]
          : random.chance(2)
            ? [`-${before}${name[1]}${value}`]
            : [`-${before}${name[1]}`, value]),
      )
    }
  }
  return words
}

const RECURSING = [
  '-r',
  '-R',
  '-r',
  '--recursive',
  '--include=',
  '--exclude=',
  '--exclude-dir=',
  '-d=',
  '-e=',
  '-f=',
  '--regexp=',
]

const letters = (options: readonly string[], random: Random): string =>
  (random.pick(options.filter(item => /^-\w$/.test(item))) ?? '').slice(1)

function optionValue(spot: Spot, random: Random): string {
  if (random.chance(3)) return pathWord(spot, random)
  return random.pick([
    '1',
    '3',
    '2,3',
    '1-80',
    'x',
    '.',
    'KEY',
    'recurse',
    'read',
    '*.md',
    '.env',
    '*',
    'never',
    'w',
    'x1',
    ' ',
  ])
}

const ODD = [
  '.',
  '..',
  './.',
  './/',
  '-',
  '/',
  '~',
  '~/notes.txt',
  '../..',
  'missing',
  '$HOME/notes.txt',
  '../../notes.txt',
  'src/..',
  'src/ui/..',
  '"$PWD"',
  '.*',
  '*',
  '*/*',
  './*',
  '.e*',
  '*.json',
  'src/{a,b}.ts',
  '../bound/inside.txt',
  '/etc/hostname',
  '~root',
  '.git/description',
]

/** Those of the paths that lie where the line may look. */
export function around({ tree, site }: Spot, paths: readonly string[] = tree.directories): readonly string[] {
  return paths.filter(path => path.startsWith(`${site.directory}/`))
}

/** A file or directory as a word: seen from here or from the top, straight or round about, with wildcards in it. */
export function pathWord({ tree, site, cwd }: Spot, random: Random): string {
  if (random.chance(7)) return random.pick(ODD)
  const path = random.pick(random.chance(6) ? tree.paths : around({ tree, site, cwd }, tree.paths))
  const here = relative(cwd, path) || '.'
  const word = random.chance(6) ? path : here
  switch (random.below(12)) {
    case 0:
      return `./${here}`
    case 1:
      return wild(word, random)
    case 2:
      return `${word}/`
    case 3:
      return word.replace('/', '//')
    case 4:
      return `${word}/..`
    case 5:
      return join(word, '..') || '.'
    case 6:
      return `src/../${here}`
    case 7:
      return random.chance(3) ? `"${word}"` : `${word.slice(0, 1)}''${word.slice(1)}`
    default:
      return word
  }
}

export function wild(word: string, random: Random): string {
  const names = word.split('/')
  const at = random.chance(3) ? random.below(names.length) : names.length - 1
  const name = names[at] ?? ''
  const cut = random.below(name.length + 1)
  names[at] = random.pick([
    '*',
    `${name.slice(0, cut)}*`,
    `*${name.slice(cut)}`,
    `${name.slice(0, cut)}?${name.slice(cut + 1)}`,
    `${name.slice(0, cut)}[${name[cut] ?? 'x'}]${name.slice(cut + 1)}`,
  ])
  return names.join('/')
}
