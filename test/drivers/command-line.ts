import { spawn } from 'node:child_process'
import { type Place, PRODUCT } from './place.ts'

export interface Said {
  readonly code: number | null
  readonly out: string
}

const LONGEST_MS = 45_000

/** Runs the built command line to its end, without a terminal, as a script or an agent would. */
export function commandLine(
  place: Place,
  words: readonly string[],
  env: Record<string, string> = {},
  product = PRODUCT,
): Promise<Said> {
  return outcome(process.execPath, [product, ...words], place, env)
}

/** The same in a terminal, as a person would: `script` gives a command one of its own. */
export function typed(
  place: Place,
  words: readonly string[],
  env: Record<string, string> = {},
  product = PRODUCT,
): Promise<Said> {
  return outcome('/usr/bin/script', ['-qec', shellLine(words, product), '/dev/null'], place, env)
}

export const shellLine = (words: readonly string[], product = PRODUCT): string =>
  [process.execPath, product, ...words].map(quote).join(' ')

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

function outcome(command: string, args: string[], place: Place, env: Record<string, string>): Promise<Said> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: place.work, env: place.env(env), stdio: ['ignore', 'pipe', 'pipe'] })
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
    let out = ''
    const hear = (chunk: Buffer) => {
      out += chunk.toString('utf8')
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', reject)
    child.once('close', code => {
      clearTimeout(late)
      resolve({ code, out: out.replaceAll('\r', '') })
    })
  })
}
