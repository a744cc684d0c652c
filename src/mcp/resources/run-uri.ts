import { isId } from '../../contract/field.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { RUNS_URI } from '../server/resource-front.ts'

/** What a uri of ours stands for. */
export type RunUri =
  | { readonly kind: 'runs' }
  | { readonly kind: 'output'; readonly id: string; readonly cursor: number }
  | { readonly kind: 'receipt'; readonly id: string }

const WHAT_THERE_IS = `There are ${RUNS_URI}, ${RUNS_URI}/<session_id>/output and ${RUNS_URI}/<session_id>/receipt.`

export const outputUri = (id: string, cursor = 0): string =>
  `${RUNS_URI}/${encodeURIComponent(id)}/output${cursor > 0 ? `?cursor=${cursor}` : ''}`
export const receiptUri = (id: string): string => `${RUNS_URI}/${encodeURIComponent(id)}/receipt`

/** Throws for whatever is no resource of ours, and says what is. */
export function readUri(uri: string): RunUri {
  if (uri === RUNS_URI) return { kind: 'runs' }
  const [, name = '', what, query] =
    /^terminal:\/\/runs\/([^/?#]{1,400})\/(output|receipt)(?:\?([^#]*))?$/.exec(uri) ?? []
  const id = decoded(name)
  if (what === undefined || !isId(id)) throw new TermError('PM_TERM_NOT_FOUND', `No such resource. ${WHAT_THERE_IS}`)
  if (what === 'receipt') {
    if (query) throw new TermError('PM_TERM_NOT_FOUND', `A receipt has no parts: ${receiptUri(id)}`)
    return { kind: what, id }
  }

  const cursor = /^(?:cursor=(\d{1,15}))?$/.exec(query ?? '')
  if (!cursor) throw new TermError('PM_TERM_NOT_FOUND', `A cursor is a byte offset: ${outputUri(id)}?cursor=0`)
  return { kind: 'output', id, cursor: Number(cursor[1] ?? 0) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '' // no id is empty
  }
}
