import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PreviewRequest } from '../../contract/preview/preview-frames.ts'
import { unwrap } from '../../policy/destructive/unwrap.ts'
import { Effort } from '../../policy/model/effort.ts'
import type { SimpleCommand } from '../../policy/model/reading.ts'
import { type FileRedirection, readOpenedFiles } from '../../policy/read/file-redirections.ts'
import { knownValues, MOVES } from '../../policy/read/line-variables.ts'
import { expandFrom } from '../facts/expand-globs.ts'

/** A command of the line where it would run, with every wildcard that could be expanded. */
export interface ReadCommand {
  readonly argv: readonly string[]
  readonly start: number
  /** null: it is known only when it runs. */
  readonly cwd: string | null
  readonly globs: readonly { readonly pattern: string; readonly names: readonly string[] | null }[]
}

export interface ReadLine {
  readonly commands: readonly ReadCommand[]
  /** Why the readers gave up; null: they did not. */
  readonly gaveUp: string | null
  readonly redirections: readonly FileRedirection[]
  readonly variables: readonly string[]
  /** Variables that the line itself gives a value. */
  readonly given: ReadonlySet<string>
}

const NOTHING = { redirections: [], variables: [], given: new Set<string>() }

/** The line as the gate's readers see it, and what it stands for on this disk. */
export function readLineNow({ command, args, shell, cwd, home, variables }: PreviewRequest): ReadLine {
  if (args !== null)
    return { ...NOTHING, commands: [{ argv: [command, ...args], start: 0, cwd, globs: [] }], gaveUp: null }
  if (shell !== 'bash' && shell !== 'sh' && shell !== 'zsh')
    return { ...NOTHING, commands: [], gaveUp: `words for ${shell}` }

  const set = Object.entries(variables).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  const values = new Map([...set, ...knownValues(cwd, home)])
  const read = readOpenedFiles(command, shell, values)
  const { reading, ...rest } = read
  if ('gaveUp' in reading) return { ...rest, commands: [], gaveUp: reading.gaveUp, given: new Set() }
  const places = placesOf(reading.commands, cwd)
  const commands = reading.commands.map((each, i) => expanded(each, places[i] ?? null))
  return { ...rest, commands, gaveUp: null, given: new Set(reading.commands.flatMap(({ given = [] }) => given)) }
}

/** Follows `cd` through a line, as far as it certainly leads somewhere. */
function placesOf(commands: readonly SimpleCommand[], cwd: string): (string | null)[] {
  let at: string | null = cwd
  return commands.map(({ argv, globs, joinedBy }, i) => {
    const here = at
    const [program = '', target = ''] = argv
    if (!MOVES.test(program)) return here
    const behind = commands[i + 1]?.joinedBy
    const isPlain = program === 'cd' && argv.length === 2 && globs.length === 0 && /^[^-~]/.test(target)
    const isSure = joinedBy !== '||' && joinedBy !== '|' && behind !== '||' && behind !== '|'
    at = here !== null && isPlain && isSure && isDirectory(resolve(here, target)) ? resolve(here, target) : null
    return here
  })
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function expanded({ argv, start, globs, patterns }: SimpleCommand, cwd: string | null): ReadCommand {
  if (globs.length === 0) return { argv, start, cwd, globs: [] }
  const found = globs.map((at, i) => {
    const pattern = patterns?.[i]
    const names = cwd === null || pattern === undefined ? null : expandFrom(pattern, cwd)
    return { at, pattern: argv[at] ?? '', names: names === null ? null : names.toSorted() }
  })
  const words = argv.flatMap((word, i) => {
    const names = found.find(({ at }) => at === i)?.names ?? []
    // A wildcard that nothing matches stays as it is written.
    return names.length === 0 ? [word] : names
  })
  return { argv: words, start, cwd, globs: found.map(({ pattern, names }) => ({ pattern, names })) }
}

/** What hands its words on as they are. */
const HANDS_ON = /^(?:sudo|doas|env|nice|nohup|time|timeout|command|builtin|exec|ionice|setsid|stdbuf)$/
const MOVES_ELSEWHERE = /^(?:-C|-D|-R|--chdir(?:=.*)?|--chroot(?:=.*)?)$/

/** The command behind `sudo`, `env` and the like; null: it is inside something that decides later what runs. */
export function behindWrappers(argv: readonly string[]): readonly string[] | null {
  const [program = '', ...words] = argv
  if (!HANDS_ON.test(program)) return argv
  const { commands, scripts } = unwrap(argv, new Effort())
  const inner = commands.filter(([name = '']) => !HANDS_ON.test(name))
  const [only, ...more] = inner
  if (only === undefined || more.length > 0 || scripts.length > 0) return null
  return words.slice(0, words.length - only.length).some(word => MOVES_ELSEWHERE.test(word)) ? null : only
}
