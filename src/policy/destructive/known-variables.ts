import { printed } from './printed-text.ts'
import type { RoughCommand } from './rough-command.ts'

/** What a variable stands for, as far as a line says it. */
export type Known = readonly [name: string, values: readonly string[]]

export const WELL_KNOWN: readonly Known[] = [
  ['USER', ['user']],
  ['LOGNAME', ['user']],
  // A line of its own has no parameters.
  ['@', ['']],
  ['*', ['']],
]

/** Commands that give variables their values: loops, `printf -v`, `set --`, `read`. */
export function valuesGivenBy({ argv, fed, pipedFrom }: RoughCommand): Known[] {
  const [keyword = '', name, then, ...values] = argv
  if (name === undefined) return []
  if (/^(?:for|select)$/.test(keyword) && then === 'in') return [[name, values]]
  if (keyword === 'printf' && name === '-v' && then !== undefined) return [[then, [values.join(' ')]]]
  if (keyword === 'set' && name === '--') {
    const given = argv.slice(2, 12)
    return [...given.map((value, i): Known => [String(i + 1), [value]]), ['@', given], ['*', given]]
  }
  if (keyword !== 'read') return []
  const lister = /^(?:find|ls|fd)$/.test(pipedFrom?.argv[0] ?? '')
  const input = fed[0] ?? (lister ? pipedFrom?.argv[1] : pipedFrom ? printed(pipedFrom) : null)
  return typeof input === 'string' ? [[argv.at(-1) as string, [input]]] : []
}
