import { lstatSync, readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SimpleCommand } from '../../policy/model/reading.ts'
import { readBash } from '../../policy/read/bash-reader.ts'
import { knownValues } from '../../policy/read/line-variables.ts'
import { isUtf8 } from '../../policy/reads/wildcard.ts'
import { globName, Unfaithful } from './glob-name.ts'

const MOST_FOUND = 4096
const MOST_LOOKED_AT = 100_000

/**
 * The words of a simple command with its wildcards expanded as bash does it by default: hidden files only where the dot is
 * spelled out, names in the order of their bytes, and a wildcard that nothing matches stays as it is. Null: there are none.
 * What shells do differently, or what could be read as an option, is a problem: then nothing may run.
 */
export function expandGlobs(
  line: string,
  cwd: string,
  home: string | null = null,
): { readonly argv: string[] } | { readonly problem: string } | null {
  if (!WILDCARD.test(line)) return null
  const reading = readBash(line, 'bash', { values: knownValues(cwd, home) })
  const [command, ...more] = 'gaveUp' in reading ? [] : reading.commands
  if (command === undefined || more.length > 0 || command.globs.length === 0) return null
  let word = ''
  try {
    const argv = command.argv.flatMap((text, i) => {
      word = text
      const pattern = patternOf(command, i)
      return pattern === null ? [text] : found(pattern, text, cwd)
    })
    return { argv }
  } catch (cause) {
    if (cause instanceof Unfaithful) return { problem: `${word} cannot be expanded as a shell would: ${cause.message}` }
    throw cause
  }
}

/** What a variable stands for brings none: unquoted its value is one word of plain letters, or the line is not read. */
const WILDCARD = /[*?[]/

/** What one wildcard stands for, seen from a directory; null: nobody can say what a shell would make of it. */
export function expandFrom(pattern: string, cwd: string): readonly string[] | null {
  try {
    const names = expand(pattern, cwd)
    return names.some(name => name.startsWith('-')) ? null : names
  } catch (cause) {
    if (cause instanceof Unfaithful) return null
    throw cause
  }
}

const patternOf = ({ globs, patterns }: SimpleCommand, i: number): string | null => {
  const at = globs.indexOf(i)
  return at < 0 ? null : (patterns?.[at] ?? null)
}

function found(pattern: string, text: string, cwd: string): string[] {
  const names = expand(pattern, cwd)
  if (names.length === 0) return [text]
  const option = names.find(name => name.startsWith('-'))
  if (option !== undefined) throw new Unfaithful(`the file ${option} looks like an option`)
  return names.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
}

function expand(pattern: string, cwd: string): string[] {
  const parts = pattern.split('/')
  let looked = 0
  let found = ['']
  parts.forEach((part, i) => {
    const last = i === parts.length - 1
    if (part === '') {
      if (i === 0) found = ['/']
      else if (!last) throw new Unfaithful('it has an empty name between two slashes')
      return
    }
    const name = globName(part)
    found = found.flatMap(before => {
      if (name.literal !== null) {
        if (!last) return [`${before}${name.literal}/`]
        return isThere(resolve(cwd, before + name.literal)) ? [before + name.literal] : []
      }

      const entries = namesIn(resolve(cwd, before))
      looked += entries.length
      if (looked > MOST_LOOKED_AT) throw new Unfaithful('there are too many files')
      // Neither how many characters a shell takes it for nor where it leads can be told by what is left of its name.
      if (!entries.every(isUtf8)) throw new Unfaithful('it may stand for a file whose name is not UTF-8')
      const fitting = entries.filter(entry => name.matches(entry)).map(entry => before + entry)
      return last ? fitting : fitting.filter(each => isDirectory(resolve(cwd, each))).map(each => `${each}/`)
    })
    if (found.length > MOST_FOUND) throw new Unfaithful(`it stands for more than ${MOST_FOUND} files`)
  })
  return found.filter(each => each !== '' && (!each.endsWith('/') || isDirectory(resolve(cwd, each))))
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // what cannot be read has no names in it, for a shell either
  }
}

const isThere = (path: string): boolean => safely(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined)

const isDirectory = (path: string): boolean =>
  safely(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)

/** Too long, below a file, a circle of links: what cannot be looked at is not there. */
function safely(look: () => boolean): boolean {
  try {
    return look()
  } catch {
    return false
  }
}
