import type { Hazard, Operand } from '../model/option-model.ts'
import { leavesProject } from './project-paths.ts'

/** What tools that run a project's own code must not do with code from elsewhere. */
export const LOADS = 'loads code or configuration'
export const WRITES = 'writes files'
/** `@file` brings in more options. */
export const runsInside = (operands: readonly Operand[]): Hazard[] =>
  operands
    .filter(({ text }) => leavesProject(text) || text.startsWith('@'))
    .map(({ at }) => ({ at, why: 'brings in something from outside the project' }))
