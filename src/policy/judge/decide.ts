import { NO_RULE } from '../../contract/verdict-words.ts'
import type { Reach } from '../../contract/wire/reach.ts'
import { type Cheap, canBeMadeAgain, cheapCommands, wordsOf } from '../effects/made-again.ts'
import { reachesOf } from '../effects/reaches.ts'
import type { GateCheck } from '../model/checks.ts'
import type { Effort } from '../model/effort.ts'
import { byteOffsets, type LineReading, type Shell, type SimpleCommand } from '../model/reading.ts'
import { unsafeVariable } from '../model/request-env.ts'
import type { GateLane, Part, Tier, Verdict } from '../model/verdict.ts'
import {
  isGit,
  namesUs,
  type Place,
  programProblem,
  repositoryProblem,
  stateProblem,
  walkDirectories,
} from '../reads/context-checks.ts'
import type { Rules } from '../rules/rules.ts'
import type { Line } from './line.ts'
import { commandGrave, heaviest, isForWindows, type LineLook, LineLooks, scannedOr } from './line-look.ts'
import { type Coverage, coverage } from './match-rules.ts'

export { isInside } from '../model/inside.ts'

const MOST_WORDS = 4096
const ALWAYS = 'that always needs approval'

/**
 * The gate: may this line run without asking? Reads it as literal words, refuses what it does not fully understand,
 * and never guesses towards approval.
 */
export const decide = gateWithout([])

/** The gate with some checks taken out. For the test that proves each of them is needed; nothing else may call it. */
export function gateWithout(checks: readonly GateCheck[]): (line: Line, rules: Rules, lane: GateLane) => Verdict {
  const off = new Set(checks)
  const looks = new LineLooks(off)
  return (line, rules, lane) =>
    new LineJudge(line, rules, { lane, off, look: looks.at(line, rules.facts.home) }).verdict()
}

type BareVerdict = Omit<Verdict, 'reaches'>

class LineJudge {
  readonly #line: Line
  readonly #rules: Rules
  readonly #lane: GateLane
  readonly #off: ReadonlySet<GateCheck>
  readonly #shell: Shell | 'none'
  readonly #look: LineLook
  #effort: Effort

  constructor(line: Line, rules: Rules, how: { lane: GateLane; off: ReadonlySet<GateCheck>; look: LineLook }) {
    this.#line = line
    this.#rules = rules
    this.#lane = how.lane
    this.#off = how.off
    this.#shell = line.args ? 'none' : (line.shell ?? 'bash')
    this.#look = how.look
    this.#effort = how.look.effort.copy()
  }

  verdict(): Verdict {
    const { reading, commands } = this.#look
    return { ...this.#judge(reading, commands), reaches: this.#reaches(commands) }
  }

  #judge(reading: LineReading, commands: readonly SimpleCommand[]): BareVerdict {
    const { destroyed } = this.#look
    if (destroyed) return this.#answer('destructive', destroyed, { tier: 'catastrophic' })
    const cheap = this.#cheap(reading)
    const heavy = this.#on('grave') ? this.#grave(commands, cheap) : null
    if (heavy) return this.#ask(`${heavy}; ${ALWAYS}`, 'grave', this.#heavyParts(reading, cheap))
    if (this.#on('limits') && this.#effort.spent)
      return this.#ask('there is more in the line than can be looked through in time')
    if ('gaveUp' in reading) return this.#ask(`the line has ${reading.gaveUp}, which only a person can allow`)
    const obstacle = this.#lineObstacle(reading)
    if (cheap.size > 0) return this.#askCheap(obstacle, this.#heavyParts(reading, cheap))
    return obstacle ? this.#ask(obstacle) : this.#judgeParts(reading.commands)
  }

  get #onWindows(): boolean {
    return isForWindows(this.#line)
  }

  #on(check: GateCheck): boolean {
    return !this.#off.has(check)
  }

  #reaches(commands: readonly SimpleCommand[]): readonly Reach[] {
    const { cwd } = this.#line
    if (this.#look.reaches !== null) return this.#look.reaches
    const rules = this.#onWindows ? null : this.#rules
    return reachesOf(scannedOr(this.#look.scanned, commands, this.#line), { cwd, rules })
  }

  /** Only a line that was read to its end, and that shows what it is, has any. */
  #cheap(reading: LineReading): Cheap {
    if ('gaveUp' in reading || this.#onWindows) return new Map()
    const cheap = cheapCommands(reading.commands, this.#line.cwd, this.#rules)
    return cheap.size > 0 && this.#look.disguise !== null ? new Map() : cheap
  }

  #grave(commands: readonly SimpleCommand[], cheap: Cheap): string | null {
    if (cheap.size === 0) {
      this.#effort = this.#look.effortBehind.copy()
      return this.#look.heavy
    }
    const left = <Command extends { readonly argv: readonly string[] }>(all: readonly Command[]) =>
      all.filter(command => !cheap.has(wordsOf(command)))
    return heaviest(this.#line, left(commands), left(this.#look.scanned), this.#effort)
  }

  #graveCommand(argv: readonly string[]): string | null {
    return commandGrave(this.#line, argv, this.#effort)
  }

  /** The line part by part, with those that no rule covers named; undefined where only the raw text shows it. */
  #heavyParts(reading: LineReading, cheap: Cheap): readonly Part[] | undefined {
    if ('gaveUp' in reading) return undefined
    const parts = this.#judgeParts(reading.commands).parts.map(part => {
      const deleted = cheap.get(wordsOf(part))
      const why = deleted === undefined && part.argv ? this.#graveCommand(part.argv) : null
      if (deleted !== undefined) return { ...part, covered: false, rule: null, why: canBeMadeAgain(deleted) }
      return why ? { ...part, covered: false, rule: null, why: `${why}; ${ALWAYS}` } : part
    })
    return parts.some(part => !part.covered) ? parts : undefined
  }

