import { posix } from 'node:path'
import { isBeyondProject } from '../../contract/verdict-words.ts'
import type { Reach } from '../../contract/wire/reach.ts'
import type { RoughCommand } from '../destructive/rough-command.ts'
import { roughScan } from '../destructive/rough-scan.ts'
import { isShell, programName, unwrap } from '../destructive/unwrap.ts'
import { Effort } from '../model/effort.ts'
import type { Rules } from '../rules/rules.ts'
import { named } from './effect-row.ts'
import { EFFECTS, effectsOf } from './effects.ts'
import { projectAt, writtenAt } from './outside-project.ts'
import { isReadSecret, secretsRead } from './secrets-read.ts'
import { type WriteTarget, writeTargets } from './write-targets.ts'

const REACHING = EFFECTS.filter(({ reaches }) => reaches !== undefined)
/** What runs behind these has files of its own. */
const ELSEWHERE = /^(?:ssh|mosh|docker|podman|nerdctl|kubectl|oc|vagrant|multipass|lxc|adb|wsl|chroot|nsenter)$/
/** What they are fed with are statements, as well as their words. */
const READS_STATEMENTS = /^(?:psql|mysql|mariadb|sqlite3|duckdb|mongosh?|sqlcmd|clickhouse-client)$/
const CHANGES_DIRECTORY = /^(?:cd|pushd|popd|chdir|set-location)$/i
const DEEPEST = 3
const MOST = 8
const MOST_PATHS = 3

/**
 * What a line does in its project and whom it reaches beyond it, for the person who decides: marks, which no verdict depends on. Works on the
 * words behind every wrapper and in every script, as the grave commands are found. Without `rules` no file is looked up.
 */
export function reachesOf(
  scanned: readonly RoughCommand[],
  { cwd, rules }: { readonly cwd: string; readonly rules: Rules | null },
): Reach[] {
  const look = new ReachLook(cwd, rules)
  look.at(scanned, cwd, 0)
  return look.found()
}

/** The same where no file has to be looked up for it; null: the disk has to be asked. */
export function reachesByWords(scanned: readonly RoughCommand[], cwd: string): Reach[] | null {
  const look = new ReachLook(cwd, null)
  look.at(scanned, cwd, 0)
  return look.names ? null : look.found()
}

class ReachLook {
  // Its own: however much there is to mark, the verdict has been found with all of its steps.
  readonly #effort = new Effort()
  readonly #rules: Rules | null
  readonly #cwd: string
  /** Looked for only where something is written. */
  #project: string | null | undefined
  readonly #marks = new Map<string, Reach>()
  readonly #outside = new Set<string>()
  readonly #inside = new Set<string>()
  readonly #secrets = new Set<string>()
  /** It names files that it writes. */
  names = false

  constructor(cwd: string, rules: Rules | null) {
    this.#rules = rules
    this.#cwd = cwd
  }

  at(commands: readonly RoughCommand[], from: string | null, depth: number): void {
    let cwd = from
    for (const command of commands) {
      if (this.#effort.spent) return
      this.#command(command, cwd, depth)
      const [program = '', target = ''] = command.argv
      if (CHANGES_DIRECTORY.test(program))
        cwd = cwd === null || !/^[^-$~`][^$`*?]*$/.test(target) ? null : posix.resolve(cwd, target)
    }
  }

  found(): Reach[] {
    const marks = farthestFirst([...this.#marks.values()])
    const files: Reach[] = [
      ...pathsMark('secrets', 'reads what may hold secrets:', this.#secrets),
      ...pathsMark('outside_project', 'writes outside the project:', this.#outside),
      ...pathsMark('writes', 'writes', this.#inside),
    ]
    return farthestFirst([...marks.slice(0, MOST), ...files])
  }

  #command({ argv, sinks, sources = [], fed }: RoughCommand, cwd: string | null, depth: number): void {
    const { commands, scripts } = unwrap(argv, this.#effort)
    for (const words of commands)
      this.#mark(READS_STATEMENTS.test(programName(words[0] ?? '')) ? [...words, ...fed] : words)
    for (const path of [...secretsRead(commands), ...sources.filter(isReadSecret)]) this.#secrets.add(path)
    const staysHere = !commands.some(([program = '']) => ELSEWHERE.test(programName(program)))
    const targets = staysHere ? commands.flatMap(words => writeTargets(words)) : []
    this.#writes([...targets, ...sinks.map(path => ({ path, changes: 'content' as const }))], cwd)
    const texts = commands.some(([program = '']) => isShell(program)) ? [...scripts, ...fed] : scripts
    if (depth < DEEPEST && staysHere) for (const text of texts) this.at(roughScan(text, this.#effort), cwd, depth + 1)
    else if (depth < DEEPEST) for (const text of texts) this.#there(text)
  }

  #writes(targets: readonly WriteTarget[], cwd: string | null): void {
    this.names ||= targets.length > 0
    if (targets.length === 0 || !this.#rules) return
    if (this.#project === undefined) this.#project = projectAt(this.#cwd, this.#rules)
    for (const target of targets) {
      const place = writtenAt(target, { cwd, project: this.#project, facts: this.#rules.facts })
      if (place?.isOutside) this.#outside.add(place.path)
      // What is deleted or moved in the project is said by its own words.
      else if (place && target.changes === 'content') this.#inside.add(place.path)
    }
  }

  /** What a line does on another machine: whom it reaches there counts, the names of its files do not. */
  #there(text: string): void {
    for (const { argv } of roughScan(text, this.#effort))
      for (const words of unwrap(argv, this.#effort).commands) this.#mark(words)
  }

  /** Of each kind the first row that fits: the most telling ones come first. */
  #mark(argv: readonly string[]): void {
    const seen = new Set<string>()
    for (const { row, words } of effectsOf(argv, REACHING)) {
      if (row.reaches === undefined || seen.has(row.reaches)) continue
      seen.add(row.reaches)
      this.#marks.set(words, { what: row.reaches, words })
    }
  }
}

const farthestFirst = (marks: readonly Reach[]): Reach[] =>
  [...marks].sort((a, b) => Number(isBeyondProject(b)) - Number(isBeyondProject(a)))

function pathsMark(what: Reach['what'], words: string, all: ReadonlySet<string>): Reach[] {
  const paths = [...all]
  if (paths.length === 0) return []
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : ''
  return [{ what, words: `${words} ${paths.slice(0, MOST_PATHS).map(named).join(', ')}${more}` }]
}
