import { constants } from 'node:os'
import { readLine } from '../../policy/judge/read-line.ts'
import type { Shell } from '../../policy/model/reading.ts'
import { EXIT_CODES } from './exit-codes.ts'

/** A line as it ran. `shell`: null where no shell was between. */
export interface EndedCommand {
  readonly command: string
  readonly args: readonly string[] | null
  readonly cwd: string
  readonly shell: Shell | null
}

/** What an exit code says, where that is certain: a code is that of the last command that ran, and some lines leave open which that was. */
export function exitMeaning(line: EndedCommand, code: number): string | null {
  if (code === 0) return null
  const argv = lastCommand(line)
  return (argv && meaningOf(argv, code)) ?? (line.shell === null ? null : shellMeaning(code))
}

/** The words of the command whose exit code is the line's; null where another one may have had the last word. */
export function lastCommand({ command, args, cwd, shell }: EndedCommand): readonly string[] | null {
  const reading = readLine({ command, args: args ?? undefined, cwd, shell: shell ?? 'bash' }, null, NOTHING_OFF)
  if ('gaveUp' in reading) return null
  const last = reading.commands.at(-1)
  // After a failed `a` of `a && b`, b never ran and the code is that of a.
  const isCertain = reading.commands.every(({ joinedBy }) => joinedBy !== '&&') && !reading.operators?.includes('&')
  return last && isCertain ? last.argv : null
}

const NOTHING_OFF: ReadonlySet<never> = new Set()

function meaningOf(argv: readonly string[], code: number): string | null {
  const [program = '', ...words] = argv
  const name = nameOf(program)
  const row = EXIT_CODES[name]?.find(
    ({ codes, sub, with: wanted, without }) =>
      codes[code] !== undefined &&
      (sub === undefined || sub.includes(subcommand(words))) &&
      (wanted === undefined || words.some(word => isOneOf(word, wanted))) &&
      !words.some(word => isOneOf(word, without ?? [])),
  )
  if (row) return row.codes[code] ?? null
  const inner = wrapped(name, words)
  return inner && meaningOf(inner, code)
}

/** `git -C there diff` is a diff. */
function subcommand([word = '', ...rest]: readonly string[]): string {
  if (word === '-C' || word === '-c') return subcommand(rest.slice(1))
  return word.startsWith('-') ? subcommand(rest) : word
}

/** `-nv` has -v in it. */
const isOneOf = (word: string, wanted: readonly string[]): boolean =>
  wanted.some(
    each =>
      word === each ||
      (each.startsWith('--') && word.startsWith(`${each}=`)) ||
      (/^-[A-Za-z]$/.test(each) && /^-[A-Za-z]+$/.test(word) && word.includes(each.slice(1))),
  )

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/i, '')

/** The command behind one that gives its exit code on; null: none, or options are in between. */
function wrapped(name: string, words: readonly string[]): readonly string[] | null {
  const rest =
    name === 'timeout'
      ? words.slice(1)
      : name === 'env'
        ? words.slice(words.findIndex(word => !/^[A-Za-z_]\w*=/.test(word)))
        : name === 'python' || name === 'python3'
          ? words[0] === '-m'
            ? words.slice(1)
            : []
          : PASSES_ON.has(name)
            ? words
            : []
  const first = rest[0]
  return first === undefined || first.startsWith('-') || words[0]?.startsWith('--') ? null : rest
}

const PASSES_ON = new Set(['command', 'exec', 'nice', 'nohup', 'npx', 'sudo', 'time', 'uv', 'setsid'])

function shellMeaning(code: number): string | null {
  if (code === 126) return 'the command was found but could not be run'
  if (code === 127) return 'the command was not found'
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return code > 128 && signal ? `128 + ${code - 128}: what a shell says of a command that ${signal[0]} ended` : null
}
