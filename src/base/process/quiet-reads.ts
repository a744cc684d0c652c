import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** For what may be gone meanwhile, was never there, or is not ours to look at: then there is nothing in it. */
export function textIn(file: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  try {
    return readFileSync(file, encoding)
  } catch {
    return '' // see above
  }
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // see above
  }
}

export function linkIn(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // see above
  }
}
