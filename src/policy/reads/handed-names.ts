import { normalize } from 'node:path'
import type { PlacedCommand, SimpleCommand } from '../model/reading.ts'
import { type Found, readExpression } from './find-expression.ts'
import { findStarts } from './find-reads.ts'
import { readsOf } from './reads-of.ts'
import { EVERY } from './search-below.ts'
import { type Below, ONE_WORD } from './walk-files.ts'

/**
 * `find … -exec reader {} +` and `find … | xargs reader`: the names that are found are the files that a reader reads. Such a
 * line is as safe as the reader on everything that could be found, so it is judged as that: the same words with the place
 * that is searched behind them, and all below it looked through. Whatever is not fully understood here is left to a person.
 */

/** Any number of files may follow, in any order: none of them is written, run or taken for a program. */
const TAKES_FILES =
  /^(?:cat|head|tail|wc|ls|stat|file|du|nl|tac|cut|sort|grep|egrep|fgrep|sed|jq|md5sum|sha1sum|sha256sum|sha512sum|cksum|realpath)$/
/** They only print the words they get. */
const PRINTS_WORDS = /^(?:echo|basename|dirname)$/

/** A command whose last word is a place, for the names that are found there. */
export interface HandedCall extends PlacedCommand {
  readonly handed?: { readonly at: number; readonly below: Below }
}

/** The commands that one command stands for; null: it hands nothing on, or it is not known what. */
export function handedOn(call: PlacedCommand): readonly HandedCall[] | null {
  if (call.shell === 'powershell' || call.shell === 'cmd' || call.shell === 'fish') return null
  switch (call.command.argv[0]) {
    case 'find':
      return byFind(call)
    case 'xargs':
      return byXargs(call)
    case 'timeout':
      return byTimeout(call)
    default:
      return null
  }
}

/** The programs that it would start besides itself. */
export function handedPrograms(argv: readonly string[]): readonly string[] {
  switch (argv[0]) {
    case 'find':
      return execIn(argv)?.inner.slice(0, 1) ?? []
    case 'xargs':
      return xargsInner(argv)?.slice(0, 1) ?? []
    case 'timeout':
      return argv.slice(2, 3)
    default:
      return []
  }
}

/** `timeout 60 npm test` is `npm test` that may end early. It runs programs only, and none that hands words on in turn. */
function byTimeout(call: PlacedCommand): readonly HandedCall[] | null {
  const { argv, globs } = call.command
  const [, time = '', program = ''] = argv
  if (!/^\d{1,5}[smh]?$/.test(time) || !/^[a-z][\w.-]*$/.test(program) || globs.some(at => at <= 2)) return null
  return [{ ...call, command: { ...call.command, argv: argv.slice(2), globs: globs.map(at => at - 2) } }]
}

/** What hands its output to a command: all of the pipe before it. null where another stream or a loop goes into it as well. */
export function fedBy(commands: readonly SimpleCommand[], at: number, line: string): readonly SimpleCommand[] | null {
  let first = at
  while (commands[first]?.joinedBy === '|') first -= 1
  if (first === at || first < 0) return null
  const text = line.slice(commands[first]?.start, commands[at]?.start)
  return />\s*&|&\s*>|\|\s*&|\bdone\b/.test(text) ? null : commands.slice(first, at)
}

function byFind(call: PlacedCommand): readonly HandedCall[] | null {
  const { argv, globs } = call.command
  const exec = execIn(argv)
  const program = exec?.inner[0] ?? ''
  if (exec === null || globs.some(at => at >= exec.from)) return null
  const around = (action: string): string[] => [...argv.slice(0, exec.from), action, ...argv.slice(exec.to)]
  const places = placesOf(around('-exec'), 'whole')
  if (places === null) return null
  const printing = { ...call, command: { ...call.command, argv: around('-print') } }
  if (PRINTS_WORDS.test(program))
    return [printing, { ...call, command: { ...call.command, argv: exec.inner, globs: [] } }]
  return TAKES_FILES.test(program) ? [printing, ...places.map(place => readerOn(call, exec.inner, place))] : null
}

