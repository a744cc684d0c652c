import { printed } from './printed-text.ts'
import type { RoughCommand } from './rough-command.ts'

/** What a variable stands for, as far as a line says it. */
export type KnownVariable = readonly [name: string, values: readonly string[]]

export const WELL_KNOWN: readonly KnownVariable[] = [
  ['USER', ['user']],
  ['LOGNAME', ['user']],
  // A line of its own has no parameters.
  ['@', ['']],
  ['*', ['']],
]

/** Commands that give variables their values: loops, `printf -v`, `set --`, `read`. */
export function valuesGivenBy({ argv, fed, pipedFrom }: RoughCommand): KnownVariable[] {
  const [keyword = '', name, then, ...values] = argv
  if (name === undefined) return []
  if (/^(?:for|select)$/.test(keyword) && then === 'in') return [[name, values]]
  if (keyword === 'printf' && name === '-v' && then !== undefined) return [[then, [values.join(' ')]]]
  if (keyword === 'set' && name === '--') {
    const given = argv.slice(2, 12)
    return [...given.map((value, i): KnownVariable => [String(i + 1), [value]]), ['@', given], ['*', given]]
  }
  if (keyword === 'alias')
    return argv.slice(1, 12).flatMap(word => {
      const [, short, long = ''] = /^([\w.-]+)=(.+)$/s.exec(word) ?? []
      return short === undefined ? [] : [[`alias ${short}`, long.trim().split(/\s+/)] satisfies KnownVariable]
    })
  if (keyword !== 'read') return []
  const lister = /^(?:find|ls|fd)$/.test(pipedFrom?.argv[0] ?? '')
  const input = fed[0] ?? (lister ? pipedFrom?.argv[1] : pipedFrom ? printed(pipedFrom) : null)
  return typeof input === 'string' ? [[argv.at(-1) as string, [input]]] : []
}

const PARAMETER =
  /^\$(?:([A-Za-z_]\w*|[0-9@*])|\{([A-Za-z_]\w*|[0-9@*])(?:\[[@*\d]\])?([-:#%/^,@?+=](?:[^{}`$]|\$\w)*)?\})/
const STARTS_WITH_ROOT = /^(?:PATH|HOME|PWD|SHELL|BASH)$/

/** `$x` and `${x:-y}` at the beginning of a text: what they stand for, and what `${x:=y}` gives. */
export function parameterIn(
  text: string,
  known: ReadonlyMap<string, readonly string[]>,
): { text: string; values: readonly string[] | null; given: KnownVariable | null } | null {
  const found = PARAMETER.exec(text)
  if (!found) return null
  const [whole, plain, braced, change = ''] = found
  const name = plain ?? braced ?? ''
  const instead = /^:?[-=]["']?(.*?)["']?$/s.exec(change)?.[1]
  const values =
    known.get(name) ??
    (/^:0:1$/.test(change) && STARTS_WITH_ROOT.test(name) ? ['/'] : undefined) ??
    (instead !== undefined && !/^(?:HOME|PWD)$/.test(name) ? [instead] : null)
  return { text: whole, values, given: instead !== undefined && /^:?=/.test(change) ? [name, [instead]] : null }
}
