import { isPlainObject } from '../../contract/tool/coupling.ts'
import type { NextCall } from '../../contract/tool/response.ts'

const MADE = /^(?:req|term)_[0-9a-f]{32}$/
const SHORT = /^(?:req|term)_[0-9a-f]{8}$/
const SHORT_CHARS = 'req_'.length + 8
/** As many answers as a long conversation has; who comes back to an older one is looked up. */
const MOST_REMEMBERED = 4096

/**
 * An id that we made is 128 random bits, twenty tokens of a model's. The text of an answer has its first eight digits, and a
 * request may name the run or terminal by them. They stand for exactly one of the caller's, or for none.
 */
export class ShortIds {
  readonly #full = new Map<string, string>()

  /** The short form of an id, from now on taken for it; an id of the caller's own stays as it is. */
  of(id: string): string {
    if (!MADE.test(id)) return id
    const short = id.startsWith('req') ? id.slice(0, SHORT_CHARS) : id.slice(0, SHORT_CHARS + 1)
    const known = this.#full.get(short)
    if (known === undefined) this.#remember(short, id)
    return known === undefined || known === id ? short : id
  }

  /** The request with whole ids. `known`: the runs and terminals that the caller may name, asked for only where it is needed. */
  spelledOut(payload: unknown, known: () => Promise<readonly string[]>): unknown | Promise<unknown> {
    if (!isPlainObject(payload)) return payload
    const short = idsIn(payload).filter(id => SHORT.test(id))
    if (short.length === 0) return payload
    const whole = () => withIds(payload, id => this.#full.get(id) ?? id)
    const missing = short.filter(id => !this.#full.has(id))
    if (missing.length === 0) return whole()
    return known().then(ids => {
      this.#lookUp(missing, ids)
      return whole()
    })
  }

  /** A ready-made call as a model reads it. */
  call(next: NextCall): NextCall {
    return { ...next, arguments: withIds(next.arguments, id => this.of(id)) }
  }

  #lookUp(missing: readonly string[], known: readonly string[]): void {
    for (const short of missing) {
      const fitting = [...new Set(known)].filter(id => MADE.test(id) && id.startsWith(short))
      // Two that begin alike: the caller has to say which, with the whole id.
      if (fitting.length === 1) this.#remember(short, fitting[0] as string)
    }
  }

  #remember(short: string, id: string): void {
    this.#full.set(short, id)
    if (this.#full.size <= MOST_REMEMBERED) return
    const [oldest] = this.#full.keys()
    this.#full.delete(oldest as string)
  }
}

type Payload = Readonly<Record<string, unknown>>
const FIELDS: ReadonlySet<string> = new Set(['session_id', 'session_ids', 'terminal_id', 'rerun_of'])
const GROUPS: ReadonlySet<string> = new Set(['target', 'execution'])

const idsIn = (payload: Payload): string[] =>
  Object.entries(payload).flatMap(([name, value]) => {
    if (FIELDS.has(name)) return [value].flat().filter(each => typeof each === 'string')
    return GROUPS.has(name) && isPlainObject(value) ? idsIn(value) : []
  })

function withIds(payload: Payload, spell: (id: string) => string): Record<string, unknown> {
  const spelled = (value: unknown): unknown =>
    typeof value === 'string' ? spell(value) : Array.isArray(value) ? value.map(spelled) : value
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      if (FIELDS.has(name)) return [name, spelled(value)]
      return [name, GROUPS.has(name) && isPlainObject(value) ? withIds(value, spell) : value]
    }),
  )
}
