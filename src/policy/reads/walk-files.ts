import { basename, dirname, join, relative, sep } from 'node:path'
import { isInside } from '../model/inside.ts'
import type { Facts } from '../rules/rules.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { isGitInside, isSecretPath, looksSecret } from './secret-files.ts'
import { isUtf8 } from './wildcard.ts'

/** How a tool goes through everything below a directory and prints what is in the files. */
export interface Below {
  readonly follows: boolean
  /** What it leaves out by itself; a file of a chosen type is opened although it is hidden. */
  readonly skips: 'nothing' | 'ignored_and_hidden_directories' | 'hidden_and_ignored'
  /** What it opens by its name is opened although it is hidden or ignored. */
  readonly namesOverrule: boolean
  /** Whether it opens a file of this name; `path`: the names down to it from where the command runs. */
  readonly opens: (name: string, path: readonly string[]) => boolean
  /** Whether it goes into a directory of this name. */
  readonly enters: (name: string) => boolean
}

const GITS = [
  'config',
  'config.worktree',
  'HEAD',
  'FETCH_HEAD',
  'COMMIT_EDITMSG',
  'index',
  'packed-refs',
  'a.pack',
  'x',
]
const MOST_ENTRIES = 20_000
const MOST_LOOKED_INTO = 400
/** Files of settings hold tokens; code is looked through by name only. */
const MAY_HOLD_SETTINGS = /^[^.]*$|\.(?:json|ya?ml|toml|ini|txt|conf|cfg|config|properties|xml|env|sh)$/i

/**
 * Why what lies below a real directory may not be printed unasked, or null. Every file that the tool would open has to be one
 * that a listing which leaves out what git ignores would show, and none may be secret.
 */
export function walkProblem(
  top: string,
  below: Below,
  facts: Facts,
  { workspace, cwd }: { readonly workspace: string; readonly cwd: string },
): string | null {
  return new Walk(below, facts, { workspace, cwd }).problem(top)
}

class Walk {
  readonly #below: Below
  readonly #facts: Facts
  readonly #workspace: string
  readonly #cwd: string
  #entries = 0
  #lookedInto = 0
  #top: readonly string[] = []

  constructor(below: Below, facts: Facts, { workspace, cwd }: { workspace: string; cwd: string }) {
    this.#below = below
    this.#facts = facts
    this.#workspace = workspace
    this.#cwd = cwd
  }

  problem(top: string): string | null {
    const listed = this.#facts.list(top)
    // A file is read as it is; what is not there is not read.
    if (listed === null) return null
    const rules = this.#rulesAbove(top)
    this.#top = top.split(sep)
    // Whoever ignores a directory ignores all below it, and nothing below can be taken out of that again.
    const ignored = this.#top.findIndex((_, i) => isIgnored(rules.all, this.#top.slice(0, i + 1), true))
    if (ignored >= 0)
      return `${this.#shown(this.#top.slice(0, ignored + 1).join(sep))} is ignored by git and may hold secrets`
    return this.#in(top, rules)
  }

  #in(directory: string, above: RulesHere): string | null {
    const listed = this.#facts.list(directory)
    if (listed === null) return `${this.#shown(directory)} cannot be looked through`
    this.#entries += listed.length
    if (this.#entries > MOST_ENTRIES) return 'there is more below it than can be looked through in time'
    const rules = this.#rulesIn(directory, above)
    for (const { name, kind } of listed) {
      const path = join(directory, name)
      const found = this.#entry(path, { name, kind, rules })
      if (found !== null) return found
    }
    return null
  }

  #entry(path: string, { name, kind, rules }: { name: string; kind: EntryKind; rules: RulesHere }): string | null {
    const { skips, follows, namesOverrule } = this.#below
    const ignored = isIgnored(rules.all, path.split(sep), kind === 'directory')
    const isLeftOut = skips !== 'nothing' && this.#isSurelyLeftOut(path, kind, rules)
    const below = relative(this.#cwd, path).split(sep)
    const isWanted = this.#below.opens(name, below)
    if (kind === 'directory') {
      if ((isLeftOut && !(namesOverrule && isWanted)) || !this.#below.enters(name)) return null
      // A search for `*.ts` opens nothing of it.
      if (name === '.git') return this.#opensGits(path, below) ? `${this.#shown(path)} is git’s own` : null
      if (ignored) return `${this.#shown(path)} is ignored by git, so nobody looks there`
      return this.#in(path, rules)
    }
    // A link to a directory is gone into whatever it is called: what is chosen by name is chosen in there.
    const isWay = kind === 'link' && follows && this.#mayLeadToDirectory(path) && this.#below.enters(name)
    if ((!isWanted && !isWay) || (isLeftOut && !namesOverrule)) return null
    if (kind === 'link' && !follows) return null
    if (!isUtf8(name)) return `${this.#shown(path)} has a name that cannot be looked up here`
    if (kind === 'link') return this.#link(path)
    if (kind === 'other') return null
    if (ignored) return `${this.#shown(path)} is ignored by git and may hold secrets`
    return this.#file(path)
  }

  /** Whether it opens any of git's own files. The names of objects say nothing, and there are too many of them. */
  #opensGits(directory: string, below: readonly string[]): boolean {
    const { opens, enters } = this.#below
    const listed = this.#facts.list(directory) ?? []
    this.#entries += listed.length
    return (
      this.#entries > MOST_ENTRIES ||
      GITS.some(name => opens(name, [...below, name])) ||
      listed.some(({ name, kind }) =>
        kind === 'directory'
          ? name !== 'objects' && enters(name) && this.#opensGits(join(directory, name), [...below, name])
          : opens(name, [...below, name]),
      )
    )
  }

