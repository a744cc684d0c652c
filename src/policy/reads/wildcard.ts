/** Wildcards of tools, not of a shell: `*` stands for a dot in front, too. */

/** Whether it can be read here exactly as the tools do it: no classes, no escapes. */
export const isPlain = (glob: string): boolean => !/[[\]\\{}]/.test(glob)

/** `*.{ts,tsx}` is two of them. What is nested or quoted stays as it is. */
export function bracesIn(glob: string): string[] {
  const [, before, choices, behind] = /^([^{}[\]\\]*)\{([^{}[\]\\]*)\}([^{}[\]\\]*)$/.exec(glob) ?? []
  return choices === undefined ? [glob] : choices.split(',').map(choice => `${before}${choice}${behind}`)
}

/** One name. With one place to go back to, the last `*`: the time grows with the product of both lengths and no faster. */
export function nameMatches(glob: string, name: string): boolean {
  let at = 0
  let token = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    const wanted = glob[token]
    if (wanted === '*') {
      star = token++
      resume = at
    } else if (wanted !== undefined && (wanted === '?' || wanted === name[at])) {
      token += 1
      at += 1
    } else if (star >= 0) {
      token = star + 1
      at = ++resume
    } else return false
  }
  while (glob[token] === '*') token += 1
  return token === glob.length
}

/** A path name by name; `**` stands for any number of names. */
export function pathMatches(glob: readonly string[], path: readonly string[]): boolean {
  let reached = new Set([0])
  const open = (at: number): number[] => (glob[at] === '**' ? [at, ...open(at + 1)] : [at])
  reached = new Set([...reached].flatMap(open))
  for (const name of path) {
    const next = new Set<number>()
    for (const at of reached) {
      const wanted = glob[at]
      if (wanted === '**') for (const each of open(at)) next.add(each)
      else if (wanted !== undefined && nameMatches(wanted, name)) for (const each of open(at + 1)) next.add(each)
    }
    reached = next
    if (reached.size === 0) return false
  }
  return reached.has(glob.length)
}
