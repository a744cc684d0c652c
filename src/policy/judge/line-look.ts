import type { Reach } from '../../contract/wire/reach.ts'
import { catastrophe, catastropheAtEnds, catastropheOf } from '../destructive/catastrophe.ts'
import type { RoughCommand } from '../destructive/rough-command.ts'
import { roughScan } from '../destructive/rough-scan.ts'
import { grave, graveCommand } from '../effects/grave.ts'
import { reachesByWords } from '../effects/reaches.ts'
import type { GateCheck } from '../model/checks.ts'
import { type DisplayFlag, deception, displayFlags } from '../model/display-flags.ts'
import { Effort } from '../model/effort.ts'
import type { LineReading, SimpleCommand } from '../model/reading.ts'
import { powershellCatastrophe, powershellGrave, powershellLineCatastrophe } from '../rules/powershell-rules.ts'
import type { Facts } from '../rules/rules.ts'
import { bothEnds, type Line, shownText, wholeText } from './line.ts'
import { LONGEST_LINE, readLine } from './read-line.ts'

/** What the words of a line say by themselves, whatever the rules and the disk are. Nobody changes it: judgements share it. */
export interface LineLook {
  readonly text: string
  readonly flags: readonly DisplayFlag[]
  readonly reading: LineReading
  readonly commands: readonly SimpleCommand[]
  readonly scanned: readonly RoughCommand[]
  readonly destroyed: string | null
  /** What is left of the steps when it was looked for what destroys, and when it was looked for what is grave as well. */
  readonly effort: Effort
  readonly effortBehind: Effort
  /** The grave command among all of them. */
  readonly heavy: string | null
  /** What in it says something else to the eye than to a shell, or null; looked for once somebody asks. */
  readonly disguise: string | null
  /** null: whom it reaches is not known by its words alone. */
  readonly reaches: readonly Reach[] | null
}

export const isForWindows = ({ args, shell = 'bash' }: Line): boolean =>
  !args && (shell === 'powershell' || shell === 'cmd')

const MOST_KEPT = 64
const LONGEST_KEPT = 1024

/**
 * Looks at lines, and keeps what it made of the last short ones: agents send the same line again and again. Only what follows from
 * the words, the directory's name and the home's name is kept; what the disk or a rule says is asked every time.
 */
export class LineLooks {
  readonly #off: ReadonlySet<GateCheck>
  readonly #kept = new Map<string, LineLook>()

  constructor(off: ReadonlySet<GateCheck>) {
    this.#off = off
  }

  at(line: Line, home: Facts['home']): LineLook {
    const { command, args, cwd, shell } = line
    const key = command.length > LONGEST_KEPT ? null : JSON.stringify([command, args, cwd, shell, home])
    if (key === null || key.length > 2 * LONGEST_KEPT) return new Look(line, home, this.#off).all(null)
    const known = this.#kept.get(key)
    if (known) return known
    const look = new Look(line, home, this.#off).all('words')
    this.#kept.set(key, look)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    return look
  }
}

export const commandGrave = (line: Line, argv: readonly string[], effort: Effort): string | null =>
  (isForWindows(line) ? powershellGrave(argv, effort) : null) ?? graveCommand(argv, effort)

/** The grave command among these, as they were read and as the rough scan found them. */
export function heaviest(
  line: Line,
  commands: readonly Pick<SimpleCommand, 'argv'>[],
  scanned: readonly RoughCommand[],
  effort: Effort,
): string | null {
  for (const { argv } of commands) {
    const found = commandGrave(line, argv, effort)
    if (found || effort.spent) return found
  }
  return grave(scanned, effort)
}

/** The words of a line that no shell reads are scanned as they are. */
export const scannedOr = (scanned: readonly RoughCommand[], commands: readonly SimpleCommand[], line: Line) =>
  !isForWindows(line) && scanned.length > 0
    ? scanned
    : commands.map(({ argv }) => ({ argv, sinks: [], fed: [], pipedFrom: null }))

/** Quotes can part what a program gets in one piece, so its words are looked at as well as the line. */
function disguiseIn(commands: readonly SimpleCommand[]): string | null {
  for (const { argv } of commands) {
    const [command = '', ...args] = argv
    const found = deception(argv.join(' '), displayFlags(shownText({ command, args, cwd: '' })))
    if (found) return found
  }
  return null
}

class Look {
  readonly #line: Line
  readonly #off: ReadonlySet<GateCheck>
  readonly #reading: LineReading
  readonly #effort = new Effort()
  readonly #scanned: readonly RoughCommand[]

  constructor(line: Line, home: Facts['home'], off: ReadonlySet<GateCheck>) {
    this.#line = line
    this.#off = off
    this.#scanned = line.args ? [] : roughScan(bothEnds(line.command), this.#effort)
    this.#reading = readLine(line, home, off)
  }

  /** `reaches`: only worth it where it is kept. */
  all(reaches: 'words' | null): LineLook {
    const line = this.#line
    const reading = this.#reading
    const scanned = this.#scanned
    const commands = 'gaveUp' in reading ? reading.seen : reading.commands
    const destroyed = this.#catastrophe(commands)
    const effort = this.#effort.copy()
    const isLight = destroyed !== null || this.#off.has('grave')
    const heavy = isLight ? null : heaviest(line, commands, scanned, this.#effort)

    const text = wholeText(line)
    const flags = displayFlags(shownText(line).slice(0, LONGEST_LINE))
    let disguise: string | null | undefined
    return {
      text,
      flags,
      get disguise() {
        if (disguise === undefined) disguise = deception(text, flags) ?? (line.args ? null : disguiseIn(commands))
        return disguise
      },
      reading,
      commands,
      scanned,
      destroyed,
      effort,
      effortBehind: this.#effort,
      heavy,
      reaches: reaches === null ? null : reachesByWords(scannedOr(scanned, commands, line), line.cwd),
    }
  }

  #catastrophe(commands: readonly SimpleCommand[]): string | null {
    const { cwd, command } = this.#line
    const windows = isForWindows(this.#line)
    if (!this.#off.has('catastrophic_words'))
      for (const { argv } of commands) {
        const found =
          (windows ? powershellCatastrophe(argv, this.#effort) : null) ?? catastropheOf(argv, cwd, this.#effort)
        if (found) return found
        if (this.#effort.spent) break
      }
    if (this.#off.has('catastrophic_scan') || this.#line.args) return null
    const text = bothEnds(command)
    const found =
      (windows ? powershellLineCatastrophe(text, this.#effort) : null) ??
      catastrophe(text, cwd, { effort: this.#effort, scanned: this.#scanned })
    return found ?? (this.#effort.spent ? catastropheAtEnds(command, cwd) : null)
  }
}
