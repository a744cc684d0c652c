import { createInterface } from 'node:readline'
import * as z from 'zod'
import { evaluate } from '../policy/evaluate.ts'

const SHELLS = ['bash', 'sh', 'zsh', 'powershell', 'cmd', 'fish'] as const

const Case = z.object({
  id: z.string(),
  // A shell nobody here reads is treated like one that is never run unasked.
  shell: z.enum(SHELLS).catch('fish').default('bash'),
  allowlist: z.array(z.string()),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.record(z.string(), z.string()).nullish(),
  lane: z.enum(['headless', 'interactive']).default('interactive'),
})

/** Judges one case per line and answers one line each, whatever comes in: it is how the gate is scored (SECURITY.md). */
export async function policyEval(input: NodeJS.ReadableStream, say: (line: string) => void): Promise<number> {
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (text.trim() !== '') say(`${JSON.stringify(judge(text))}\n`)
  return 0
}

function judge(text: string): Record<string, unknown> {
  const refused = (id: unknown, why: string) => ({ id, verdict: 'blocked', why, parts: [], flags: [] })
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return refused(null, 'the line is not JSON')
  }
  const parsed = Case.safeParse(raw)
  const id = (raw as { id?: unknown } | null)?.id ?? null
  if (!parsed.success) return refused(id, `not a case: ${z.prettifyError(parsed.error)}`)
  const { args, env, ...rest } = parsed.data
  const { verdict, why, parts, flags, tier } = evaluate({ ...rest, args: args ?? undefined, env: env ?? undefined })
  return { id, verdict, why, parts, flags, tier }
}
