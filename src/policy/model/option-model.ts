/**
 * What a tool does with its options, as data. An option that runs a program, writes a file or loads code is a hazard: no
 * wildcard covers it, only a rule that spells the word out. In a closed model an option that is not listed is a hazard too,
 * which also catches abbreviations (`--outp` for `--output`).
 *
 * Option lists are one string: `-n= --lines= -q --color? -e:` — `=` takes a value, `?` takes one only when glued on, `:` takes
 * any text, also one that starts with a dash. After `=` a word with a dash is looked at as an option as well: versions differ.
 */
export interface Hazard {
  /** Index of the word in argv. */
  readonly at: number
  readonly why: string
  /** A choice is harmless once a rule spells it out: the subcommand, the package, the module. */
  readonly kind?: 'choice'
}

export interface Operand {
  readonly at: number
  readonly text: string
}

export interface OptionModel {
  /** Harmless options. */
  readonly options?: string
  /** Option list → what such an option does. */
  readonly hazards?: Readonly<Record<string, string>>
  /** Values that turn a harmless option into a hazard. */
  readonly values?: readonly { readonly of: string; readonly bad: RegExp; readonly why: string }[]
  /** `closed`: what is not listed is a hazard. `open`: only the listed hazards are. */
  readonly unlisted: 'closed' | 'open'
  /** `-5` as in `head -5`. */
  readonly digits?: 'allowed'
  /** `words`: `-name value` as in find and go; a bundle of letters is not a thing there. */
  readonly dashes?: 'letters' | 'words'
  /** `loose`: capitals and dashes inside a long name do not matter. */
  readonly spelling?: 'exact' | 'loose'
  /** `--pool.options.x` reaches into a configuration that may load code. */
  readonly dotted?: 'ask'
  /** Options end at the first operand, as with programs that pass the rest on. */
  readonly order?: 'mixed' | 'options_first'
  readonly operands?: (operands: readonly Operand[], seen: ReadonlySet<string>) => readonly Hazard[]
}

/** Looks at `argv` from `start` on. */
export type Inspector = (argv: readonly string[], start: number) => readonly Hazard[]

type OptionKind = 'flag' | 'value' | 'glued' | 'text'
interface KnownOption {
  readonly kind: OptionKind
  readonly why: string | null
}

export function inspectOptions(model: OptionModel): Inspector {
  let table: ReadonlyMap<string, KnownOption> | null = null
  return (argv, start) => {
    table ??= compile(model)
    return new Inspection(model, table, argv).run(start)
  }
}

function compile(model: OptionModel): Map<string, KnownOption> {
  const table = new Map<string, KnownOption>()
  const add = (list: string, why: string | null): void => {
    for (const item of list.split(/\s+/).filter(Boolean)) {
      const kind: OptionKind = KINDS[item.at(-1) ?? ''] ?? 'flag'
      table.set(spelled(kind === 'flag' ? item : item.slice(0, -1), model), { kind, why })
    }
  }
  add(model.options ?? '', null)
  for (const [list, why] of Object.entries(model.hazards ?? {})) add(list, why)
  return table
}

const KINDS: Readonly<Record<string, OptionKind>> = { '=': 'value', '?': 'glued', ':': 'text' }

/** Some tools take `--globalSetup` and `--global-setup` for the same. */
function spelled(name: string, model: OptionModel): string {
  return model.spelling === 'loose' && name.startsWith('--') ? `--${name.replaceAll('-', '').toLowerCase()}` : name
}

class Inspection {
  readonly #hazards: Hazard[] = []
  readonly #operands: Operand[] = []
  readonly #seen = new Set<string>()
  readonly #model: OptionModel
  readonly #table: ReadonlyMap<string, KnownOption>
  readonly #argv: readonly string[]

  constructor(model: OptionModel, table: ReadonlyMap<string, KnownOption>, argv: readonly string[]) {
    this.#model = model
    this.#table = table
    this.#argv = argv
  }

