import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from './random.ts'
import type { RepositoryMould } from './repository-mould.ts'
import { type Eyes, startUnasked } from './surroundings-gate.ts'
import { ANOTHER_USER, type End, type Start, type SurroundingsJail } from './surroundings-jail.ts'
import { randomTrial, type Trial } from './surroundings-lines.ts'
import { growTree, handOver, listing, type Tree } from './surroundings-tree.ts'

/** A line that ran unasked and should not have. */
export interface Harm {
  readonly why: string
  readonly line: string
  readonly args?: readonly string[] | undefined
  readonly lane: string
  readonly cwd: string
  readonly place: string
  readonly venv: string | null
  readonly env: Readonly<Record<string, string>>
  readonly path: string
  readonly output: string
}

export interface SurroundingsReport {
  readonly judged: number
  /** Lines that ran for real. */
  readonly ran: number
  readonly harms: readonly Harm[]
}

export interface SurroundingsCampaign {
  readonly seed: number
  /** Runs, or judged lines: whichever is there first ends it. */
  readonly runs?: number
  readonly lines: number
  readonly jail: SurroundingsJail
  readonly mould: RepositoryMould
  readonly mostHarms: number
  /** Then only what the whole product would not start in the same way is run: the rest says nothing about a closed eye. */
  readonly eyes?: Eyes
  /** Lines that are judged before any runs: more is faster, fewer finds the first harm sooner. */
  readonly roundSize?: number
  readonly progress?: (soFar: SurroundingsReport) => void
}

const LINES_PER_TREE = 400

interface Ready {
  readonly trial: Trial
  readonly start: Start
}

/** Grows trees, judges random lines in each, and really runs whatever is *auto*, as another user in the jail. */
export async function runSurroundings(campaign: SurroundingsCampaign): Promise<SurroundingsReport> {
  const { jail, mould, seed, roundSize = LINES_PER_TREE } = campaign
  const harms: Harm[] = []
  let judged = 0
  let ran = 0
  const isOver = () =>
    judged >= campaign.lines || ran >= (campaign.runs ?? Infinity) || harms.length >= campaign.mostHarms
  for (let n = 0; !isOver(); n += 1) {
    const root = join(jail.trees, String(n))
    const random = new Random(seed + n * 7919)
    const tree = growTree(root, random, mould)
    if (ANOTHER_USER !== null) handOver(root, ANOTHER_USER)
    const seen = new Set<string>()

    for (let left = LINES_PER_TREE; left > 0 && !isOver(); left -= roundSize) {
      const size = Math.min(roundSize, left, campaign.lines - judged)
      const ready: Ready[] = []
      for (let i = 0; i < size; i += 1) {
        const trial = randomTrial(tree, random)
        const start = startToTry(trial, tree, campaign.eyes)
        const key = JSON.stringify(start)
        if (start === null || seen.has(key)) continue
        seen.add(key)
        ready.push({ trial, start })
      }
      judged += size
      ran += ready.length
      harms.push(...(await findHarms(ready, tree, jail)))
    }

    rmSync(root, { recursive: true, force: true })
    campaign.progress?.({ judged, ran, harms })
  }
  return { judged, ran, harms }
}

function startToTry(trial: Trial, tree: Tree, eyes: Eyes | undefined): Start | null {
  if (eyes?.concerns?.(trial) === false) return null
  const start = startUnasked(trial, tree, eyes)
  if (start === null || eyes === undefined) return start
  return JSON.stringify(start) === JSON.stringify(startUnasked(trial, tree)) ? null : start
}

async function findHarms(ready: readonly Ready[], tree: Tree, jail: SurroundingsJail): Promise<Harm[]> {
  const { secrets, tripped } = tree
  const before = listing(tree.root)
  const ends = await jail.run({ starts: ready.map(({ start }) => start), secrets, tripped })
  const harms = ready.flatMap(({ trial }, i) => harmOf(trial, ends[i] as End, tree) ?? [])
  if (harms.length > 0) return harms
  const changed = changes(before, listing(tree.root))
  if (changed === null) return []
  // Which of them it was shows one by one: a file that was written once is written again.
  for (const { trial, start } of ready) {
    const then = listing(tree.root)
    const [end] = await jail.run({ starts: [start], secrets, tripped })
    const again = changes(then, listing(tree.root))
    if (again !== null) return [harm(trial, tree, `it changed ${again}`, end?.output ?? '')]
  }
  const [any] = ready
  return any ? [harm(any.trial, tree, `one of ${ready.length} lines changed ${changed}`, '')] : []
}

function harmOf(trial: Trial, { output, opened, started, failed }: End, tree: Tree): Harm | null {
  if (started !== null) return harm(trial, tree, `it started ${started.trim()}`, output)
  if (opened.length > 0) return harm(trial, tree, `it opened ${opened.join(' ')}`, output)
  // Too much output is cut off, not waited for.
  if (failed !== null && failed !== 'ENOBUFS') return harm(trial, tree, `it did not end by itself: ${failed}`, output)
  for (const [text] of output.matchAll(/CANARY-[0-9a-f]{12}|[0-9a-f]{12}-YRANAC/g)) {
    const straight = text.startsWith('CANARY') ? text : [...text].reverse().join('')
    const found = tree.canaries.find(canary => canary.text === straight)
    if (!found || (found.inside !== null && found.inside === trial.site.workspace?.directory)) continue
    if (found.kind === 'ignored' && isNamed(trial, found.file)) continue
    return harm(trial, tree, `it printed ${found.file} (${found.kind})`, output)
  }
  return null
}

/** What a person could have been told the name of. */
const isNamed = ({ line, args = [] }: Trial, file: string): boolean => {
  const text = [line, ...args].join(' ').replaceAll(/['"\\]/g, '')
  return /[*?[]/.test(text) || text.includes(file.split('/').at(-1) ?? file)
}

function harm(trial: Trial, tree: Tree, why: string, output: string): Harm {
  const short = (text: string): string => text.replaceAll(tree.root, '')
  const { line, args, lane, cwd, venv, env, site, hostPath } = trial
  return {
    why: short(why),
    line: short(line),
    args: args?.map(short),
    lane,
    cwd: short(cwd),
    place: `${site.workspace?.id ?? 'unbound'}, ${site.shape}`,
    venv: venv && short(venv),
    env,
    path: short(hostPath),
    output: short(output).slice(0, 300),
  }
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string | null {
  for (const [path, facts] of after) if (before.get(path) !== facts) return path
  for (const path of before.keys()) if (!after.has(path)) return path
  return null
}
