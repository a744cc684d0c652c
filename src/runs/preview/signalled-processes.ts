import { readdirSync, readFileSync, statSync } from 'node:fs'
import { MOST_NAMED, type PreviewItem } from '../../contract/preview/preview-frames.ts'
import type { LookBudget } from './look-budget.ts'
import { shortName, unknown } from './short-name.ts'

/** A process as `kill`, `pkill` and `killall` know it. */
export interface SignalledProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly user: number
  /** What the system calls it, 15 letters at most. */
  readonly name: string
  readonly words: readonly string[]
}

export interface SignalWorld {
  readonly processes: () => readonly SignalledProcess[]
  /** The processes of this product. */
  readonly ours: readonly number[]
  /** Who may only signal their own; null: everybody's. */
  readonly user: number | null
}

type Fits = (process: SignalledProcess) => boolean

/** Which processes would get the signal now. */
export function signalledProcesses(argv: readonly string[], world: SignalWorld): PreviewItem {
  const [program = '', ...words] = argv
  const fits = program === 'kill' ? byNumber(words) : program === 'killall' ? byName(words) : byPattern(words)
  if (typeof fits === 'string') return unknown(`which processes ${program} ends`, fits)
  const all = world.processes()
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  const found = all.filter(each => fits(each) && (world.user === null || each.user === world.user))

  const whose = (pid: number): 'self' | 'started_here' | 'other' => {
    if (world.ours.includes(pid)) return 'self'
    for (
      let at = parents.get(pid), steps = 0;
      at !== undefined && at > 1 && steps < 64;
      at = parents.get(at), steps += 1
    )
      if (world.ours.includes(at)) return 'started_here'
    return 'other'
  }
  const shown = found.slice(0, MOST_NAMED)
  return {
    about: 'signals',
    processes: shown.map(({ pid, name, words: line }) => ({
      pid,
      program: shortName(line.length === 0 ? name : line.join(' ')),
      whose: whose(pid),
    })),
    count: found.length,
  }
}

const SIGNAL = /^-(?:\d+|(?:SIG)?[A-Z][A-Z0-9+]*)$/
const LATER = 'that is known only when it runs'
const optionIsUnknown = (word: string): string => `${word} is not known here`

function byNumber(given: readonly string[]): Fits | string {
  const [first = '', second = ''] = given
  const taken = SIGNAL.test(first) ? 1 : /^(?:-s|-n|--signal)$/.test(first) && second !== '' ? 2 : 0
  const words = given.slice(taken).filter((word, i) => !(word === '--' && i === 0))
  const strange = words.find(word => !/^-?[1-9]\d*$/.test(word) || word === '-1')
  if (strange !== undefined || words.length === 0) return strange === undefined ? LATER : optionIsUnknown(strange)
  const numbers = new Set(words.map(Number))
  return ({ pid, group }) => numbers.has(pid) || numbers.has(-group)
}

function byName(given: readonly string[]): Fits | string {
  const words = given.filter(
    (word, i) => !SIGNAL.test(word) && !/^(?:-s|--signal)$/.test(word) && !/^(?:-s|--signal)$/.test(given[i - 1] ?? ''),
  )
  const names = words.filter(word => !/^-(?:[qvwe]|-quiet|-verbose|-wait|-exact)$/.test(word))
  const strange = names.find(word => word.startsWith('-') || word.includes('/') || word.length > LONGEST_NAME)
  if (strange !== undefined || names.length === 0) return strange === undefined ? LATER : optionIsUnknown(strange)
  return ({ name }) => names.includes(name)
}

/** Longer ones the system cuts, and programs look elsewhere for the rest. */
const LONGEST_NAME = 15
/** Patterns that mean the same there as here. */
const PLAIN_PATTERN = /^[\w ./:@=,~^$|-]+$/

function byPattern(given: readonly string[]): Fits | string {
  let whole = false
  let exact = false
  const patterns: string[] = []
  for (const [i, word] of given.entries()) {
    if (SIGNAL.test(word) || /^--signal(?:=|$)/.test(word) || given[i - 1] === '--signal') continue
    if (/^-[fxe]+$|^--(?:full|exact|echo)$/.test(word)) {
      whole ||= /^-[a-z]*f|^--full$/.test(word)
      exact ||= /^-[a-z]*x|^--exact$/.test(word)
    } else if (word.startsWith('-') && word !== '--') return optionIsUnknown(word)
    else if (word !== '--') patterns.push(word)
  }

  const [pattern, ...more] = patterns
  if (pattern === undefined || more.length > 0) return LATER
  if (!PLAIN_PATTERN.test(pattern)) return `${pattern} is a pattern that is not read here`
  const wanted = new RegExp(exact ? `^(?:${pattern})$` : pattern)
  return ({ name, words }) => wanted.test(whole && words.length > 0 ? words.join(' ') : name)
}

/** What Linux shows of its processes. Another system: null. */
export function processesOf(platform: NodeJS.Platform, budget: LookBudget): (() => readonly SignalledProcess[]) | null {
  if (platform !== 'linux') return null
  return () =>
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => (budget.spend() ? (processAt(Number(name)) ?? []) : []))
}

function processAt(pid: number): SignalledProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z') return null
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    return { pid, parent: Number(parent), group: Number(group), user: statSync(`/proc/${pid}`).uid, name, words }
  } catch {
    return null // it ended while it was looked at
  }
}
