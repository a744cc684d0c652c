import { resolve } from 'node:path'
import type { Shell } from '../../policy/model/reading.ts'
import { isBuiltin } from '../../policy/tools/shell-builtins.ts'
import { programOn } from './program-on.ts'
import { wordsIn } from './words-in.ts'

/** Where a line looks for its programs. */
export interface Search {
  readonly path: string
  readonly cwd: string
  readonly home: string | undefined
  readonly shell: Shell
  readonly platform: NodeJS.Platform
}

export interface LinePrograms {
  /** Files it starts, in the order of the line. */
  readonly shown: readonly string[]
  /** What it starts and nobody can say yet which file that is: a variable, a name that is not there, whatever follows a new PATH. */
  readonly foundWhenRun: readonly string[]
  /** Every word of it that is the name of a program, wherever it is, and its file: a shell can be made to take just that. */
  readonly pins: readonly (readonly [name: string, file: string])[]
  /** Every word of it that could become one. */
  readonly words: readonly string[]
  /** Directories it goes to, as far as they are known. */
  readonly visits: readonly string[]
}

const MOST_WORDS = 400
const MOST_SHOWN = 64
const MOST_LATER = 256
const LONGEST_WORD = 80

/**
 * The programs that a line names in any part: read by the gate, or roughly where its reader gave up. `readings`: its commands, word
 * by word, one list for each reader; null: no shell reads it, its words are the program's.
 */
export function linePrograms(
  line: string | null,
  readings: readonly (readonly (readonly string[])[])[],
  search: Search,
): LinePrograms {
  const { path, cwd, platform } = search
  const commands = readings.flat()
  const own = ownNames(line ?? '', commands)

  // What comes first is looked up first: no filling in front of it can push it out.
  const first = commands.map(argv => argv[0] ?? '')
  const words = [...new Set([...first, ...commands.flat(), ...wordsIn(line ?? '')])].filter(word => BARE.test(word))
  const pins = words.slice(0, MOST_WORDS).flatMap(name => {
    const file = programOn(path, name, cwd, platform)
    return file === null ? [] : [[name, file] as const]
  })
  const byName = new Map(pins)

  const moves = line !== null && (MOVES_PATH.test(line) || commands.some(([first = '']) => MAY_MOVE_PATH.test(first)))

  const shown = new Set<string>()
  const later = new Set<string>()
  const visits = new Set<string>()
  for (const reading of readings) {
    const places = new Places(search)
    for (const argv of reading)
      for (const word of programWords(argv, byName)) {
        const place = places.at
        if (argv[0] === word) for (const to of places.follow(argv)) visits.add(to)
        if (word === '' || KEYWORDS.has(word) || own.has(word) || (line !== null && isShells(word, search.shell)))
          continue
        const file = word.includes('/') ? fileAt(word, place, search) : (byName.get(word) ?? null)
        if (file !== null && (word.includes('/') || !moves)) shown.add(file)
        else later.add(word.slice(0, LONGEST_WORD))
      }
  }

  return {
    shown: [...shown].slice(0, MOST_SHOWN),
    foundWhenRun: [...[...shown].slice(MOST_SHOWN), ...later].slice(0, MOST_LATER),
    pins,
    words: words.slice(0, MOST_WORDS),
    visits: [...visits].slice(0, MOST_SHOWN),
  }
}

const BARE = /^[A-Za-z0-9_][\w.+-]*$/

