import { isAbsolute, relative, sep } from 'node:path'

export function isInside(directory: string, path: string): boolean {
  if (isPlain(directory) && isPlain(path))
    return path.startsWith(directory) && (path.length === directory.length || path[directory.length] === sep)
  const from = relative(directory, path)
  return from === '' || (!from.startsWith(`..${sep}`) && from !== '..' && !isAbsolute(from))
}

/** Absolute and without a name that `relative` would have to work out, as nearly all are that are asked about. */
const isPlain = (path: string): boolean => sep === '/' && path.startsWith('/') && !ODD.test(path)
const ODD = /\/\.{0,2}(?:\/|$)/
