import type { Reached } from '../../contract/wire/reach.ts'

export type ArgWords = readonly string[]

/** What a command does that a person should know before it runs. One row of the tables; examples are checked by a test. */
export interface EffectRow {
  readonly program: RegExp
  /** Which of its calls; all of them where nothing is said. */
  readonly when?: (words: ArgWords) => boolean
  /** Follows the name of the program in a sentence. */
  readonly does: string | ((words: ArgWords) => string)
  /** grave: hard to undo, so no rule covers it and approval takes a deliberate gesture. */
  readonly tier: 'none' | 'grave'
  readonly reaches?: Reached
  /** The words behind it may be another program's: a `--help` among them says nothing about this one. */
  readonly wraps?: true
  readonly examples: { readonly matches: readonly string[]; readonly spares: readonly string[] }
}

const ONLY_PRINTS = /^(--help|--version|-\?|\/\?|--dry-run(=.*)?)$/

/** What the row says of this call; null: it is not about it. */
export function effectOf(row: EffectRow, name: string, words: ArgWords): string | null {
  if (!row.program.test(name) || (!row.wraps && words.some(word => ONLY_PRINTS.test(word)))) return null
  if (row.when && !row.when(words)) return null
  return `${name} ${typeof row.does === 'string' ? row.does : row.does(words)}`
}

export const has = (pattern: RegExp) => (words: ArgWords) => words.some(word => pattern.test(word))
export const letters = (set: string): RegExp => new RegExp(`^-[a-zA-Z]*[${set}]`)

/** The plain words; `values` are options whose value is the next word. */
export function operandsOf(words: ArgWords, values = ''): string[] {
  const takesValue = new Set(values === '' ? [] : values.split(' '))
  const end = words.indexOf('--')
  return words.filter((word, i) => {
    if (end >= 0 && i >= end) return i > end
    return !word.startsWith('-') && !(i > 0 && takesValue.has(words[i - 1] as string))
  })
}

/** The first plain word, which is the command of programs that have several. */
export const first =
  (pattern: RegExp, values = '') =>
  (words: ArgWords) =>
    pattern.test(operandsOf(words, values)[0] ?? '')

/** The value of `-h x`, `-hx`, `--host x` or `--host=x`. */
export function optionValue(words: ArgWords, short: string, long: string): string | undefined {
  for (const [i, word] of words.entries()) {
    if (word === short || word === long) return words[i + 1]
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1)
    if (short !== '' && word.startsWith(short) && !word.startsWith('--') && word.length > short.length)
      return word.slice(short.length)
  }
  return undefined
}

const LONGEST_NAMED = 120
/** A word of the line in a sentence of ours: one that is no plain name is in quotes, which it cannot end. */
export const named = (word: string): string =>
  /^[\w.@:+/~-]+$/.test(word) && word.length <= LONGEST_NAMED
    ? word
    : JSON.stringify(word.length > LONGEST_NAMED ? `${word.slice(0, LONGEST_NAMED)}…` : word)

const MOST_NAMED = 3
/** `a, b, c and 2 more`; an empty list is named by what stands for it. */
export function listed(words: readonly string[], otherwise: string): string {
  const shown = words.slice(0, MOST_NAMED).map(named).join(', ')
  const more = words.length > MOST_NAMED ? ` and ${words.length - MOST_NAMED} more` : ''
  return shown === '' ? otherwise : `${shown}${more}`
}

const HERE = /^(?:localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal|\/.*)$/i
/** Whether a host name or an address stands for this machine; a socket does. */
export const isHere = (host: string): boolean => HERE.test(host)

/** `https://me:secret@db.example:5432/x` → `db.example` */
export const hostIn = (address: string): string | undefined =>
  /^[a-z][\w+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]]*\]|[^/:?#\s,]+)/i.exec(address)?.[1]