  /** No rule covers it either: it needs approval each time, as any other command. */
  #askCheap(obstacle: string | null, parts: readonly Part[] = []): BareVerdict {
    const open = parts.find(({ covered }) => !covered)?.why ?? 'it deletes directories'
    return this.#ask(obstacle === null ? open : `${obstacle}; ${open}`, 'none', parts)
  }

  /** Reasons that concern the line as a whole. */
  #lineObstacle(reading: { commands: readonly SimpleCommand[]; operators?: readonly string[] }): string | null {
    if (this.#rules.autoApprove === 'never') return 'nothing runs unasked: PM_TERM_AUTO_APPROVE is never'
    const words = reading.commands.reduce((sum, { argv }) => sum + argv.length, 0)
    if (this.#on('limits') && words > MOST_WORDS) return `the line has more than ${MOST_WORDS} words`
    const disguise = this.#on('byte_filter') ? this.#look.disguise : null
    if (disguise) return `the line has ${disguise}`
    const { otherCharset } = this.#rules.facts
    if (this.#on('environment') && otherCharset !== null && /[^\x20-\x7e\t\n]/.test(this.#look.text))
      return `the line is not plain ASCII, and a shell here may read it otherwise (${otherCharset})`
    const variable = this.#on('environment') ? unsafeVariable(this.#line.env) : null
    if (variable) return `the request sets ${variable}, which only a person can allow`
    const operator = reading.operators?.[0] ?? (reading.commands.length > 1 ? 'a separator' : undefined)
    if (this.#on('headless_operators') && this.#lane === 'headless' && operator !== undefined)
      return `the headless lane takes no shell operators, and the line has ${operator === '\n' ? 'a line break' : operator}${withoutOperator(operator, reading.commands)}`
    return this.#on('shell_state') ? stateProblem(reading.commands, this.#shell) : null
  }

  #judgeParts(commands: readonly SimpleCommand[]): BareVerdict {
    const places = walkDirectories(commands, this.#line.cwd, this.#rules)
    const at = byteOffsets(this.#line.command)
    const parts = commands.map((command, i): Part => {
      const place = places[i] ?? { cwds: [this.#line.cwd], problem: null }
      const found = this.#partObstacle(command, place)
      const start = at(command.start)
      return {
        text: this.#line.command.slice(command.start, command.end),
        start,
        end: at(command.end),
        argv: command.argv,
        ...('rule' in found
          ? { covered: true, rule: found.rule.pattern.text, why: found.rule.why }
          : { covered: false, rule: null, why: found.why }),
      }
    })
    const open = parts.find(part => !part.covered)
    if (!open)
      return this.#answer('auto', parts.length === 1 ? (parts[0]?.why ?? '') : 'a rule covers each part', { parts })
    return this.#ask(parts.length === 1 ? open.why : `${open.argv?.[0]}: ${open.why}`, 'none', parts)
  }

  #partObstacle(command: SimpleCommand, place: Place): Coverage {
    const [program] = command.argv
    if (program === undefined || program === '') return { why: 'there is no command' }
    if (this.#on('own_files') && place.cwds.some(cwd => namesUs(command.argv, cwd, this.#rules)))
      return { why: 'the line names our own files or program' }
    const checks = { optionModels: this.#on('option_models'), globs: this.#on('globs') }
    const answers = place.cwds.map(cwd => coverage({ command, shell: this.#shell, cwd }, this.#rules, checks))
    const found = answers.find(answer => 'why' in answer) ?? answers[0] ?? { why: NO_RULE }
    if ('why' in found) return found
    if (this.#on('directory') && place.problem) return { why: place.problem }
    const problem = this.#on('programs')
      ? programProblem(program, { shell: this.#shell, lane: this.#lane }, this.#rules)
      : null
    if (problem) return { why: problem }
    const hostile =
      this.#on('repository') && isGit(program) ? repositoryProblem(command.argv, place.cwds, this.#rules) : null
    return hostile ? { why: hostile } : found
  }

  /** Fewer rights win. Headless has nobody to ask, so a question becomes a refusal there. */
  #ask(why: string, tier: Tier = 'none', parts?: readonly Part[]): BareVerdict {
    return this.#answer(this.#lane === 'interactive' ? 'approval' : 'blocked', why, {
      tier,
      ...(parts ? { parts } : {}),
    })
  }

  #answer(verdict: Verdict['verdict'], why: string, more: { tier?: Tier; parts?: readonly Part[] }): BareVerdict {
    const { command, args } = this.#line
    const whole: Part = {
      text: command,
      start: 0,
      end: Buffer.byteLength(command),
      argv: args ? [command, ...args] : null,
      covered: false,
      rule: null,
      why,
    }
    return { verdict, why, parts: more.parts ?? [whole], flags: this.#look.flags, tier: more.tier ?? 'none' }
  }
}

/** What a field of the request does as well. */
function withoutOperator(operator: string, [first]: readonly SimpleCommand[]): string {
  if (operator.endsWith('=')) return '; the field env sets variables'
  return first?.argv[0] === 'cd' ? '; the field cwd does what cd does' : ''
}
