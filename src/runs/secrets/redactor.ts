import { HintScanner } from './hint-scanner.ts'
import { type FoundSecret, privateKeysIn } from './private-keys.ts'
import { TOKEN_SHAPES, type TokenShape } from './token-shapes.ts'

export interface RedactorDeps {
  /** The person's setting. Our own secrets are taken out all the same. */
  readonly shapes: 'on' | 'off'
  /** Our own secrets, as they are now. */
  readonly own: () => readonly string[]
}

/** What is taken out of one answer, and how often. */
export interface Redaction {
  readonly taken: number
  find(text: string): FoundSecret[]
  /** So many were taken out by whoever asked `find`. */
  took(count: number): void
  text(text: string): string
  /** The lines of a text, or those of them that are shown; what is taken out of others is not counted. */
  lines(text: string, shown: (lines: string[]) => string[]): string[]
}

const SHORTEST_SECRET = 8
/** The longest beginning of a token at the end of a text. */
const LONGEST_OPEN = 16_384
const OWN = 'secret of interactive-terminal'
/** A ticket of the window: in memory only, so it is known by its shape. */
const TICKET = /tkt_[0-9a-f]{32}\.[0-9a-f]{64}/g

/** Takes secrets out of what an agent is given: our own, and what looks like a token. The person sees all. */
export class Redactor {
  readonly #deps: RedactorDeps

  constructor(deps: RedactorDeps) {
    this.#deps = deps
  }

  /** For one answer. */
  begin(): Redaction {
    let taken = 0
    return {
      get taken() {
        return taken
      },
      find: text => this.find(text),
      took: count => {
        taken += count
      },
      text: text => {
        const found = this.find(text)
        taken += found.length
        return found.length === 0 ? text : replaced(text, found)
      },
      lines: (text, shown) => {
        const found = this.find(text)
        const lines = shown(replaced(text, found).split('\n'))
        if (found.length > 0) taken += lines.join('\n').match(MARK)?.length ?? 0
        return lines
      },
    }
  }

  /** In order, none over another. */
  find(text: string): FoundSecret[] {
    if (text.length < SHORTEST_SECRET) return []
    const own = ownIn(text, this.#deps.own())
    const found = this.#deps.shapes === 'on' ? [...own, ...tokensIn(text), ...privateKeysIn(text)] : own
    return found.length < 2 ? found : apart(found)
  }
}

/** What stands in its place. */
export const markOf = ({ what }: Pick<FoundSecret, 'what'>): string => `[redacted: ${what}]`

const MARK = /\[redacted: [^\]\n]{1,60}\]/g

function replaced(text: string, found: readonly FoundSecret[]): string {
  let from = 0
  let kept = ''
  for (const secret of found) {
    kept += text.slice(from, secret.start) + markOf(secret)
    from = secret.end
  }
  return kept + text.slice(from)
}

function ownIn(text: string, secrets: readonly string[]): FoundSecret[] {
  const found: FoundSecret[] = []
  for (const secret of secrets)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
      found.push({ start: at, end: at + secret.length, what: OWN })
  if (text.includes('tkt_'))
    for (const { 0: ticket, index } of text.matchAll(TICKET))
      found.push({ start: index, end: index + ticket.length, what: OWN })
  return found
}

const SCANNER = new HintScanner(TOKEN_SHAPES.flatMap(shape => shape.hints.map(text => ({ text, of: shape }))))

function tokensIn(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  const elsewhere = new Set<TokenShape>()
  let past = 0
  SCANNER.scan(text, (shape, index) => {
    if (!shape.atHint) elsewhere.add(shape)
    // What begins inside of another one is part of it, and is not read again.
    else if (index >= past) {
      const [token] = tokenAt(shape, text, index)
      if (token === undefined) return
      found.push(token)
      past = token.end
    }
  })
  for (const { what, pattern } of elsewhere)
    for (const { 0: match, index, groups } of text.matchAll(pattern))
      found.push({ start: index + (groups?.keep?.length ?? 0), end: index + match.length, what })
  return found
}

function tokenAt({ what, pattern, open }: TokenShape, text: string, index: number): FoundSecret[] {
  const match = matchAt(pattern, text, index) ?? (open && isNearEnd(text, index) ? matchAt(open, text, index) : null)
  return match === null ? [] : [{ start: index, end: index + match.length, what }]
}

function matchAt(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? null
}

const isNearEnd = (text: string, index: number): boolean => text.length - index <= LONGEST_OPEN

/** Of two that overlap the first one counts, as far as both reach. */
function apart(found: readonly FoundSecret[]): FoundSecret[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const kept: FoundSecret[] = []
  for (const each of sorted) {
    const last = kept.at(-1)
    if (last === undefined || each.start >= last.end) kept.push(each)
    else if (each.end > last.end) kept[kept.length - 1] = { ...last, end: each.end }
  }
  return kept
}
