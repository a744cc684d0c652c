import { relative } from 'node:path'
import { isInside } from '../model/inside.ts'
import type { PlacedCommand } from '../model/reading.ts'
import type { Rules } from '../rules/rules.ts'
import type { Read } from './read.ts'
import { readsOf } from './reads-of.ts'
import { isGitInside, isSecretPath, looksSecret } from './secret-files.ts'
import { walkProblem } from './walk-files.ts'

/**
 * Why a command that only reads may not run unasked, or null: every file that it would read is looked up on the disk, links
 * followed and wildcards expanded, and has to lie inside the workspace and outside what is secret or ours.
 */
export function readProblem(call: PlacedCommand, argv: readonly string[], rules: Rules): string | null {
  const { joinedBy } = call.command
  const inputs = (call.command.inputs ?? []).map((path): Read => ({ path, at: null, prints: 'content', below: null }))
  const named = readsOf(argv, inputs.length > 0 || joinedBy === '|' || joinedBy === '|&')
  if ('problem' in named) return named.problem
  const reads = [...inputs, ...named]
  const shift = call.command.argv.length - argv.length
  const spelled = new Set(reads.map(({ at }) => (at === null ? null : at + shift)))
  const staysOne = (at: number): boolean => {
    const found = spelledOut(call, at, rules)
    return found?.length === 1 && found[0] === call.command.argv[at]
  }
  const moved = call.command.globs.find(at => !spelled.has(at) && !staysOne(at))
  // One word that becomes several moves all behind it: a pattern becomes a file.
  if (moved !== undefined) return `${call.command.argv[moved]} may stand for several words`
  // What reads nothing but its input is as harmless anywhere.
  if (reads.length === 0) return null

  const place = placeProblem(call.cwd, rules)
  if (place !== null) return place
  const here = rules.facts.realPath(call.cwd, '')
  // Some tools look at what their input is: from a directory nothing can be read, and so they search where they are.
  const odd = inputs.find(({ path }) => rules.facts.list(rules.facts.realPath(path, here)) !== null)
  if (odd) return `${odd.path} is a directory`

  for (const read of reads) {
    const paths = read.at === null ? [read.path] : spelledOut(call, read.at + shift, rules)
    if (paths === null) return `what ${read.path} stands for cannot be told here`
    for (const path of paths) {
      const problem = pathProblem(path, read, call.cwd, rules)
      if (problem !== null) return problem
    }
  }
  return null
}

/** Why nothing of the person's may be read unasked from this directory. */
export function placeProblem(cwd: string, { workspace, facts }: Rules): string | null {
  if (!workspace) return `this directory (${cwd}) is not in a trusted folder`
  return isInside(workspace.directory, facts.realPath(cwd, ''))
    ? null
    : `this directory (${cwd}) is outside the trusted folder ${workspace.directory}`
}

/** What a word stands for once the shell has expanded its wildcards; null: nobody can tell. */
export function spelledOut({ command, cwd }: PlacedCommand, at: number, { facts }: Rules): readonly string[] | null {
  const word = command.argv[at] ?? ''
  const glob = command.globs.indexOf(at)
  if (glob < 0) return [word]
  const found = facts.expand(command.patterns?.[glob] ?? word, facts.realPath(cwd, ''))
  // A wildcard that nothing matches stays as it is.
  return found === null ? null : found.length === 0 ? [word] : found
}

function pathProblem(path: string, read: Read, cwd: string, { workspace, facts }: Rules): string | null {
  const real = facts.realPath(path, facts.realPath(cwd, ''))
  const directory = workspace?.directory ?? cwd
  if (!isInside(directory, real)) return `${path} is outside the workspace`
  if (facts.ours.some(own => isInside(own, real))) return `${path} is ours`
  const within = relative(directory, real)
  if (isSecretPath(within) || isSecretPath(path)) return `${path} may hold secrets`
  if (read.prints === 'names') return null
  if (isGitInside(within)) return `${path} is git’s own and may hold secrets`
  if (facts.list(real) === null)
    return looksSecret(facts.text(real) ?? '') ? `${path} holds what looks like a key` : null
  if (read.below === null) return null
  if (facts.ours.some(own => isInside(real, own))) return `our own files lie below ${path}`
  return walkProblem(real, read.below, facts, { workspace: directory, cwd: facts.realPath(cwd, '') })
}
