import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ensureKeyFile, readKeyFile } from '../../base/keys/key-file.ts'
import type { Receipt } from '../../contract/disk/receipt.ts'

/** What a receipt is sealed with: a key that only this person's programs on this machine can read. */
export type SealKey = { readonly key: Buffer } | { readonly problem: string }

/** Made when there is none yet. */
export const sealKey = (file: string): SealKey => keyFrom(() => ensureKeyFile(file))

/** For `verify`, which changes nothing. */
export const knownSealKey = (file: string): SealKey => keyFrom(() => readKeyFile(file))

function keyFrom(read: () => Buffer): SealKey {
  try {
    return { key: read() }
  } catch (cause) {
    return { problem: (cause as Error).message }
  }
}

export function seal(receipt: Omit<Receipt, 'seal'>, sealing: SealKey): Receipt {
  if ('problem' in sealing) return { ...receipt, seal: null }
  return { ...receipt, seal: { key: nameOf(sealing.key), mac: macOf(receipt, sealing.key).toString('hex') } }
}

/** changed: a byte is not what it was when it was sealed here · foreign: sealed with another key · none: without any. */
export type SealFinding = 'whole' | 'changed' | 'foreign' | 'none'

/** Of the file as it was read: a field that nobody knows is a change as well. */
export function sealFinding(read: Readonly<Record<string, unknown>>, sealing: SealKey): SealFinding {
  const { seal: found, ...receipt } = read as Record<string, unknown> & Pick<Receipt, 'seal'>
  if (!found) return 'none'
  if ('problem' in sealing || found.key !== nameOf(sealing.key)) return 'foreign'
  return timingSafeEqual(macOf(receipt, sealing.key), Buffer.from(found.mac, 'hex')) ? 'whole' : 'changed'
}

/** A key by its name, which does not tell the key. */
const nameOf = (key: Buffer): string =>
  createHash('sha256').update('receipt key\n').update(key).digest('hex').slice(0, 16)

const macOf = (receipt: object, key: Buffer): Buffer => createHmac('sha256', key).update(canonical(receipt)).digest()

/** The same text for the same fields, in whatever order and spacing they were written. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  const inOrder = fields.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${inOrder.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}
