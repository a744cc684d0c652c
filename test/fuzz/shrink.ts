import { type Escape, findEscapes } from './campaign.ts'
import type { DispatchJail } from './dispatch-jail.ts'
import type { Judge } from './gate-under-test.ts'

const MOST_ROUNDS = 40

/** The shortest line found by cutting pieces out of `found` that the gate still calls auto and that still escapes. */
export async function shrink(
  found: Escape,
  judge: Judge,
  jails: readonly [DispatchJail, DispatchJail],
): Promise<Escape> {
  let best = found
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const shorter = cuts(best.line)
      .map(line => ({ allowlist: best.allowlist, line }))
      .filter(trial => judge(trial).verdict === 'auto')
    const [next] = await findEscapes(shorter, judge, jails)
    if (!next) return best
    best = next
  }
  return best
}

/** Every way to cut one piece out, longest pieces first. */
function cuts(line: string): string[] {
  const lines = new Set<string>()
  for (let size = line.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at + size <= line.length; at += Math.max(1, Math.floor(size / 4)))
      lines.add(line.slice(0, at) + line.slice(at + size))
  }
  return [...lines]
}
