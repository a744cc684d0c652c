import { isAbsolute, relative, sep } from 'node:path'

export function isInside(directory: string, path: string): boolean {
  const from = relative(directory, path)
  return from === '' || (!from.startsWith(`..${sep}`) && from !== '..' && !isAbsolute(from))
}
