import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type RemovedRows, SealedRemoval } from '../../contract/disk/removed-rows.ts'

/** Made of host.key, which only hosts read. */
export type RemovalKey = Buffer

export const removalKey = (hostKey: Buffer): RemovalKey =>
  Buffer.from(hkdfSync('sha256', hostKey, '', 'interactive-terminal journal retention', 32))

export function sealRemoval(removed: RemovedRows, key: RemovalKey): SealedRemoval {
  return { ...removed, seal: macOf(removed, key).toString('hex') }
}

/** null: it is no removal of a host that has this key. */
export function readRemoval(body: string, key: RemovalKey): RemovedRows | null {
  const read = SealedRemoval.safeParse(JSON.parse(body))
  if (!read.success) return null
  const { seal, ...removed } = read.data
  return timingSafeEqual(Buffer.from(seal, 'hex'), macOf(removed, key)) ? removed : null
}

/** Over the fields in the order of the schema, which is that of whoever parsed it. */
const macOf = (
  { last, rows, first_at, last_at, because, limits, ranges, found }: RemovedRows,
  key: RemovalKey,
): Buffer =>
  createHmac('sha256', key)
    .update(
      JSON.stringify([
        [last.seq, last.hash, rows, first_at, last_at, because, limits.days, limits.mb],
        ranges.map(({ from, to, prev, hash }) => [from, to, prev, hash]),
        [found.problem, found.gaps],
      ]),
    )
    .digest()
