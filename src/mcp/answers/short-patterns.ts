import type { ListedPattern } from '../../contract/tool/run-lists.ts'

/** So many defaults that do not apply here are named for each reason: enough to know what trusting the folder would bring. */
const INACTIVE_NAMED = 3

/**
 * The rules of the person one by one, and the defaults, of which there are hundreds, by what they do. Which apply is complete;
 * of those that do not, each kind is there with a few.
 */
export function shortPatterns(patterns: readonly ListedPattern[]): ListedPattern[] {
  const own = patterns.filter(({ source }) => source !== 'default')
  const groups = new Map<string, ListedPattern[]>()
  for (const each of patterns) {
    if (each.source !== 'default') continue
    const group = `${each.active} ${each.why}`
    groups.set(group, [...(groups.get(group) ?? []), each])
  }
  return [...own, ...[...groups.values()].map(together)]
}

function together(group: readonly ListedPattern[]): ListedPattern {
  const [first, ...others] = group.toSorted((a, b) => breadth(b) - breadth(a)) as [ListedPattern, ...ListedPattern[]]
  const named = first.active ? others : others.slice(0, INACTIVE_NAMED - 1)
  return {
    ...first,
    ...(named.length > 0 && { also: named.map(({ pattern }) => pattern) }),
    ...(named.length < others.length && { more: others.length - named.length }),
  }
}

/** What covers more comes first. */
const breadth = ({ pattern }: ListedPattern): number => (pattern.endsWith('*') ? 1 : 0)
