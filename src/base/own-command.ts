import { realpathSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'

/** How this program was started, as far as it matters for starting it again. */
export interface OwnStart {
  readonly script: string | undefined
  readonly node: string
  readonly path: string
}

const NAME = 'interactive-terminal'
const NPM_BIN = /[\\/]node_modules[\\/]\.bin[\\/]?$/

/** How a launched host ends when its lock or a port is held: whoever launched it may try again. EX_TEMPFAIL of sysexits.h. */
export const HELD_EXIT_CODE = 75

/**
 * What a person types to start this very program: its name where PATH finds it under that, else Node with the file. Anything else
 * (a test, a program that loads our code) gets the name: there is nothing better to say.
 */
export function ownCommand({ script, node, path }: OwnStart): string {
  if (script === undefined || !/^interactive-terminal(\.cjs)?$/.test(basename(script))) return NAME
  const us = realPathOf(script)
  if (us === null || us === onPath(NAME, path)) return NAME
  const runtime = onPath('node', path) === realPathOf(node) ? 'node' : quoted(node)
  return `${runtime} ${quoted(script)}`
}

/** npx unpacks a package for a call and may remove it at any time: what is written into a client's files must not point there. */
export const isShortLived = (script: string): boolean =>
  /[\\/]_npx[\\/][0-9a-f]+[\\/]/.test(realPathOf(script) ?? script)

let known: string | null = null

/** A command of ours as it can be typed on this machine: `toType('approve')`. */
export function toType(words = ''): string {
  known ??= ownCommand({ script: process.argv[1], node: process.execPath, path: process.env.PATH ?? '' })
  return words === '' ? known : `${known} ${words}`
}

/** A command of ours for another machine than this one: only the folder it was installed from is certain to have this. */
export const toTypeElsewhere = (words: string): string => `npm start -- ${words}`

function onPath(name: string, path: string): string | null {
  for (const directory of path.split(delimiter)) {
    // npx and `npm run` put this on the PATH of the one call: a person's own terminal does not have it.
    if (name === NAME && NPM_BIN.test(directory)) continue
    const found = directory === '' ? null : realPathOf(join(directory, name))
    if (found !== null) return found
  }
  return null
}

function realPathOf(file: string): string | null {
  try {
    return realpathSync.native(file)
  } catch {
    return null // it is not there
  }
}

const quoted = (path: string): string => (/^[\w./@%+=:,\\-]+$/.test(path) ? path : `"${path}"`)
