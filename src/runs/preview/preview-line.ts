import { MOST_ITEMS, MOST_NAMED, type PreviewItem, type PreviewRequest } from '../../contract/preview/preview-frames.ts'
import { roughScan } from '../../policy/destructive/rough-scan.ts'
import { programName, unwrap } from '../../policy/destructive/unwrap.ts'
import { Effort } from '../../policy/model/effort.ts'
import { deletedFiles } from './deleted-files.ts'
import { behindWrappers, type ReadCommand, type ReadLine, readLineNow } from './line-reading.ts'
import type { LookBudget } from './look-budget.ts'
import { pushedCommits } from './pushed-commits.ts'
import { shortName, unknown } from './short-name.ts'
import { processesOf, signalledProcesses } from './signalled-processes.ts'
import { redirectedFile, teeFiles } from './written-files.ts'

/**
 * What a line would do, seen from this disk as it is now: item by item, so that what is known early is not lost with what takes too
 * long. Nothing is written, nothing of the repository is started, and nothing but directories and git's own files is opened.
 */
export function* previewLine(request: PreviewRequest, budget: LookBudget): Generator<PreviewItem> {
  let told = 0
  for (const item of itemsOf(request, budget)) {
    told += 1
    if (told > MOST_ITEMS) return
    yield item
  }
}

function* itemsOf(request: PreviewRequest, budget: LookBudget): Generator<PreviewItem> {
  const line = readLineNow(request)
  yield* variableItems(line, request)
  if (line.gaveUp !== null) {
    const concern = concernIn(request.command)
    if (concern !== null) yield unknown(concern, `the line has ${line.gaveUp}`)
    return
  }

  for (const { globs } of line.commands) for (const glob of globs) yield globItem(glob)
  for (const redirection of line.redirections) {
    const owner = line.commands.findLast(({ start }) => start <= redirection.at) ?? line.commands[0]
    yield redirectedFile(redirection, owner?.cwd ?? null)
  }
  for (const command of line.commands) {
    if (budget.isSpent) return
    yield* commandItems(command, request, budget)
  }
}

const NAME = /^[A-Za-z_]\w*$/

function* variableItems({ variables, given }: ReadLine, request: PreviewRequest): Generator<PreviewItem> {
  for (const name of variables) {
    if (!NAME.test(name) || given.has(name) || name === 'PWD' || name === 'HOME') continue
    const value = request.variables[name]
    if (value === undefined) yield unknown(`$${name}`, 'it looks like a secret, or is known only when it runs')
    else yield { about: 'variable', name: shortName(name), value: value === null ? null : shortName(value) }
  }
}

function globItem({ pattern, names }: ReadCommand['globs'][number]): PreviewItem {
  if (names === null) return unknown(pattern, 'which files it stands for cannot be said as a shell would')
  const shown = names.slice(0, MOST_NAMED).map(shortName)
  return { about: 'glob', pattern: shortName(pattern), names: shown, count: names.length }
}

function* commandItems(command: ReadCommand, request: PreviewRequest, budget: LookBudget): Generator<PreviewItem> {
  const argv = behindWrappers(command.argv)
  const inside = concernOf(command.argv)
  if (argv === null || (inside !== null && ownConcern(argv) === null)) {
    if (inside !== null) yield unknown(inside, `${command.argv[0]} decides it when it runs`)
    return
  }
  // What it stands for was not said, so what it does to it cannot be either.
  if (command.globs.some(({ names }) => names === null)) {
    if (inside !== null) yield unknown(inside, 'one of its wildcards is unknown')
    return
  }

  const [program = '', ...words] = argv
  const name = programName(program)
  if (/^(?:kill|pkill|killall)$/.test(name)) yield signalItem([name, ...words], command.argv, { request, budget })
  const { cwd } = command
  const needsPlace = name === 'tee' || /^(?:rm|rmdir|unlink)$/.test(name) || isPush(name, words)
  if (!needsPlace) {
    const vague = VAGUE.find(({ fits }) => fits(name, words))
    if (vague) yield unknown(vague.what, 'which files that is shows when it runs')
  } else if (cwd === null) yield unknown(`what ${name} does`, 'the directory is known only when it runs')
  else if (name === 'tee') yield* teeFiles(words, cwd)
  else if (name === 'git') {
    const { home, own_git: ownGit } = request
    yield* pushedCommits([name, ...words], cwd, { home, ownGit, budget })
  } else yield deletedFiles([name, ...words], cwd, budget)
}

const ROOT = /^(?:sudo|doas)$/

function signalItem(
  argv: readonly string[],
  [outer = '']: readonly string[],
  { request, budget }: { readonly request: PreviewRequest; readonly budget: LookBudget },
): PreviewItem {
  const processes = processesOf(process.platform, budget)
  if (processes === null) return unknown(`which processes ${argv[0]} ends`, 'this system does not show them')
  const own = process.getuid?.() ?? 0
  const user = own === 0 || ROOT.test(outer) ? null : own
  return signalledProcesses(argv, { processes, ours: request.ours, user })
}

const isPush = (name: string, words: readonly string[]): boolean =>
  name === 'git' && words.find((word, i) => !word.startsWith('-') && !/^-[Cc]$/.test(words[i - 1] ?? '')) === 'push'

/** What deletes files that nobody names. */
const VAGUE: readonly { what: string; fits: (name: string, words: readonly string[]) => boolean }[] = [
  { what: 'what git clean deletes', fits: (name, words) => name === 'git' && words.includes('clean') },
  { what: 'what find deletes', fits: (name, words) => name === 'find' && words.includes('-delete') },
  { what: 'what shred overwrites', fits: name => name === 'shred' },
]

/** In words, what of interest this very command does; null: nothing. */
function ownConcern([program = '', ...words]: readonly string[]): string | null {
  const name = programName(program)
  if (/^(?:rm|rmdir|unlink)$/.test(name)) return `what ${name} deletes`
  if (/^(?:kill|pkill|killall)$/.test(name)) return `which processes ${name} ends`
  return isPush(name, words) ? 'what git push sends' : null
}

const DEEPEST = 3

/** The same of all that may be inside of it: behind wrappers, in scripts. */
function concernOf(argv: readonly string[], depth = 0): string | null {
  const { commands, scripts } = unwrap(argv, new Effort())
  const own = commands.map(ownConcern).find(concern => concern !== null)
  if (own !== undefined || depth >= DEEPEST) return own ?? null
  return scripts.map(script => concernIn(script, depth + 1)).find(concern => concern !== null) ?? null
}

/** Of a line that was not read: by the words that can be made out in it. */
function concernIn(line: string, depth = 0): string | null {
  for (const { argv, sinks } of roughScan(line)) {
    const concern = concernOf(argv, depth) ?? (sinks.some(isFile) ? 'which files it writes' : null)
    if (concern !== null) return concern
  }
  return null
}

const isFile = (sink: string): boolean => sink !== '/dev/null' && !/^\d$/.test(sink)
