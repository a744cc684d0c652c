import type { Redaction, Redactor } from './redactor.ts'

/** What was read with its surroundings is redacted already; ids are no secrets. */
const LEFT_ALONE: ReadonlySet<string> = new Set(['stdout', 'stderr', 'base64', 'screen', 'session_id', 'terminal_id'])

/** An answer with every other text in it redacted, and how many there were in all. */
export function withoutSecrets<T extends { readonly redacted?: number | undefined }>(answer: T, redactor: Redactor): T {
  // Hardly any has one: looked for first, without making the answer anew.
  if (!hasSecret(answer, redactor)) return answer
  const redaction = redactor.begin()
  const shown = redacted(answer, redaction) as T
  return { ...shown, redacted: (answer.redacted ?? 0) + redaction.taken }
}

function hasSecret(value: unknown, redactor: Redactor): boolean {
  if (typeof value === 'string') return redactor.find(value).length > 0
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(each => hasSecret(each, redactor))
  for (const name of Object.keys(value))
    if (!LEFT_ALONE.has(name) && hasSecret((value as Record<string, unknown>)[name], redactor)) return true
  return false
}

/** Any value with every text in it redacted, however deep it is. */
export const redactTexts = <T>(value: T, redactor: Redactor): T => redacted(value, redactor.begin()) as T

function redacted(value: unknown, redaction: Redaction): unknown {
  if (typeof value === 'string') return redaction.text(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(each => redacted(each, redaction))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, LEFT_ALONE.has(name) ? each : redacted(each, redaction)]),
  )
}
