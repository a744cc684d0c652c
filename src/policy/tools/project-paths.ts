import type { Hazard, Operand } from '../model/option-model.ts'

/** Words that leave the directory a line runs in. For tools that run code, write, or take configuration from a path. */
export const leavesProject = (text: string): boolean =>
  /^[/~\\]|^[A-Za-z]:[\\/]|^file:/.test(text) || text.split(/[\\/]/).includes('..')

export const insideOnly =
  (why: string) =>
  (operands: readonly Operand[]): Hazard[] =>
    operands.filter(({ text }) => leavesProject(text)).map(({ at }) => ({ at, why }))