  #link(path: string): string | null {
    const real = this.#facts.realPath(path, '')
    if (!isInside(this.#workspace, real)) return `${this.#shown(path)} leads outside the workspace`
    if (this.#facts.list(real) !== null) return `${this.#shown(path)} leads to another directory`
    if (isGitInside(relative(this.#workspace, real))) return `${this.#shown(path)} leads to git’s own files`
    if (this.#facts.ours.some(own => isInside(own, real))) return `${this.#shown(path)} leads to our own files`
    return this.#file(real)
  }

  #mayLeadToDirectory(path: string): boolean {
    return !isUtf8(path) || this.#facts.list(this.#facts.realPath(path, '')) !== null
  }

  #file(path: string): string | null {
    if (isSecretPath(relative(this.#workspace, path))) return `${this.#shown(path)} may hold secrets`
    if (!MAY_HOLD_SETTINGS.test(basename(path))) return null
    this.#lookedInto += 1
    if (this.#lookedInto > MOST_LOOKED_INTO) return 'there is more below it than can be looked through in time'
    return looksSecret(this.#facts.text(path) ?? '') ? `${this.#shown(path)} holds what looks like a key` : null
  }

  #shown(path: string): string {
    return relative(this.#workspace, path) || path
  }

  #rulesIn(directory: string, above: RulesHere): RulesHere {
    const isTop = this.#isThere(join(directory, '.git'))
    const own = [...(isTop ? [EXCLUDE] : []), '.gitignore'].flatMap(file => this.#rulesOf(directory, file))
    return {
      all: [...above.all, ...own],
      repository: isTop ? own : above.repository && [...above.repository, ...own],
      others: [...above.others, ...OTHER_FILES.flatMap(file => this.#rulesOf(directory, file))],
    }
  }

  /** Those of the directories above: git's up to the top of the repository; some tools go on to the root. */
  #rulesAbove(directory: string): RulesHere {
    const parent = dirname(directory)
    if (parent === directory) return NO_RULES
    const rules = this.#rulesIn(parent, this.#rulesAbove(parent))
    return this.#facts.text(join(directory, EXCLUDE)) === null ? rules : { ...NO_RULES, others: rules.others }
  }

  #rulesOf(directory: string, file: string): IgnoreRules[] {
    const text = this.#facts.text(join(directory, file))
    return text === null ? [] : [new IgnoreRules(text, directory.split(sep))]
  }

  /** Hidden or ignored, and no line anywhere that might say otherwise. */
  #isSurelyLeftOut(path: string, kind: EntryKind, { all, repository, others }: RulesHere): boolean {
    const names = path.split(sep)
    const isDirectory = kind === 'directory'
    if ([...all, ...others].some(rules => rules.mayKeep(names, isDirectory))) return false
    if (basename(path).startsWith('.') && (isDirectory || this.#below.skips === 'hidden_and_ignored')) return true
    return (repository ?? []).some(rules =>
      rules.surelyIgnores(names, isDirectory, rules.isIn(this.#top) ? 'all' : 'names'),
    )
  }

  #isThere(path: string): boolean {
    return this.#facts.list(path) !== null || this.#facts.text(path) !== null
  }
}

const EXCLUDE = join('.git', 'info', 'exclude')
/** What besides git's own files tells some tools what to leave out, and what not. */
const OTHER_FILES = ['.ignore', '.rgignore']

/** What is said about the files in a directory, outermost first. */
interface RulesHere {
  readonly all: readonly IgnoreRules[]
  /** Those of the repository it belongs to: what lies further out says nothing there. null: it belongs to none. */
  readonly repository: readonly IgnoreRules[] | null
  readonly others: readonly IgnoreRules[]
}

const NO_RULES: RulesHere = { all: [], repository: null, others: [] }

type EntryKind = NonNullable<ReturnType<Facts['list']>>[number]['kind']

/** The innermost file that says anything about it counts. */
function isIgnored(rules: readonly IgnoreRules[], path: readonly string[], isDirectory: boolean): boolean {
  for (const one of [...rules].reverse()) {
    const found = one.says(path, isDirectory, 'maybe')
    if (found !== null) return found
  }
  return false
}
