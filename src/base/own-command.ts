import { realpathSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'

/** How this program was started, as far as it matters for starting it again. */
export interface OwnStart {
  readonly script: string | undefined
  readonly node: string
  readonly path: string
}

const NAME = 'interactive-terminal'

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
