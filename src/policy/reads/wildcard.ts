/** Wildcards of tools, not of a shell: `*` stands for a dot in front, too. */

/** Whether it can be read here exactly as the tools do it: no classes, no escapes. */
export const isPlain = (glob: string): boolean => !/[[\]\\{}]/.test(glob)

/** `*.{ts,tsx}` is two of them. What is nested or quoted stays as it is. */
export function bracesIn(glob: string): string[] {
  const [, before, choices, behind] = /^([^{}[\]\\]*)\{([^{}[\]\\]*)\}([^{}[\]\\]*)$/.exec(glob) ?? []
  return choices === undefined ? [glob] : choices.split(',').map(choice => `${before}${choice}${behind}`)
}

/** Node hands out other bytes as this character: where such a name leads nobody can look up by it. */
export const isUtf8 = (name: string): boolean => !name.includes('\ufffd')

/**
 * What is answered where nobody can tell: to some tools, and in some locales, a character beyond ASCII is as many as it has
 * bytes, so a `?` does not stand for it.
 */
export type Doubt = 'matches' | 'does_not'

const isDoubtful = (glob: string, name: string): boolean => glob.includes('?') && /[^\0-\x7f]/.test(name)

/** One name. */
export const nameMatches = (glob: string, name: string, doubt: Doubt): boolean =>
  isDoubtful(glob, name) ? doubt === 'matches' : matchesPlainly(glob, name)

const matchesPlainly = (glob: string, name: string): boolean =>
  starsMatch(
    { length: glob.length, isStar: token => glob[token] === '*' },
    { length: name.length, fits: (token, at) => glob[token] === '?' || glob[token] === name[at] },
  )

/** With one place to go back to, the last star: the time grows with the product of both lengths and no faster. */
export function starsMatch(
  tokens: { readonly length: number; readonly isStar: (token: number) => boolean },
  name: { readonly length: number; readonly fits: (token: number, at: number) => boolean },
): boolean {
  let [token, at, star, resume] = [0, 0, -1, 0]
  while (at < name.length) {
    if (token < tokens.length && tokens.isStar(token)) {
      star = token++
      resume = at
    } else if (token < tokens.length && name.fits(token, at)) {
      token += 1
      at += 1
    } else if (star >= 0) {
      token = star + 1
      at = ++resume
    } else return false
  }
  while (token < tokens.length && tokens.isStar(token)) token += 1
  return token === tokens.length
}

/** A path name by name; `**` stands for any number of names. */
export function pathMatches(glob: readonly string[], path: readonly string[], doubt: Doubt): boolean {
  let reached = new Set([0])
  const open = (at: number): number[] => (glob[at] === '**' ? [at, ...open(at + 1)] : [at])
  reached = new Set([...reached].flatMap(open))
  for (const name of path) {
    const next = new Set<number>()
    for (const at of reached) {
      const wanted = glob[at]
      if (wanted === '**') for (const each of open(at)) next.add(each)
      else if (wanted !== undefined && nameMatches(wanted, name, doubt)) for (const each of open(at + 1)) next.add(each)
    }
    reached = next
    if (reached.size === 0) return false
  }
  return reached.has(glob.length)
}
