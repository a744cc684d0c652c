import type { Result } from '../../contract/tool/response.ts'
import { redactLine } from '../output/redact-line.ts'
import type { RunView } from '../run/run-view.ts'
import type { Redactor } from '../secrets/redactor.ts'
import type { Woke } from './finder.ts'

/** An answer with what ended the wait for it; the line that did is redacted as all output is. */
export function withWoke<T extends Pick<Result, 'redacted'>>(
  result: T,
  { by, ...more }: Woke,
  { view, redactor }: { readonly view: RunView; readonly redactor: Redactor },
): T & Pick<Result, 'waited' | 'woke'> {
  if (Object.keys(more).length === 0) return { ...result, waited: by }
  const { line, offset = 0 } = more
  if (line === undefined) return { ...result, waited: by, woke: more }

  const redaction = redactor.begin()
  const woke = { ...more, line: redactLine(view.source().directory, { line, offset, stream: null }, redaction) }
  const redacted = (result.redacted ?? 0) + redaction.taken
  return { ...result, waited: by, woke, ...(redacted > 0 && { redacted }) }
}
