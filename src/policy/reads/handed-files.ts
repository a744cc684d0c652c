import { findReads } from './find-reads.ts'
import { foundBy } from './found-files.ts'
import { parseOptions } from './parse-options.ts'
import type { Read, Reads } from './read.ts'
import { GREP, HEAD, RG, SORT } from './reading-tables.ts'
import { isReader, readsOf } from './reads-of.ts'
import { has } from './search-below.ts'

/**
 * A command that hands files to another which only reads them: `find src -name '*.ts' -exec wc -l {} +`, `rg -l x src | xargs head`.
 * What it would read is every file that could be found.
 */
export interface Handing {
  /** `find` without what it starts; null: the files come from another command. */
  readonly finder: readonly string[] | null
  readonly reader: readonly string[]
  /** `xargs -0`: names are not taken apart at blanks. */
  readonly zero: boolean
}

const HANDED = ['./handed-1', './handed-2', './handed-3']
const PRINTS_WORDS = /^(?:basename|dirname|echo)$/

/** null: it hands nothing on, or in a way that is not read here. */
export function handsOver(argv: readonly string[]): Handing | null {
  const handing = argv[0] === 'find' ? execOf(argv) : argv[0] === 'xargs' ? xargsOf(argv) : null
  const program = handing?.reader[0] ?? ''
  const isFit = PRINTS_WORDS.test(program) || (isReader(program) && !/^(?:find|test|\[|cd|rg|fd|fdfind)$/.test(program))
  return isFit ? handing : null
}

/** `find … -exec grep -l x {} +` at its end. */
function execOf(argv: readonly string[]): Handing | null {
  const at = argv.indexOf('-exec')
  const [last, end] = argv.slice(-2)
  if (at < 0 || last !== '{}' || (end !== ';' && end !== '+')) return null
  const reader = argv.slice(at + 1, -2)
  return reader.some(word => word.includes('{}')) ? null : { finder: argv.slice(0, at), reader, zero: true }
}

const XARGS = { options: '-0 -r -n= -I= --null --no-run-if-empty --max-args=', optionsFirst: true }

function xargsOf(argv: readonly string[]): Handing | null {
  const words = parseOptions(argv, 1, XARGS)
  if ('unknown' in words) return null
  const rest = argv.slice(words.operands[0]?.at ?? argv.length)
  const [place] = words.options.flatMap(({ name, value }) => (name === '-I' ? [value] : []))
  const reader = place === undefined ? rest : rest.at(-1) === place ? rest.slice(0, -1) : []
  const isPlain = place === undefined || (place === '{}' && !reader.some(word => word.includes('{}')))
  return isPlain ? { finder: null, reader, zero: has(words.options, '-0 --null') } : null
}

/** The words of the reader as they are looked at for options: with files behind them. */
export const readerWithFiles = ({ reader }: Handing): readonly string[] => [...reader, ...HANDED]

/** What is read; null: it hands nothing on. `fedBy`: the commands before it in its pipe, first to last. */
export function handedReads(argv: readonly string[], fedBy: readonly (readonly string[])[]): Reads | null {
  const handing = handsOver(argv)
  if (handing === null) return null
  const own = readsOf(readerWithFiles(handing), false)
  const program = handing.reader[0] ?? ''
  const files = PRINTS_WORDS.test(program) ? [] : own
  if ('problem' in files) return files
  const handed = files.filter(({ path }) => HANDED.includes(path))
  const rest = files.filter(read => !handed.includes(read))
  // One of them would be its pattern or its script, or be searched through.
  const isOdd = handed.length !== HANDED.length || handed.some(({ below }) => below !== null)
  if (!PRINTS_WORDS.test(program) && isOdd) return { problem: `${program} would take a file for something else` }

  const from = handing.finder ? foundReads(handing.finder, handing.zero) : printedReads(fedBy, handing.zero)
  if (from === null) return { problem: 'which files it is handed is known only when it runs' }
  return 'problem' in from ? from : [...rest.map(read => ({ ...read, at: null })), ...from]
}

/** Every file that `find` may find, and what it reads itself. */
function foundReads(argv: readonly string[], zero: boolean): Reads | null {
  const found = foundBy(argv)
  const own = findReads(argv)
  if (found === null || 'problem' in own) return found === null ? null : own
  const reads = found.roots.map((path): Read => {
    const below = found.below(path)
    return { path, at: null, prints: 'content', below: zero ? below : { ...below, names: 'one_word' } }
  })
  return [...own.map(read => ({ ...read, at: null })), ...reads]
}

/** Every file whose name a command may print for `xargs`, where it prints nothing but names of files. */
function printedReads(fedBy: readonly (readonly string[])[], zero: boolean): Reads | null {
  const [source, ...filters] = fedBy
  if (source === undefined || !filters.every(keepsLines)) return null
  if (source[0] === 'find') {
    const found = foundBy(source)
    return found === null || found.zero !== zero ? null : foundReads(source, zero)
  }

  // Whatever else they were told could make them print something beside names, or names of another shape.
  const [table, fine] = source[0] === 'rg' ? [RG, RG_NAMES] : [GREP, GREP_NAMES]
  const words = parseOptions(source, 1, table)
  const isKnown = !('unknown' in words) && words.options.every(({ name }) => fine.test(name))
  if (!/^(?:grep|rg)$/.test(source[0] ?? '') || !isKnown || !has(words.options, '-l --files-with-matches') || zero)
    return null
  const reads = readsOf(source, false)
  if ('problem' in reads) return reads
  return reads.map(read => ({ ...read, at: null, ...(read.below && { below: { ...read.below, names: 'one_word' } }) }))
}

const GREP_NAMES =
  /^(?:-[rRliEFPwnHIsve]|--(?:recursive|files-with-matches|include|exclude|exclude-dir|ignore-case|word-regexp|regexp|extended-regexp|fixed-strings))$/
const RG_NAMES =
  /^(?:-[linwFegtTsS]|--(?:files-with-matches|glob|type|type-not|ignore-case|word-regexp|fixed-strings|regexp))$/

/** Whether it prints some of the lines it gets, and each as it is. */
function keepsLines(argv: readonly string[]): boolean {
  const [program = ''] = argv
  const [table, fine] =
    program === 'grep'
      ? [GREP, /^(?:-[vEFiwxe]|--invert-match|--regexp)$/]
      : program === 'sort'
        ? [SORT, /^-[ruf]$/]
        : [HEAD, /^-n$/]
  if (!/^(?:grep|sort|head|tail)$/.test(program)) return false
  const words = parseOptions(argv, 1, table)
  const reads = readsOf(argv, true)
  return (
    !('unknown' in words) &&
    words.options.every(({ name }) => fine.test(name)) &&
    !('problem' in reads) &&
    reads.length === 0
  )
}
