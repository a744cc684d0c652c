import { relative } from 'node:path'
import { isInside } from '../model/inside.ts'
import type { Rules } from '../rules/rules.ts'
import { isSecretPath, typicalSecrets } from './secret-files.ts'
import { nameMatches } from './wildcard.ts'

/** Words of a tool whose operands are not only paths: whatever of them could be one lies inside and is nothing secret. */
export function wordsProblem(words: readonly string[], cwd: string, { workspace, facts }: Rules): string | null {
  const directory = workspace?.directory ?? cwd
  for (const word of words) {
    // A pathspec of git with magic in it (`:(top).env`) names files in a way of its own; `:!lock` only leaves some out.
    if (word.startsWith(':') && !/^:(?:\d+$|[!^]|\(exclude\))/.test(word)) return `${word} may hold secrets`
    for (const value of pathsIn(word)) {
      const path = facts.realPath(value, facts.realPath(cwd, ''))
      if (!isInside(directory, path)) return `${word} is outside the workspace`
      if (isSecretPath(relative(directory, path)) || isSecretPath(value) || wildcardStandsForSecret(value))
        return `${word} may hold secrets`
    }
  }
  return null
}

/** git and others expand a wildcard by themselves, also in what was committed long ago, and to them a backslash only quotes. */
export function wildcardStandsForSecret(value: string): boolean {
  if (!/[*?[\\]/.test(value)) return false
  const names = value.replace(/\\(.)/g, '$1').split('/')
  return names.some(
    glob =>
      isSecretPath(glob) ||
      (!/^\*+(\.\w+)?$/.test(glob) &&
        typicalSecrets.some(secret => nameMatches(glob.replace(/\[[^\]]*\]/g, '?'), secret, 'matches'))),
  )
}

const MOST_LETTERS = 64

/** What of a word may be a path: an operand and every part of it behind a colon, the value of an option, what is glued to one. */
function pathsIn(word: string): string[] {
  // `HEAD:src/a.ts` names a file in a revision, and `-L 1,2:src/a.ts` some lines of one.
  const parts = (text: string): string[] =>
    [
      text,
      ...text
        .split(':')
        .slice(1)
        .map((_, i) =>
          text
            .split(':')
            .slice(i + 1)
            .join(':'),
        ),
    ].filter(part => part !== '')
  if (!word.startsWith('-')) return parts(word)
  const cut = word.indexOf('=')
  const value = cut >= 0 ? parts(word.slice(cut + 1)) : []
  if (word.startsWith('--')) return value
  // Any of the letters may be the one that takes the rest: `-nf/etc/hosts`.
  const letters = /^-\w*/.exec(word.slice(0, MOST_LETTERS))?.[0].length ?? 1
  return [...value, ...Array.from({ length: letters }, (_, i) => parts(word.slice(i + 2))).flat()]
}

/** What makes git print more than its words name: what it is told on its input, every object, files that are not its own. */
export function gitProblem(words: readonly string[]): string | null {
  const found = words.find(word => /^--(?:stdin|batch.*|untracked|no-exclude-standard)$/.test(word))
  return found === undefined ? null : `${found} prints more than the line names`
}
