import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const DIRECTORY = resolve(import.meta.dirname, '../../src/contract/examples')

/** The golden examples by name, without `.json`. */
export const EXAMPLES: ReadonlyMap<string, unknown> = new Map(
  readdirSync(DIRECTORY).map(file => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')),
  ]),
)

const ID = '0123456789abcdef0123456789abcdef'
const HASH = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'
const HOME = '/home/ann/shop'

/** An answer with everything that differs from run to run as the examples write it. */
export function asExample<T>(answer: T, work: string): T {
  const text = (words: string): string =>
    words
      .replaceAll(work, HOME)
      .replaceAll(/\b(req|trace|term|host|ses|ask|apr|srv)_[0-9a-f]{32}\b/g, `$1_${ID}`)
      .replaceAll(/\b[0-9a-f]{64}\b/g, HASH)
      // Where it is on the PATH; here it is started from its file.
      .replaceAll(/[^\s"]*node ("?)[^\s"]*\/interactive-terminal\.cjs\1/g, 'interactive-terminal')
      .replaceAll(/\/\S*\/state\/bridge\//g, '/run/interactive-terminal/')
      .replace(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
        (_, ms) => `2026-11-15T21:00:00${ms === undefined ? '' : '.000'}Z`,
      )
  const told = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(each => told('', each))
    if (value !== null && typeof value === 'object') return object(value as Record<string, unknown>)
    if (name === 'execution_time_ms') return 12
    if (name === 'last_input_s') return 3
    if (name === 'ms') return 30
    return value
  }
  const object = (fields: Record<string, unknown>): Record<string, unknown> => {
    const shown = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, told(name, value)]))
    // Answers leave it out where it was quick; on a busy machine little is.
    if (!('type' in fields)) delete shown.execution_time_ms
    // As long as the text is with the example's directory in it.
    if (typeof shown.stdout === 'string' && fields.cursor === Buffer.byteLength(String(fields.stdout)))
      shown.cursor = Buffer.byteLength(shown.stdout)
    return shown
  }
  return told('', answer) as T
}

/** The request of an example, for a place where its directory is another. */
export const requestOf = (name: string, work: string): Record<string, unknown> =>
  JSON.parse(JSON.stringify(EXAMPLES.get(`${name}.request`)).replaceAll(HOME, work)) as Record<string, unknown>