/** `-exec reader words {} +`: the names stand at its end and nowhere else. */
function execIn(argv: readonly string[]): { inner: readonly string[]; from: number; to: number } | null {
  const from = argv.indexOf('-exec')
  if (from < 0 || argv.some((word, i) => i !== from && /^-(?:exec|execdir|ok|okdir)$/.test(word))) return null
  const end = argv.findIndex((word, i) => i > from && (word === ';' || (word === '+' && argv[i - 1] === '{}')))
  const inner = argv.slice(from + 1, end - 1)
  if (end < 0 || argv[end - 1] !== '{}' || inner.some(word => word.includes('{}'))) return null
  return { inner, from, to: end + 1 }
}

function byXargs(call: PlacedCommand): readonly HandedCall[] | null {
  const { argv, globs } = call.command
  const inner = xargsInner(argv)
  if (inner === null || globs.length > 0 || !call.fedBy) return null
  if (PRINTS_WORDS.test(inner[0] ?? '')) return [{ ...call, command: { ...call.command, argv: inner } }]
  if (!TAKES_FILES.test(inner[0] ?? '')) return null
  const [source, ...filters] = call.fedBy
  if (!source || source.globs.length > 0 || source.inputs || !filters.every(keepsLines)) return null
  // What is no text makes a filter say so, in words.
  if (filters.length > 0 && source.argv.some(word => /^-(?:print0|-null|\w*[Z0]\w*)$/.test(word))) return null
  const places = source.argv[0] === 'find' ? foundNames(source.argv) : namesOfMatches(source.argv)
  if (!places?.every(({ path }) => ONE_WORD.test(path))) return null
  return places.map(place => readerOn(call, inner, place))
}

/** What xargs runs, where all of its own options are known; with `-I` the names have to stand at its end. */
function xargsInner(argv: readonly string[]): readonly string[] | null {
  let at = 1
  let mark: string | null = null
  for (; argv[at]?.startsWith('-'); at += 1) {
    const word = argv[at] as string
    const [, letter, glued = ''] = /^-([nPLId])(.*)$/s.exec(word) ?? []
    if (/^(?:-[0rt]+|--null|--no-run-if-empty|--max-args=\d+|--max-procs=\d+)$/.test(word)) continue
    if (letter === undefined) return null
    const value = glued === '' ? (argv[++at] ?? '') : glued
    if (letter === 'I') mark = value
    else if (letter === 'd' ? value !== '\\n' : !/^\d+$/.test(value)) return null
  }
  const inner = argv.slice(at)
  if (mark === null) return inner.length > 0 ? inner : null
  // With a number of words at a time the mark stays as it is.
  if (mark === '' || argv.slice(1, at).some(word => /^-(?:[nL]|-max-args)/.test(word))) return null
  const words = inner.slice(0, -1)
  return inner.at(-1) === mark && words.length > 0 && !words.some(word => word.includes(mark)) ? words : null
}

/** A filter that prints whole lines of its input and nothing else. */
function keepsLines({ argv, globs }: SimpleCommand): boolean {
  const [program, ...words] = argv
  if (globs.length > 0) return false
  switch (program) {
    case 'grep':
      return (
        words.filter(word => !/^-[viEFwxa]+$/.test(word)).length === 1 &&
        !words.some(word => /^-(?![viEFwxa]+$)/.test(word))
      )
    case 'head':
    case 'tail':
      return /^(?:|-\d+|-n ?\+?\d+|--lines=\d+)$/.test(words.join(' '))
    case 'sort':
      return words.every(word => /^-[urnVf]+$/.test(word))
    case 'uniq':
      return words.every(word => /^-[ud]$/.test(word))
    default:
      return false
  }
}

