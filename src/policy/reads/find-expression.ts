import { FIND_VALUES } from '../tools/find-model.ts'
import { isPlain, nameMatches } from './wildcard.ts'

/** What `find` looks at; `below`: any of the files below a directory, by its path. */
export interface Found {
  readonly name: string | null
  /** As find prints it; null: not known. */
  readonly path: string | null
  readonly kind: 'file' | 'directory' | 'link' | 'other' | 'below'
}

/** What a part of the expression may come to for one file. */
interface Outcome {
  readonly yes: boolean
  readonly no: boolean
  /** Whether its action may run. */
  readonly runs: boolean
  /** Whether `-prune` certainly runs. */
  readonly prunes: boolean
}

type Part = (found: Found) => Outcome

const MAYBE: Outcome = { yes: true, no: true, runs: false, prunes: false }
const YES: Outcome = { ...MAYBE, no: false }
const surely = (is: boolean): Outcome => ({ ...MAYBE, yes: is, no: !is })
const GLOBAL = /^-(?:maxdepth|mindepth|depth|d|mount|xdev|daystart|noleaf|warn|nowarn|true|print|print0|ls|printf)$/
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/**
 * An expression of find, as far as it tells for which files an action may run: what is not known may be so or not. null: it
 * cannot be read. `action`: the words that count as one.
 */
export function readExpression(words: readonly string[], action: RegExp): { part: Part; acts: boolean } | null {
  const reader = new ExpressionReader(words, action)
  try {
    return { part: reader.read(), acts: reader.acts }
  } catch {
    return null
  }
}

class ExpressionReader {
  readonly #words: readonly string[]
  readonly #action: RegExp
  /** With these a directory is not left out although it is pruned. */
  readonly #mayPrune: boolean
  /** Whether there is such an action in it. */
  acts = false
  #at = 0

  constructor(words: readonly string[], action: RegExp) {
    this.#words = words
    this.#action = action
    this.#mayPrune = !words.some(word => /^-(?:depth|d|delete|mindepth)$/.test(word))
  }

  read(): Part {
    if (this.#words.length === 0) return () => YES
    const all = this.#list()
    if (this.#at < this.#words.length) throw new SyntaxError('more than an expression')
    return all
  }

  #list(): Part {
    const first = this.#either()
    if (!this.#takes(/^,$/)) return first
    const rest = this.#list()
    return found => {
      const [a, b] = [first(found), rest(found)]
      return { ...b, runs: a.runs || b.runs, prunes: a.prunes || b.prunes }
    }
  }

  #either(): Part {
    const first = this.#both()
    if (!this.#takes(/^-(?:o|or)$/)) return first
    const rest = this.#either()
    return found => {
      const [a, b] = [first(found), rest(found)]
      return {
        yes: a.yes || b.yes,
        no: a.no && b.no,
        runs: a.runs || (a.no && b.runs),
        prunes: a.prunes || (!a.yes && b.prunes),
      }
    }
  }

  #both(): Part {
    const first = this.#one()
    this.#takes(/^-(?:a|and)$/)
    const next = this.#words[this.#at]
    if (next === undefined || /^(?:,|\)|-o|-or)$/.test(next)) return first
    const rest = this.#both()
    return found => {
      const [a, b] = [first(found), rest(found)]
      return {
        yes: a.yes && b.yes,
        no: a.no || b.no,
        runs: a.runs || (a.yes && b.runs),
        prunes: a.prunes || (!a.no && b.prunes),
      }
    }
  }

  #one(): Part {
    if (this.#takes(/^(?:!|-not)$/)) {
      const inner = this.#one()
      return found => {
        const { yes, no, ...rest } = inner(found)
        return { yes: no, no: yes, ...rest }
      }
    }
    if (this.#takes(/^\($/)) {
      const inner = this.#list()
      if (!this.#takes(/^\)$/)) throw new SyntaxError('an open parenthesis')
      return inner
    }
    const word = this.#words[this.#at++]
    if (word === undefined || !word.startsWith('-')) throw new SyntaxError('no test')
    const value = FIND_VALUES.has(word) ? this.#words[this.#at++] : ''
    if (value === undefined) throw new SyntaxError('no value')
    return this.#test(word, value)
  }

  #test(word: string, value: string): Part {
    if (this.#action.test(word)) {
      this.acts = true
      return () => ({ ...MAYBE, runs: true })
    }
    if (word === '-prune') return () => ({ ...YES, prunes: this.#mayPrune })
    if (GLOBAL.test(word)) return () => YES
    if (word === '-type') return ({ kind }) => typeIs(value, kind)
    const [, anyCase, on] = /^-(i)?(name|path|wholename)$/.exec(word) ?? []
    if (on === undefined) return () => MAYBE
    return ({ name, path, kind }) => textIs(value, on === 'name' ? name : path, { anyCase: anyCase === 'i', kind })
  }

  #takes(wanted: RegExp): boolean {
    const word = this.#words[this.#at]
    if (word === undefined || !wanted.test(word)) return false
    this.#at += 1
    return true
  }
}

function typeIs(letters: string, kind: Found['kind']): Outcome {
  const letter = kind === 'file' ? 'f' : kind === 'directory' ? 'd' : kind === 'link' ? 'l' : null
  return letter !== null && /^[a-z](?:,[a-z])*$/.test(letters) ? surely(letters.includes(letter)) : MAYBE
}

/** To find a slash is a letter like any other, and so is a dot in front. */
function textIs(
  glob: string,
  text: string | null,
  { anyCase, kind }: { readonly anyCase: boolean; readonly kind: Found['kind'] },
): Outcome {
  if (text === null || !isPlain(glob) || !isAscii(glob) || !isAscii(text)) return MAYBE
  const [wanted, is] = anyCase ? [glob.toLowerCase(), text.toLowerCase()] : [glob, text]
  if (kind !== 'below') return surely(nameMatches(wanted, is))
  return wanted.endsWith('*') && nameMatches(wanted, `${is}/`) ? YES : MAYBE
}
