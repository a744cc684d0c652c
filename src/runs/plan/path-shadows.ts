import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { directoriesOf, programOn } from './program-on.ts'

/** What is in the directories of a PATH; without the system's own, which only its owner can write to and which come last. */
export type PathNames = ReadonlyMap<string, ReadonlySet<string>>

export interface SearchPath {
  readonly path: string
  readonly cwd: string
  readonly platform: NodeJS.Platform
}

const SYSTEM = ['/bin', '/sbin', '/usr/bin', '/usr/sbin']
const MOST_NAMES = 10_000

export function namesOn({ path, cwd }: SearchPath): PathNames {
  const directories = new Set(directoriesOf(path, cwd).filter(directory => !SYSTEM.includes(directory)))
  return new Map([...directories].map(directory => [directory, namesIn(directory)]))
}

/**
 * Programs that were put in front of others of the same name since `before`. Whatever is started may look for any name, also one
 * that is in no text anybody was shown.
 */
export function shadowsSince(
  before: PathNames,
  search: SearchPath,
): { readonly name: string; readonly says: string }[] {
  return [...namesOn(search)].flatMap(([directory, names]) => {
    const known = before.get(directory)
    const fresh = [...names].filter(name => known?.has(name) !== true)
    return fresh.flatMap(name => {
      const found = programOn(search.path, name, search.cwd, search.platform)
      if (found === null || dirname(found) !== directory) return []
      const behind = without(directory, search)
      const hidden = programOn(behind, name, search.cwd, search.platform)
      return hidden === null ? [] : [{ name, says: `${found} was put in front of ${hidden}.` }]
    })
  })
}

const without = (directory: string, { path, cwd, platform }: SearchPath): string =>
  directoriesOf(path, cwd)
    .filter(each => each !== directory)
    .join(platform === 'win32' ? ';' : ':')

function namesIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(directory).slice(0, MOST_NAMES))
  } catch {
    return new Set() // not there, or not ours to look into
  }
}
