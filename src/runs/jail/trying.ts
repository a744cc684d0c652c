import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../../base/atomic-file.ts'
import { textFrom } from '../output/output-text.ts'
import type { Jail, JailProgram } from './jail.ts'
import { jailedWords } from './jailed-words.ts'
import { type WantedOutside, wantedOutside } from './wanted-outside.ts'

/** What a plan would start. */
interface Starting {
  readonly executable: JailProgram
  readonly argv: readonly string[]
  readonly jail: Jail | null
}

/** The file and the words that a plan starts, the program's own name left out: its own, or those of the sandbox around them. */
export function startOf(
  { executable, argv, jail }: Starting,
  directory: string,
): { readonly executable: JailProgram; readonly args: readonly string[] } {
  const own = argv.slice(1)
  if (jail === null) return { executable, args: own }
  privateDirectory(directory)
  return { executable: jail.shell, args: jailedWords(jail, executable.path, own, statusFile(directory)) }
}

const statusFile = (directory: string): string => join(directory, 'sandbox-status')
const TAIL_BYTES = 64 * 1024

/** What it wanted and did not get; null: how it ended is its own doing. Bubblewrap says the exit code of what it really started. */
export function wantedBy(directory: string, size: number, exitCode: number | null): WantedOutside | null {
  const from = Math.max(0, size - TAIL_BYTES)
  const { stdout, stderr } = textFrom({ directory, size, over: true }, from, TAIL_BYTES)
  const said = `${stderr}\n${stdout}`
  if (takeStatus(directory).includes('"exit-code"')) return wantedOutside(said, { exitCode })
  const line = said.split(/\r?\n/).find(each => /^(?:bwrap|sandbox): /.test(each)) ?? 'bubblewrap did not say why'
  return { what: 'no_start', line: line.slice(0, 300) }
}

function takeStatus(directory: string): string {
  const file = statusFile(directory)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // it never came so far as to open it
  } finally {
    rmSync(file, { force: true })
  }
}

/** What it printed there is not what the command printed, should it run for real: kept beside, for the person. */
export function putTriedOutputAside(directory: string): void {
  const aside = join(directory, 'tried')
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(directory))
    if (/\.(?:log|idx)$|^times$/.test(name)) renameSync(join(directory, name), join(aside, name))
}
