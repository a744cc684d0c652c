import { findReads } from './find-reads.ts'
import { type OptionTable, parseOptions } from './parse-options.ts'
import type { Read, Reads } from './read.ts'
import * as tables from './reading-tables.ts'
import { EVERY, grepBelow, has, rgBelow, type Seen, valuesOf } from './search-below.ts'
import type { Below } from './walk-files.ts'

interface Spec {
  readonly table: OptionTable
  readonly prints: Read['prints']
  /** Options whose value is a file that it reads. */
  readonly files?: string
  /** How many of the first operands are text. */
  readonly texts?: number
  /** Options that bring the text instead. */
  readonly bringText?: string
  /** Options that are left to a person, and what they do. */
  readonly asks?: Readonly<Record<string, string>>
  /** Without an operand it reads where it runs, not its input. */
  readonly here?: (seen: Seen, piped: boolean) => boolean
  readonly below?: (seen: Seen) => Below | null
  readonly operands?: 'paths' | 'text'
  /** What its text may not say: it would reach beyond what is named. */
  readonly refuses?: RegExp
}

const always = (): boolean => true
const READS_LIST = 'reads the names of files from a file'

const SUM: Spec = { table: tables.SUMS, prints: 'names', asks: { '-c --check': READS_LIST } }

const SPECS: Readonly<Record<string, Spec>> = {
  cat: { table: tables.CAT, prints: 'content' },
  head: { table: tables.HEAD, prints: 'content' },
  tail: { table: tables.TAIL, prints: 'content' },
  wc: { table: tables.WC, prints: 'names', asks: { '--files0-from': READS_LIST } },
  sort: {
    table: tables.SORT,
    prints: 'content',
    asks: {
      '-o --output -T --temporary-directory': 'writes a file',
      '--compress-program': 'runs a program',
      '--files0-from --random-source': READS_LIST,
    },
  },
  uniq: { table: tables.UNIQ, prints: 'content' },
  cut: { table: tables.CUT, prints: 'content' },
  diff: {
    table: tables.DIFF,
    prints: 'content',
    files: '-X --exclude-from --from-file --to-file',
    asks: { '-l --paginate': 'runs pr' },
    // Also without -r it compares the files of two directories.
    below: seen => ({ ...EVERY, follows: !has(seen, '--no-dereference') }),
  },
  stat: { table: tables.STAT, prints: 'names' },
  file: {
    table: tables.FILE,
    prints: 'names',
    asks: {
      '-f --files-from': READS_LIST,
      '-d --debug': 'prints all it tries, without end',
      '-p --preserve-date': 'sets the times of the files it reads',
      '-m -M --magic-file -C --compile': 'loads or writes a magic file',
      '-z -Z --uncompress --uncompress-noreport -S --no-sandbox -P --parameter': 'runs decompression programs',
    },
  },
  du: {
    table: tables.DU,
    prints: 'names',
    here: always,
    files: '-X --exclude-from',
    asks: { '--files0-from': READS_LIST, '-L --dereference': 'follows links' },
  },
  tree: {
    table: tables.TREE,
    prints: 'names',
    here: always,
    asks: {
      '-l': 'follows links',
      '-o -H -T -R --hintro --houtro': 'writes a file',
      '--fromfile --fromtabfile --infofile --gitfile --info': READS_LIST,
    },
  },
  ls: {
    table: tables.LS,
    prints: 'names',
    here: always,
  },
  grep: {
    table: tables.GREP,
    prints: 'content',
    texts: 1,
    bringText: '-e --regexp -f --file',
    files: '-f --file --exclude-from',
    here: seen => grepBelow(seen) !== null,
    below: grepBelow,
    asks: { '-D --devices': 'reads devices' },
  },
  rg: {
    table: tables.RG,
    prints: 'content',
    texts: 1,
    bringText: '-e --regexp -f --file --files --type-list',
    files: '-f --file --ignore-file',
    here: (seen, piped) => !piped && !has(seen, '--type-list --help --version -h -V --pcre2-version'),
    below: seen => (has(seen, '--files') ? null : rgBelow(seen)),
    asks: {
      '--pre --pre-glob --hostname-bin -z --search-zip --generate': 'runs a program',
      '--type-add': 'may open hidden files by name',
    },
  },
  sed: {
    table: tables.SED,
    prints: 'content',
    texts: 1,
    bringText: '-e --expression -f --file',
    asks: { '-i --in-place': 'writes the files it reads', '-f --file': 'takes its script from a file' },
  },
  awk: {
    table: tables.AWK,
    prints: 'content',
    texts: 1,
    bringText: '-f --file',
    asks: { '-f --file': 'takes its program from a file' },
    refuses: /\b(?:\d\w*)?(?:ARGV|ARGC|ENVIRON|PROCINFO|SYMTAB|FUNCTAB)\b/,
  },
  jq: {
    table: tables.JQ,
    prints: 'content',
    texts: 1,
    // `.include` is a field.
    // `$ ENV` is `$ENV`, too, and so it is with a comment between the two.
    refuses: /\bENV\b|(?<!\.)\b(?:env|import|include|modulemeta|get_search_list)\b/,
  },
  nl: { table: tables.NL, prints: 'content' },
  tac: { table: tables.TAC, prints: 'content' },
  rev: { table: tables.REV, prints: 'content' },
  fold: { table: tables.FOLD, prints: 'content' },
  paste: { table: tables.PASTE, prints: 'content' },
  comm: { table: tables.COMM, prints: 'content' },
  cmp: { table: tables.CMP, prints: 'content' },
  od: { table: tables.OD, prints: 'content' },
  // Like all of its kin it takes more words from a file: `@file`.
  strings: { table: tables.STRINGS, prints: 'content', refuses: /^@/ },
  hexdump: { table: tables.HEXDUMP, prints: 'content', files: '-f --format-file' },
  xxd: { table: tables.XXD, prints: 'content' },
  md5sum: SUM,
  sha1sum: SUM,
  sha256sum: SUM,
  sha512sum: SUM,
  cksum: SUM,
  realpath: { table: tables.REALPATH, prints: 'names', files: '--relative-to --relative-base' },
  readlink: { table: tables.READLINK, prints: 'names' },
  tr: { table: tables.TR, prints: 'content', operands: 'text' },
  date: {
    table: tables.DATE,
    prints: 'names',
    operands: 'text',
    files: '-f --file -r --reference',
    asks: { '-s --set': 'sets the clock' },
    // A time zone is a file.
    refuses: /TZ=/,
  },
  fd: {
    table: tables.FD,
    prints: 'names',
    texts: 1,
    files: '--base-directory --search-path --ignore-file',
    here: always,
    asks: { '-x --exec -X --exec-batch -l --list-details': 'runs a program', '-L --follow': 'follows links' },
  },
  basename: {
    table: { options: '-a -s= -z --multiple --suffix= --zero --help --version' },
    prints: 'names',
    operands: 'text',
  },
  dirname: { table: { options: '-z --zero --help --version' }, prints: 'names', operands: 'text' },
  cd: { table: { options: '-L -P -e -@', optionsFirst: true }, prints: 'names' },
}

