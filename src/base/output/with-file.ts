import { closeSync, openSync } from 'node:fs'

/** Reads in a file as long as `use` runs; null: it is not there, not yet or not any more. */
export function withFile<T>(path: string, use: (fd: number) => T): T | null {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return null // dropped for the quota, or not written yet
  }
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}