  run(start: number): readonly Hazard[] {
    let ended = false
    for (let at = start; at < this.#argv.length; at += 1) {
      const word = this.#argv[at] as string
      if (ended || !word.startsWith('-') || word === '-') {
        this.#operands.push({ at, text: word })
        if (this.#model.order === 'options_first') ended = true
      } else if (word === '--') ended = true
      else if (word.startsWith('--') || this.#model.dashes === 'words') at += this.#long(word, at)
      else at += this.#letters(word, at)
    }
    this.#hazards.push(...(this.#model.operands?.(this.#operands, this.#seen) ?? []))
    return this.#hazards
  }

  /** Returns how many of the next words belong to the option. */
  #long(word: string, at: number): number {
    const cut = word.indexOf('=')
    const name = cut < 0 ? word : word.slice(0, cut)
    const known = this.#table.get(spelled(name, this.#model)) ?? this.#otherDashes(name)
    if (!known) {
      this.#unlisted(name, at)
      return 0
    }
    return this.#take(name, known, { at, glued: cut < 0 ? null : word.slice(cut + 1) })
  }

  /** Go and its kin take `--name` and `-name` for the same option. */
  #otherDashes(name: string): KnownOption | undefined {
    if (this.#model.dashes !== 'words') return undefined
    return this.#table.get(name.startsWith('--') ? name.slice(1) : `-${name}`)
  }

  #letters(word: string, at: number): number {
    if (this.#model.digits === 'allowed' && /^-\d+$/.test(word)) return 0
    for (let i = 1; i < word.length; i += 1) {
      const name = `-${word[i]}`
      const known = this.#table.get(name)
      if (!known) {
        if (this.#model.unlisted === 'open') continue
        this.#hazards.push({ at, why: `the option ${name} is not one we know` })
        return 0
      }
      const rest = word.slice(i + 1)
      const skip = this.#take(name, known, { at, glued: known.kind !== 'flag' && rest !== '' ? rest : null })
      if (known.kind === 'value' || known.kind === 'text' || (known.kind === 'glued' && rest !== '')) return skip
    }
    return 0
  }

  #take(name: string, known: KnownOption, where: { at: number; glued: string | null }): number {
    this.#seen.add(name)
    if (known.why !== null) this.#hazards.push({ at: where.at, why: known.why })
    const separate = (known.kind === 'value' || known.kind === 'text') && where.glued === null
    const value = where.glued ?? (separate ? this.#argv[where.at + 1] : undefined)
    for (const rule of this.#model.values ?? [])
      if (value !== undefined && rule.of.split(' ').includes(name) && rule.bad.test(value))
        this.#hazards.push({ at: separate ? where.at + 1 : where.at, why: rule.why })
    const dashed = known.kind === 'value' && /^-[^\d\s]/.test(this.#argv[where.at + 1] ?? '')
    return separate && !dashed ? 1 : 0
  }

  #unlisted(name: string, at: number): void {
    if (this.#model.unlisted === 'closed') {
      this.#hazards.push({ at, why: `the option ${name} is not one we know` })
      return
    }
    if (this.#model.dotted === 'ask' && name.includes('.')) this.#hazards.push({ at, why: 'sets a nested option' })
    // Tools of the `-name value` kind take no abbreviations.
    if (this.#model.dashes === 'words') return
    const abbreviated = [...this.#table].find(
      ([option, known]) => known.why !== null && name.length > 2 && option.startsWith(spelled(name, this.#model)),
    )
    if (abbreviated) this.#hazards.push({ at, why: `it may stand for ${abbreviated[0]}: ${abbreviated[1].why}` })
    const checked = (this.#model.values ?? [])
      .flatMap(({ of }) => of.split(' '))
      .find(option => option.startsWith(name))
    if (checked !== undefined && name.length > 2)
      this.#hazards.push({ at, why: `it may stand for ${checked}, whose value is looked at` })
  }
}
