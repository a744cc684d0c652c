import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = 'spawner'
const MANIFEST = 'manifest.json'

/**
 * The spawner that was built with the program in this directory, if it is still what was built (scripts/manifest.mjs). Else why
 * there is none; `changed`: somebody wrote to it, which is worth telling.
 */
export function spawnerProgram(
  directory: string,
): { readonly program: string } | { readonly why: string; readonly changed: boolean } {
  const program = join(directory, PROGRAM)
  try {
    const { [PROGRAM]: built } = JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8')) as Record<string, unknown>
    if (typeof built !== 'string') return { why: 'it was not built here', changed: false }
    const hash = createHash('sha256').update(readFileSync(program)).digest('hex')
    return hash === built ? { program } : { why: `${program} is not what was built`, changed: true }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    return { why: code === 'ENOENT' ? 'it is not there' : message, changed: false }
  }
}
