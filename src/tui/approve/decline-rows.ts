import pc from 'picocolors'
import { declineWays, KEEP_MEANS } from '../../approving/decision.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { drawn, proseRows } from './drawn.ts'
import { cut } from './rows.ts'

/** How long the no holds, and what that means where it is longer than this once. */
export function declineRows(question: Question | null, chosen: number, columns: number): string[] {
  const ways = question ? declineWays(question) : []
  if (ways.length < 2) return []
  const rows = ways.map(({ name }, i) => cut(`${i === chosen ? '▸' : ' '} ${drawn(name)}`, columns))
  return [...rows, ...(ways[chosen]?.keep == null ? [] : proseRows(KEEP_MEANS, columns).map(words => pc.dim(words)))]
}
