/**
 * Takes words apart as GNU's getopt_long does: bundled letters, values glued on or in the next word, long names cut short as
 * long as they stay unique, operands and options in any order. What is not in the table is unknown, and then nothing is sure.
 *
 * A table is one string: `-n= --lines= -q --color?` — `=` takes a value, `?` only one that is glued on.
 */
export interface OptionTable {
  readonly options: string
  /** `-5` by itself, or bundled with letters as well: `-5e`. */
  readonly digits?: 'alone' | 'bundled'
  /** Options end at the first operand. */
  readonly optionsFirst?: boolean
  /** Long names are not cut short. */
  readonly exact?: boolean
  /** What a value glued to a letter may look like; everything, unless said. */
  readonly glued?: RegExp
  /** `-ps` is one option, not two letters. */
  readonly words?: boolean
}

export interface Words {
  /** As the table spells them: `--reg` is `--regexp`. */
  readonly options: readonly { readonly name: string; readonly value: string | null }[]
  readonly operands: readonly { readonly at: number; readonly text: string }[]
}

type OptionForm = 'flag' | 'value' | 'glued'

const compiled = new WeakMap<OptionTable, ReadonlyMap<string, OptionForm>>()

function kindsOf(table: OptionTable): ReadonlyMap<string, OptionForm> {
  const known = compiled.get(table)
  if (known) return known
  const kinds = new Map<string, OptionForm>()
  for (const item of table.options.split(/\s+/).filter(Boolean)) {
    const kind = item.endsWith('=') ? 'value' : item.endsWith('?') ? 'glued' : 'flag'
    kinds.set(kind === 'flag' ? item : item.slice(0, -1), kind)
  }
  compiled.set(table, kinds)
  return kinds
}

export function parseOptions(
  argv: readonly string[],
  start: number,
  table: OptionTable,
): Words | { readonly unknown: string } {
  const kinds = kindsOf(table)
  const options: { name: string; value: string | null }[] = []
  const operands: { at: number; text: string }[] = []
  let ended = false
  for (let at = start; at < argv.length; at += 1) {
    const word = argv[at] as string
    if (ended || word === '-' || !word.startsWith('-')) {
      operands.push({ at, text: word })
      if (table.optionsFirst) ended = true
    } else if (word === '--') ended = true
    else {
      const read = word.startsWith('--') ? longOption(word, kinds, table) : letters(word, kinds, table)
      if (read === null) return { unknown: word }
      options.push(...read.options)
      const last = options.at(-1)
      if (read.owed === null || !last) continue
      const value = argv[at + 1]
      if (value === undefined) return { unknown: word }
      last.value = value
      at += 1
    }
  }
  return { options, operands }
}

interface ReadWord {
  readonly options: { name: string; value: string | null }[]
  /** The value of the last one stands in the next word. */
  readonly owed: string | null
}

function longOption(word: string, kinds: ReadonlyMap<string, OptionForm>, table: OptionTable): ReadWord | null {
  const cut = word.indexOf('=')
  const typed = cut < 0 ? word : word.slice(0, cut)
  const name = kinds.has(typed) ? typed : table.exact ? null : onlyOne(typed, kinds)
  if (name === null) return null
  const kind = kinds.get(name)
  const value = cut < 0 ? null : word.slice(cut + 1)
  if (kind === 'flag' && value !== null) return null
  return { options: [{ name, value }], owed: kind === 'value' && value === null ? name : null }
}

function onlyOne(typed: string, kinds: ReadonlyMap<string, OptionForm>): string | null {
  const found = [...kinds.keys()].filter(name => name.startsWith(typed))
  return typed.length > 2 && found.length === 1 ? (found[0] ?? null) : null
}

function letters(word: string, kinds: ReadonlyMap<string, OptionForm>, table: OptionTable): ReadWord | null {
  const options: { name: string; value: string | null }[] = []
  if (table.digits === 'alone' && /^-\d+$/.test(word)) return { options, owed: null }
  const whole = table.words ? kinds.get(word) : undefined
  if (whole !== undefined) return { options: [{ name: word, value: null }], owed: whole === 'value' ? word : null }
  if (table.words && kinds.get(word.slice(0, 2)) === 'flag') return null
  for (let i = 1; i < word.length; i += 1) {
    const letter = word[i] as string
    if (table.digits === 'bundled' && /\d/.test(letter)) continue
    const name = `-${letter}`
    const kind = kinds.get(name)
    if (kind === undefined) return null
    if (kind === 'flag') {
      options.push({ name, value: null })
      continue
    }
    const rest = word.slice(i + 1)
    if (rest !== '' && table.glued?.test(rest) === false) return null
    options.push({ name, value: rest === '' ? null : rest })
    return { options, owed: kind === 'value' && rest === '' ? name : null }
  }
  return { options, owed: null }
}
