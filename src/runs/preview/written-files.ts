import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PreviewItem } from '../../contract/preview/preview-frames.ts'
import type { FileRedirection } from '../../policy/read/file-redirections.ts'
import { realPath } from '../facts/disk-facts.ts'
import { shortName, unknown } from './short-name.ts'

/** What a redirection makes of its file. */
export function redirectedFile({ operator, path, text }: FileRedirection, cwd: string | null): PreviewItem {
  const what = `the file behind ${operator} ${text}`
  if (path === null) return unknown(what, 'its name is known only when it runs')
  if (operator === '<>') return unknown(what, 'it is opened for reading and writing')
  if (cwd === null && !path.startsWith('/')) return unknown(what, 'the directory is known only when it runs')
  return writtenFile(path, cwd ?? '/', operator.endsWith('>>'))
}

/** The files that `tee` writes. */
export function teeFiles(words: readonly string[], cwd: string): PreviewItem[] {
  const appends = words.some(word => /^-[a-z]*a|^--append$/.test(word))
  return words.filter(word => !/^-./.test(word)).map(path => writtenFile(path, cwd, appends))
}

/** Nothing is opened: a named pipe would wait for its other end. */
function writtenFile(path: string, cwd: string, appends: boolean): PreviewItem {
  const real = realPath(path, realPath(cwd))
  const stat = look(real)
  const about = { about: 'writes', path: shortName(path) } as const
  if (stat === undefined)
    return { ...about, how: look(dirname(real))?.isDirectory() ? 'new' : 'no_directory', bytes: null }
  if (!stat.isFile()) return { ...about, how: 'no_file', bytes: null }
  return { ...about, how: appends ? 'appended' : 'overwritten', bytes: stat.size }
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // below a file, or not ours to look at
  }
}