/** Where the names come from that are handed on. */
interface Place {
  readonly path: string
  readonly below: Below
}

/** `find` that prints names and nothing else. */
function foundNames(argv: readonly string[]): readonly Place[] | null {
  return argv.some(word => /^-(?:ls|printf|exec.*|ok.*)$/.test(word)) ? null : placesOf(argv, 'split')
}

/** Where `find` looks, and for which files below it `-exec` or `-print` may run. */
function placesOf(argv: readonly string[], names: 'whole' | 'split'): readonly Place[] | null {
  const starts = findStarts(argv)
  if ('problem' in starts || argv.includes('-D')) return null
  const expression = argv.slice(starts.end)
  const read = readExpression(expression, names === 'whole' ? /^-exec$/ : /^-print0?$/)
  if (read === null || (names === 'whole' && !read.acts)) return null

  // Without an action it prints what its expression is true for.
  const depths = expression.flatMap((word, i) => (word === '-maxdepth' ? [expression[i + 1] ?? ''] : []))
  if (!depths.every(depth => /^\d{1,4}$/.test(depth))) return null
  const deepest = depths.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...depths.map(Number))

  const reaches = (found: Found): boolean => {
    const { yes, runs } = read.part(found)
    return read.acts ? runs : yes
  }

  return starts.reads.map(({ path: start }) => {
    const prefix = normalize(start)
      .split('/')
      .filter(name => name !== '.' && name !== '')
    const shownAs = (path: readonly string[]): string | null =>
      start.startsWith('/') || prefix.includes('..') || prefix.some((name, i) => name !== path[i])
        ? null
        : `${start.replace(/([^/])$/, '$1/')}${path.slice(prefix.length).join('/')}`

    return {
      path: start,
      below: {
        ...EVERY,
        names,
        follows: true,
        opens: (name, path, kind = 'file') => reaches({ name, path: shownAs(path), kind }),
        enters: (name, path) => {
          const shown = shownAs(path)
          if (shown === null) return true
          return (
            path.length - prefix.length < deepest &&
            !read.part({ name, path: shown, kind: 'directory' }).prunes &&
            reaches({ name: null, path: shown, kind: 'below' })
          )
        },
      },
    }
  })
}

/** `grep -rl` and `rg -l` print the names of files that they opened. */
function namesOfMatches(argv: readonly string[]): readonly Place[] | null {
  const [program = '', ...words] = argv
  const known = program === 'rg' ? RG_WORD : /^e?grep$|^fgrep$/.test(program) ? GREP_WORD : null
  const options = words.filter(word => word.startsWith('-'))
  // A dash alone is its input, which has no name.
  if (known === null || !options.every(word => known.test(word))) return null
  const listsAll = program === 'rg' && words.includes('--files')
  if (!listsAll && !options.some(word => /^-[a-zA-Z]*l[a-zA-Z]*$|^--files-with-matches$/.test(word))) return null
  const reads = readsOf(listsAll ? [program, '-e', 'x', ...words.filter(word => word !== '--files')] : argv, false)
  // Without a path it may search its input.
  if ('problem' in reads || reads.length === 0 || (program === 'rg' && reads.some(({ at }) => at === null))) return null
  return reads.map(({ path, below }) => ({ path, below: { ...(below ?? EVERY), names: 'split' } }))
}

const GREP_WORD = /^(?:-[rRliEFwsIZ]+|--files-with-matches|--(?:include|exclude|exclude-dir)=.*)$/
const RG_WORD = /^(?:-[liwFSs0]+|-[gt]|-t[a-z]+|--files-with-matches|--files|--glob|--type)$/

/** The reader with a place behind its words, and how that is gone through. */
function readerOn(call: PlacedCommand, inner: readonly string[], { path, below }: Place): HandedCall {
  const argv = [...inner, path]
  return { ...call, command: { ...call.command, argv, globs: [] }, handed: { at: argv.length - 1, below } }
}
