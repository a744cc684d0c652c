import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Made by the build beside what it lists: path below dist → SHA-256 in hex. */
const MANIFEST = 'manifest.json'

/** The directory of the program that runs: this is a part of it. */
export const ownBundle = (): string => __dirname

/**
 * Whether the installed program is what was built: whoever may write to it can make it approve at its next start. Null: it is.
 * Else in words, loud enough to be read. It finds who changed one of the files, not who replaced all of them.
 */
export function changedBundle(directory: string): string | null {
  const manifest = readFileOrNull(join(directory, MANIFEST))
  const what = manifest === null ? [`${MANIFEST} is missing`] : differences(directory, manifest)
  if (what.length === 0) return null
  return `This program is not what was built (${what.slice(0, MOST_NAMED).join(', ')}${what.length > MOST_NAMED ? ` and ${what.length - MOST_NAMED} more` : ''} in ${directory}). If you did not change it, do not use it: install it anew, or build it with "npm run build".`
}

const MOST_NAMED = 3
/** The page of the window. An image for containers has none: it was left out as a whole. */
const WINDOW = 'web'

function differences(directory: string, manifest: Buffer): string[] {
  let list: Record<string, unknown>
  try {
    list = JSON.parse(manifest.toString('utf8')) as Record<string, unknown>
  } catch {
    return [`${MANIFEST} is not JSON`]
  }
  const isHere = (file: string): boolean => !file.startsWith(`${WINDOW}/`) || existsSync(join(directory, WINDOW))
  const listed = Object.entries(list).filter(([file]) => isHere(file))
  return listed.flatMap(([file, hash]) => {
    const bytes = readFileOrNull(join(directory, file))
    if (bytes === null) return [`${file} is missing`]
    return createHash('sha256').update(bytes).digest('hex') === hash ? [] : [`${file} was changed`]
  })
}

function readFileOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null // not there, or not to be read: said as missing
  }
}
