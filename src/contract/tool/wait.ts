import * as z from 'zod'
import { Millis, Path, Text } from '../field.ts'
import type { Issue } from './issues.ts'

/** What to wait for before an answer, in both tools. */
export const WAKES = ['exit', 'match', 'idle', 'bytes', 'port', 'file'] as const
export type Wake = (typeof WAKES)[number]

export const DEFAULT_WAIT_MS = 30_000
export const DEFAULT_IDLE_MS = 1000

export const Pattern = Text.refine(text => text !== '', 'must not be empty')
const Patterns = z.union([Pattern, z.array(Pattern).min(1).max(16)])

export const Wait = z.strictObject({
  until: z.enum(WAKES).optional(),
  match: Pattern.optional().describe('Regex.'),
  idle_ms: Millis.optional(),
  bytes: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  port: z.int('must be a whole number').min(1, 'must be at least 1').max(65_535, 'must be at most 65535').optional(),
  file: Path.optional(),
  timeout_ms: Millis.optional(),
})
export type Wait = z.infer<typeof Wait>

/** The fields that `wait` replaced. They are taken as before and not shown to anybody who does not know them. */
export const oldWaitFields = {
  wait_for: z.enum(['output', 'exit', 'text', 'silence']).optional(),
  wait_ms: Millis.optional(),
  text: Patterns.optional(),
  silence_ms: Millis.optional(),
} as const
export const OLD_WAIT_FIELDS: readonly string[] = Object.keys(oldWaitFields)

interface WaitFields {
  readonly wait?: Wait | undefined
  readonly wait_for?: 'output' | 'exit' | 'text' | 'silence' | undefined
  readonly wait_ms?: number | undefined
  readonly text?: string | string[] | undefined
  readonly silence_ms?: number | undefined
}

export type Waited = Wake | 'output' | 'text' | 'silence' | 'input' | 'deadline'

/** A wait, whichever fields asked for it. */
export interface WantedWait {
  readonly until: Wake
  readonly match: readonly string[]
  readonly idleMs: number
  readonly bytes: number
  readonly port: number
  readonly file: string
  readonly timeoutMs: number
  /** What ended it, in the words that it was asked for with. */
  readonly said: (by: Wake | 'input' | 'deadline') => Waited
}

const OLD = { output: 'bytes', exit: 'exit', text: 'match', silence: 'idle' } as const satisfies Record<string, Wake>

/** null: it was not asked to wait. `otherwise`: what counts where `wait` does not say. */
export function wantedWait(
  fields: WaitFields,
  otherwise: { readonly until: Wake; readonly timeoutMs: number } | null,
): WantedWait | null {
  const { wait, wait_for, wait_ms, text, silence_ms } = fields
  if (wait) {
    const until = wait.until ?? impliedBy(wait)
    return {
      ...common(wait),
      until,
      timeoutMs: wait.timeout_ms ?? wait_ms ?? otherwise?.timeoutMs ?? DEFAULT_WAIT_MS,
      said: by => by,
    }
  }
  if (!wait_ms && otherwise === null) return null
  const until = wait_for === undefined ? (otherwise?.until ?? 'bytes') : OLD[wait_for]
  const said = (by: Wake | 'input' | 'deadline'): Waited =>
    (Object.entries(OLD).find(([, now]) => now === by)?.[0] as Waited | undefined) ?? by
  const given = { match: text, idle_ms: silence_ms }
  return { ...common(given), until, timeoutMs: wait_ms ?? otherwise?.timeoutMs ?? 0, said }
}

const common = (given: Omit<Wait, 'match'> & { readonly match?: string | string[] | undefined }) => ({
  match: [given.match ?? []].flat(),
  idleMs: given.idle_ms ?? DEFAULT_IDLE_MS,
  bytes: given.bytes ?? 1,
  port: given.port ?? 0,
  file: given.file ?? '',
})

/** `{port: 3000}` says what it waits for. */
const impliedBy = (wait: Wait): Wake =>
  wait.match !== undefined
    ? 'match'
    : wait.port !== undefined
      ? 'port'
      : wait.file !== undefined
        ? 'file'
        : wait.bytes !== undefined
          ? 'bytes'
          : wait.idle_ms !== undefined
            ? 'idle'
            : 'exit'

/** What a wait needs and does not have; `at`: where its fields are. Reads the payload as it came. */
export function waitIssues(fields: Readonly<Record<string, unknown>>, at: string): Issue[] {
  const wait = fields.wait !== null && typeof fields.wait === 'object' ? (fields.wait as Record<string, unknown>) : {}
  const issues: Issue[] = []
  for (const needed of ['match', 'port', 'file'] as const)
    if (wait.until === needed && wait[needed] === undefined)
      issues.push({ field: `${at}wait.${needed}`, problem: `is required when ${at}wait.until is "${needed}"` })
  if (fields.wait_for === 'text' && fields.text === undefined)
    issues.push({ field: `${at}text`, problem: `is required when ${at}wait_for is "text"` })
  return issues
}
