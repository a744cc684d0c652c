import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import type { StandsFor } from '../contract/approver-frames.ts'
import { TermError } from '../contract/errors.ts'
import { standsFor } from './stands-for.ts'

/** A file that will be executed, pinned down so that a swap between judging and starting is noticed. */
export interface Executable {
  /** As it was found: some programs look at where they were called from. */
  readonly path: string
  /** The real file behind it. */
  readonly identity: string
}

/** Exactly what was judged and what will run. Nobody changes it; its hash stands for it. */
export interface Plan {
  readonly command: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly executable: Executable
  /** The programs a shell would start for it, as far as the line names them. */
  readonly alsoRuns: readonly Executable[]
  /** The commands of the line, word by word, and the scripts and targets their words stand for. */
  readonly commands: readonly (readonly string[])[]
  readonly standsFor: readonly StandsFor[]
  /** Whether its shell tells at the end where it stands, for the next run in the same terminal. */
  readonly carry: boolean
  readonly hash: string
}

export function makePlan(
  what: Pick<Plan, 'command' | 'argv' | 'cwd' | 'env'> & {
    readonly program: string
    readonly carry?: boolean
    readonly alsoRuns?: readonly string[]
    readonly commands?: Plan['commands']
  },
): Plan {
  const executable = pin(what.program)
  const alsoRuns = (what.alsoRuns ?? []).map(pin)
  const { command, argv, cwd, env, commands = [] } = what
  const read = standsFor(commands, cwd)
  const names = Object.keys(env).sort()
  const hash = createHash('sha256')
    .update(JSON.stringify([command, argv, cwd, names.map(name => [name, env[name]]), executable, alsoRuns, read]))
    .digest('hex')
  return Object.freeze({
    command,
    argv,
    cwd,
    env,
    executable,
    alsoRuns,
    carry: what.carry ?? false,
    commands,
    standsFor: read,
    hash,
  })
}

/** Whether the scripts it names still say what they said when it was judged. A program that changed is not asked about again: `recheck`. */
export function stillStands({ commands, cwd, standsFor: before, executable, alsoRuns }: Plan): boolean {
  const programs = [executable, ...alsoRuns].map(({ path }) => path)
  const read = (items: readonly StandsFor[]) => JSON.stringify(items.filter(({ path }) => !programs.includes(path)))
  return read(standsFor(commands, cwd)) === read(before)
}

/** Right before the start: still the same files in the same place? */
export function recheck(plan: Plan): void {
  for (const executable of [plan.executable, ...plan.alsoRuns])
    if (pinnedNow(executable.path) !== executable.identity)
      throw new TermError('PM_TERM_INTERNAL', 'The program changed after it was judged. Nothing ran.', {
        details: { executable: executable.path },
      })
}

function pinnedNow(path: string): string | null {
  try {
    return pin(path).identity
  } catch {
    return null // gone is changed, too
  }
}

function pin(program: string): Executable {
  const real = realpathSync.native(program)
  const { dev, ino, mtimeMs, size } = statSync(real)
  return { path: program, identity: `${real}:${dev}:${ino}:${mtimeMs}:${size}` }
}