/** `PATH=`, `export PATH`, `unset PATH`, zsh's `path=(…)`; reading it changes nothing. */
const MOVES_PATH = /(?<![\w$]|\$\{)PATH\b|(?<![\w$])path\+?=|\bfish_add_path\b/
/** What these run may do the same. */
const MAY_MOVE_PATH = /^(source|\.|eval|hash|rehash|enable|alias)$/

const KEYWORDS = new Set(
  'if then else elif fi for foreach while until do done case esac in select function time coproc break continue return exit begin end and or not { } ! [[ ]] (( ))'.split(
    ' ',
  ),
)
const FISH = new Set(
  'set string math functions status abbr argparse count contains random builtin emit block'.split(' '),
)
const isShells = (word: string, shell: Shell): boolean =>
  shell === 'fish' ? FISH.has(word) || isBuiltin(word, 'bash') : isBuiltin(word, shell)

/** Functions and aliases that the line makes itself: their bodies are part of it. */
function ownNames(line: string, commands: readonly (readonly string[])[]): ReadonlySet<string> {
  const functions = [...line.matchAll(/(?:^|[\s;&|({])([\w.:-]+)\s*\(\s*\)|\bfunction\s+([\w.:-]+)/g)]
  const aliases = commands.flatMap(([first, ...words]) => (first === 'alias' ? words : []))
  return new Set([
    ...functions.map(([, one, other]) => one ?? other ?? ''),
    ...aliases.map(word => word.split('=')[0] ?? ''),
  ])
}

const RUNS_ANOTHER =
  /^(sudo|doas|env|nohup|time|timeout|nice|ionice|stdbuf|setsid|exec|command|builtin|xargs|watch|parallel|strace|chroot|unshare|flock|ssh-agent|script|unbuffer|catchsegv|taskset|chrt|numactl|systemd-run|runuser|setpriv|proxychains4?|entr|npx|bunx)$/

/** The words of a command in a program's place: the first, what `sudo` or `timeout 5` runs, what `find -exec` does. */
function programWords(argv: readonly string[], found: ReadonlyMap<string, string>): string[] {
  const words = [argv[0] ?? '']
  for (let at = 0; RUNS_ANOTHER.test(nameOf(argv[at] ?? '')); ) {
    // What is a program tells `sudo`'s options and their values from what it runs.
    const next = argv.findIndex((word, i) => i > at && (found.has(word) || isPath(word) || UNKNOWN.test(word)))
    if (next < 0) break
    words.push(argv[next] ?? '')
    at = next
  }
  const executed = argv.filter((_, i) => /^-(exec|execdir|ok|okdir)$/.test(argv[i - 1] ?? ''))
  return [...words, ...executed]
}

const nameOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1)
const isPath = (word: string): boolean => /^(\.{0,2}|~)\//.test(word)
const UNKNOWN = /^\$|^`/

/** The directory of a shell that goes along the line; null: nobody knows. */
class Places {
  at: string | null
  readonly #search: Search

  constructor(search: Search) {
    this.#search = search
    this.at = search.cwd
  }

  /** Goes along with a command; says which directories that leads to. */
  follow([first = '', ...words]: readonly string[]): string[] {
    if (first === 'popd') this.at = null
    if (first === 'cd' || first === 'pushd') {
      const to = words.find(word => !/^-./.test(word))
      this.at = to === undefined ? (this.#search.home ?? null) : this.#from(to)
      return this.at === null ? [] : [this.at]
    }
    // `make -C sub`, `git -C sub`, `npm --prefix sub`: only that program goes there.
    return words.flatMap((word, i) => {
      const [, joined] = /^(?:-C|--(?:directory|prefix|cwd|dir|chdir|work-tree)=)(.+)$/.exec(word) ?? []
      const apart = /^(-C|--directory|--prefix|--cwd|--dir|--chdir|--work-tree)$/.test(words[i - 1] ?? '')
        ? word
        : undefined
      return this.#from(joined ?? apart ?? '-') ?? []
    })
  }

  #from(word: string): string | null {
    const path = expanded(word, this.#search)
    return path === null || path === '-' || this.at === null ? null : resolve(this.at, path)
  }
}

/** Behind an unknown `cd` only what is named from the root is known. */
function fileAt(word: string, place: string | null, search: Search): string | null {
  const path = expanded(word, search)
  if (path === null || (place === null && !path.startsWith('/'))) return null
  return programOn('', path, place ?? '/', search.platform)
}

/** Without what only the shell can fill in; null: something is left. */
function expanded(word: string, { home, cwd }: Search): string | null {
  const path = word
    .replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home ?? '$HOME')
    .replace(/^(\$PWD|\$\{PWD\})(?=\/|$)/, () => cwd)
  return /[$`*?[\]{}…]|^~/.test(path) ? null : path
}
