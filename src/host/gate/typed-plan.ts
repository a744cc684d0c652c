import { linePrograms } from '../../runs/plan/line-programs.ts'
import { makePlan, type Plan } from '../../runs/plan/plan.ts'
import type { ShellTerminal } from '../terminals/terminal.ts'
import type { EditorTab } from './prepared-request.ts'

interface TypedLine {
  readonly cwd: string
  readonly command: string
  readonly readings: readonly string[][][]
  readonly platform: NodeJS.Platform
}

/** Nothing is started for it: what runs is the shell that is there, and what it makes of the line. */
export const typedPlan = ({ shell }: Pick<ShellTerminal, 'shell'>, line: TypedLine): Plan =>
  makePlan({ ...planned(line), argv: [line.command], env: {}, program: shell?.program ?? '' })

/** The same in a terminal of the editor: it is for that one, and for what a new one is given. */
export const tabPlan = ({ id, program, opens }: EditorTab, line: TypedLine, given: Plan['env']): Plan =>
  makePlan({ ...planned(line), argv: [id, opens ? 'opens' : 'is open', line.command], env: given, program })

/** Its PATH, functions and aliases are its own: only what is named by its path is known beforehand. */
function planned({ cwd, command, readings, platform }: TypedLine) {
  const search = { path: '', cwd, home: undefined, shell: 'bash' as const, platform }
  const programs = { ...linePrograms(command, readings, search), pins: [], words: [] }
  return { command, cwd, commands: readings.flat(), programs, asked: true }
}