const ALIASES: Readonly<Record<string, string>> = {
  egrep: 'grep',
  fgrep: 'grep',
  fdfind: 'fd',
  gawk: 'awk',
  mawk: 'awk',
}

/** Whether it is known here what a command of this name reads. */
export const isReader = (program: string): boolean => /^(?:find|test|\[)$/.test(program) || specOf(program) !== null

const specOf = (program: string): Spec | null => {
  const name = ALIASES[program] ?? program
  return Object.hasOwn(SPECS, name) ? (SPECS[name] ?? null) : null
}

/** What a command would read, its words taken apart as the tool itself does it. `piped`: its input is another command. */
export function readsOf(argv: readonly string[], piped: boolean): Reads {
  const [program = ''] = argv
  if (program === 'find') return findReads(argv)
  if (program === 'test' || program === '[') return testReads(argv)
  const spec = specOf(program)
  if (spec === null) return { problem: 'it is not known what it reads' }
  const words = parseOptions(argv, 1, spec.table)
  if ('unknown' in words) return { problem: `the option ${words.unknown} is not one we know` }

  const { options: seen } = words
  // Beside another word it may read first: grep opens the file of -f before it prints its version.
  if (argv.length === 2 && has(seen, '--help --version')) return []
  for (const [names, why] of Object.entries(spec.asks ?? {}))
    if (has(seen, names)) return { problem: `${seen.find(({ name }) => names.split(' ').includes(name))?.name} ${why}` }
  if (program === 'ls' && has(seen, '-L --dereference') && has(seen, '-R --recursive'))
    return { problem: 'it follows links' }
  const reaching = spec.refuses && argv.find(word => spec.refuses?.test(word))
  if (reaching !== undefined) return { problem: `${reaching} may reach beyond the files that are named` }

  const below = spec.below?.(seen) ?? null
  const named = valuesOf(seen, spec.files ?? '').map((path): Read => ({ path, at: null, prints: 'content', below }))
  if (spec.operands === 'text') return named
  const texts = has(seen, spec.bringText ?? '') ? 0 : (spec.texts ?? 0)
  const paths = words.operands
    .slice(texts)
    // A dash is its input.
    .filter(({ text }) => text !== '-' || program === 'cd')
    .map(({ at, text }): Read => ({ path: text, at, prints: spec.prints, below }))

  if (program === 'cd' && (paths.length !== 1 || paths[0]?.path === '-'))
    return { problem: 'where it goes is known only when it runs' }
  if (paths.length === 0 && words.operands.length >= texts && spec.here?.(seen, piped))
    return [...named, { path: '.', at: null, prints: spec.prints, below }]
  return [...named, ...paths]
}

/** `[ -f x ]` says whether there is one, and whether two texts are the same: whatever could be a path is taken for one. */
function testReads(argv: readonly string[]): Reads {
  return argv
    .slice(1)
    .flatMap((text, i): Read[] =>
      /^(?:-.*|=|==|!=|<|>|!|\(|\)|\]|)$/.test(text) ? [] : [{ path: text, at: i + 1, prints: 'names', below: null }],
    )
}
