/** JSON with comments and trailing commas, read with the place of every value, so that a text can be changed and not rewritten. */
export interface JsonNode {
  readonly start: number
  readonly end: number
  readonly value: unknown
  /** An object's members, or null. */
  readonly members: readonly JsonMember[] | null
  /** An array's items, or null. */
  readonly items: readonly JsonNode[] | null
}

export interface JsonMember {
  readonly key: string
  readonly start: number
  readonly node: JsonNode
}

/** Why a text is not JSON, with the line. */
export class JsonProblem extends Error {
  constructor(text: string, at: number, what: string) {
    super(`line ${text.slice(0, at).split('\n').length}: ${what}`)
  }
}

const LITERALS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

export function readJson(text: string): JsonNode {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  const fail = (what: string): never => {
    throw new JsonProblem(text, at, what)
  }
  const skip = (): void => {
    at = skipComments(text, at)
  }

  function value(): JsonNode {
    skip()
    const start = at
    const next = text[at]
    if (next === '{') return object(start)
    if (next === '[') return array(start)
    if (next === '"') return { start, value: string(), end: at, members: null, items: null }
    const word = /^[-+.\w]+/.exec(text.slice(at, at + 64))?.[0] ?? ''
    if (word === '')
      return fail(
        at >= text.length ? 'the file ends too early' : `${JSON.stringify(next)} stands where a value belongs`,
      )
    at += word.length
    if (word in LITERALS) return { start, end: at, value: LITERALS[word], members: null, items: null }
    if (!/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(word)) return fail(`${word} is no value`)
    return { start, end: at, value: Number(word), members: null, items: null }
  }

  function string(): string {
    const found = /^"(?:[^"\\\n]|\\.)*"/.exec(text.slice(at))?.[0]
    if (found === undefined) return fail('a quote is not closed')
    at += found.length
    try {
      return JSON.parse(found) as string
    } catch {
      return fail(`${found} is no text`)
    }
  }

  /** Walks `open … , … close`; each turn reads one entry. */
  function walk(close: string, entry: () => void): void {
    at += 1
    for (;;) {
      skip()
      if (text[at] === close) break
      entry()
      skip()
      if (text[at] === ',') at += 1
      else if (text[at] !== close)
        fail(at >= text.length ? 'the file ends too early' : `a comma or ${close} is missing`)
    }
    at += 1
  }

  function object(start: number): JsonNode {
    const members: JsonMember[] = []
    walk('}', () => {
      const keyAt = at
      if (text[at] !== '"') fail(at >= text.length ? 'the file ends too early' : 'a name in quotes is missing')
      const key = string()
      skip()
      if (text[at] !== ':') fail(`":" is missing behind "${key}"`)
      at += 1
      members.push({ key, start: keyAt, node: value() })
    })
    const entries = members.map(({ key, node }) => [key, node.value] as const)
    return { start, end: at, value: Object.fromEntries(entries), members, items: null }
  }

  function array(start: number): JsonNode {
    const items: JsonNode[] = []
    walk(']', () => void items.push(value()))
    return { start, end: at, value: items.map(item => item.value), members: null, items }
  }

  const root = value()
  skip()
  if (at < text.length) fail('something stands behind the end')
  return root
}

/** The next place that is neither blank nor in a comment. */
export function skipComments(text: string, from: number): number {
  const found = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from))
  return from + (found?.[0].length ?? 0)
}
