import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package brings one for each kind of processor it was built for. */
export const spawnerName = (arch: string): string => `spawner-${arch}`
const MANIFEST = 'manifest.json'

/**
 * The spawner that was built with the program in this directory, if it is still what was built (scripts/manifest.mjs). Else why
 * there is none; `changed`: somebody wrote to it, which is worth telling.
 */
export function spawnerProgram(
  directory: string,
  arch: string = process.arch,
): { readonly program: string } | { readonly why: string; readonly changed: boolean } {
  const name = spawnerName(arch)
  const program = join(directory, name)
  try {
    const { [name]: built } = JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8')) as Record<string, unknown>
    if (typeof built !== 'string') return { why: 'it was not built here', changed: false }
    const hash = createHash('sha256').update(readFileSync(program)).digest('hex')
    return hash === built ? { program } : { why: `${program} is not what was built`, changed: true }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    return { why: code === 'ENOENT' ? 'it is not there' : message, changed: false }
  }
}
