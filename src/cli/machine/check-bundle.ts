import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'

/** Made by the build beside what it lists: path below dist → SHA-256 in hex. */
const MANIFEST = 'manifest.json'

/** The directory of the program that runs: this is a part of it. */
export const ownBundle = (): string => __dirname

/**
 * Whether the installed program is what was built: whoever may write to it can make it approve at its next start. Null: it is.
 * Else in words, loud enough to be read. It finds who changed one of the files, not who replaced all of them.
 */
export const changedBundle = (directory: string): string | null =>
  inWords(directory, [...differences(directory)].filter(isDifferent))

interface BundleReport {
  readonly clock: Clock
  readonly report: (message: string) => void
  /** How long nobody has called anything. */
  readonly quietMs: () => number
  readonly directory?: string
}

/**
 * The same once a server has started, piece by piece and while nobody calls anything. Whoever calls without a break is not waited
 * for any longer than LONGEST_UNREPORTED_MS.
 */
export function reportChangedBundle({ clock, report, quietMs, directory = ownBundle() }: BundleReport): void {
  const found: string[] = []
  const pieces = differences(directory)
  const until = clock.elapsed() + LONGEST_UNREPORTED_MS
  const next = () => {
    if (quietMs() < QUIET_MS && clock.elapsed() < until) {
      clock.after(QUIET_MS, next)
      return
    }
    const { done, value } = pieces.next()
    if (isDifferent(value)) found.push(value)
    if (!done) setImmediate(next)
    const changed = done ? inWords(directory, found) : null
    if (changed !== null) report(changed)
  }
  clock.after(QUIET_MS, next)
}

const QUIET_MS = 500
const LONGEST_UNREPORTED_MS = 10_000
/** A server that has looked at all of its files stays as small as it was. */
const READ_AT_ONCE = 64 * 1024
const MOST_NAMED = 3
/** The page of the window. An image for containers has none: it was left out as a whole, with what else only hosts use. */
const WINDOW = 'web'
const HOSTS_ONLY: ReadonlySet<string> = new Set([
  'preview.cjs',
  'pty-host.cjs',
  'gate-command.cjs',
  'interactive-terminal.1',
])

function inWords(directory: string, what: readonly string[]): string | null {
  if (what.length === 0) return null
  return `This program is not what was built (${what.slice(0, MOST_NAMED).join(', ')}${what.length > MOST_NAMED ? ` and ${what.length - MOST_NAMED} more` : ''} in ${directory}). If you did not change it, do not use it: install it anew, or build it with "npm run build".`
}

/** What is wrong with each file that is wrong, and null in between. */
function* differences(directory: string): Generator<string | null, undefined> {
  const manifest = readFileOrNull(join(directory, MANIFEST))
  if (manifest === null) {
    yield `${MANIFEST} is missing`
    return
  }
  let list: Record<string, unknown>
  try {
    list = JSON.parse(manifest.toString('utf8')) as Record<string, unknown>
  } catch {
    yield `${MANIFEST} is not JSON`
    return
  }

  const isHere = (file: string): boolean =>
    !(file.startsWith(`${WINDOW}/`) || HOSTS_ONLY.has(file)) || existsSync(join(directory, WINDOW))
  const buffer = Buffer.allocUnsafe(READ_AT_ONCE)
  for (const [file, hash] of Object.entries(list).filter(([file]) => isHere(file))) {
    const found = yield* hashOf(join(directory, file), buffer)
    if (found === null) yield `${file} is missing`
    else yield found === hash ? null : `${file} was changed`
  }
}

const isDifferent = (difference: string | null | undefined): difference is string => typeof difference === 'string'

/** With a break after each piece; null: there is no such file. */
function* hashOf(file: string, buffer: Buffer): Generator<null, string | null> {
  let fd: number | null = null
  try {
    fd = openSync(file, 'r')
    const hash = createHash('sha256')
    for (;;) {
      const size = readSync(fd, buffer, 0, buffer.length, null)
      if (size === 0) break
      hash.update(buffer.subarray(0, size))
      yield null
    }
    return hash.digest('hex')
  } catch {
    return null // not there, or not to be read: said as missing
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

function readFileOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null // not there, or not to be read: said as missing
  }
}
