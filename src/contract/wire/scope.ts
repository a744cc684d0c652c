import * as z from 'zod'
import { Text } from '../field.ts'

/** Shown one per line, and may be edited; none may cover a grave command. */
const rules = z.array(Text).min(1).max(32)

/** What the host keeps in memory, until it ends at the latest. The window lists these. */
const HELD = [
  z.object({ kind: z.literal('terminal'), rules }),
  z.object({ kind: z.literal('time'), rules, minutes: z.int().min(1).max(480) }),
] as const
export type HeldApproval = z.infer<(typeof HELD)[number]>
export const HELD_KINDS = HELD.map(({ shape }) => shape.kind.value)

/** How far an approval reaches. */
export const Scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  z.object({ kind: z.literal('workspace'), rules }),
  /** Of an `input` question: what is typed into the same program from now on, until it ends or the person types there. */
  z.object({ kind: z.literal('run') }),
  ...HELD,
])
export type Scope = z.infer<typeof Scope>
