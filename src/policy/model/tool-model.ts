import { type Hazard, type Inspector, inspectOptions, type OptionModel } from './option-model.ts'

/** A tool the gate knows: what its words can do beyond what a wildcard may cover. */
export interface ToolModel {
  readonly inspect: Inspector
  /**
   * Where a shell wildcard may be: `anywhere` for tools no option of which does harm · `after_text` where the word
   * starts with plain text, so that no file name can turn into an option · `nowhere` where the number of operands matters.
   */
  readonly globs: 'anywhere' | 'after_text' | 'nowhere'
  /**
   * Whether any further words behind these stay with what these do: what `inspect` lets through then neither deletes nor
   * publishes nor leaves the project. Missing: nobody has looked, so no.
   */
  readonly mayEndOpen?: (words: readonly string[]) => boolean
}

export type ToolTable = Readonly<Record<string, ToolModel>>

/** One model for several programs. */
export function tools(names: string, model: ToolModel): ToolTable {
  return Object.fromEntries(names.split(' ').map(name => [name, model]))
}

export const harmless: ToolModel = { inspect: () => [], globs: 'anywhere' }

export function options(model: OptionModel, globs: ToolModel['globs'] = 'after_text'): ToolModel {
  return { inspect: inspectOptions(model), globs }
}

/** Every word a wildcard would have to cover is a hazard, but asking for help or the version is not. */
export function nothingButHelp(why: string): ToolModel {
  return {
    globs: 'nowhere',
    inspect: (argv, start) => {
      const words = argv.slice(start)
      if (words.length === 1 && HELP.test(words[0] as string)) return []
      return everyWord(argv, start, why)
    },
  }
}

export const HELP = /^(--version|--help)$/

/** Every word is a hazard, and so is leaving them out: then the program takes its orders from its input. */
export function everyWord(argv: readonly string[], start: number, why: string): Hazard[] {
  if (argv.length <= start) return [{ at: argv.length, why }]
  return argv.slice(start).map((_, i) => ({ at: start + i, why }))
}

/** Tools with subcommands: a wildcard right behind the program covers only the harmless ones. */
export function subcommands(spec: {
  /** Options before the subcommand. */
  readonly globals: OptionModel
  /** Subcommands a wildcard may choose by itself. */
  readonly free: string
  /** Subcommands that change something, but whatever follows them only in this project. */
  readonly stays?: string
  /** Whether a free subcommand keeps to the project although it hands its words on; without it every one does. */
  readonly handsOn?: (words: readonly string[]) => boolean
  /** What the options of a subcommand do. `words` may be two: `compose up`. */
  readonly models: Readonly<Record<string, OptionModel | Inspector>>
  /** For a subcommand without a model, once a rule has spelled it out. */
  readonly otherwise: OptionModel | Inspector
  readonly why: string
}): ToolModel {
  const free = new Set(spec.free.split('|'))
  const lists = Object.entries(spec.models).flatMap(([names, model]) => {
    const inspector = typeof model === 'function' ? model : inspectOptions(model)
    return names.split('|').map(name => [name, inspector] as const)
  })
  const models = new Map<string, Inspector>(lists)
  const otherwise = typeof spec.otherwise === 'function' ? spec.otherwise : inspectOptions(spec.otherwise)
  const globals = inspectOptions(spec.globals)
  const stays = new Set(spec.stays?.split('|'))

  const takesValue = new Set(
    `${spec.globals.options ?? ''} ${Object.keys(spec.globals.hazards ?? {}).join(' ')}`
      .split(' ')
      .filter(item => /[=:]$/.test(item))
      .map(item => item.slice(0, -1)),
  )

  const mayEndOpen = ([, name = '', next = '']: readonly string[]): boolean => {
    const kept = [name, `${name} ${next}`].some(chosen => free.has(chosen) || stays.has(chosen))
    return kept && (spec.handsOn?.([name, next]) ?? true)
  }

  return {
    globs: 'after_text',
    mayEndOpen,
    inspect: (argv, start) => {
      let at = start
      while (argv[at]?.startsWith('-')) at += takesValue.has(argv[at] as string) ? 2 : 1
      const hazards: Hazard[] = [...globals(argv.slice(0, Math.min(at, argv.length)), start)]

      const name = argv[at]
      if (name === undefined) return hazards
      const pair = `${name} ${argv[at + 1] ?? ''}`
      const chosen = models.has(pair) || free.has(pair) ? pair : name
      const last = chosen === pair ? at + 1 : at
      // `git remote update` is another thing than `git remote`, and a rule that spells out the first word alone does not mean it.
      if (!free.has(chosen)) hazards.push({ at: free.has(name) ? last : at, why: spec.why, kind: 'choice' })
      return [...hazards, ...(models.get(chosen) ?? otherwise)(argv, last + 1)]
    },
  }
}
