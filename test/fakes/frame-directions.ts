import * as z from 'zod'
import { OfCodePage, ToCodePage } from '../../src/contract/window/window-code.ts'
import { HostToWindow, WindowFrame } from '../../src/contract/window/window-frames.ts'
import { FromApprover, ToApprover } from '../../src/contract/wire/approver-frames.ts'
import { FromHost, ToHost } from '../../src/contract/wire/host-frames.ts'
import { FromPtyHost, ToPtyHost } from '../../src/contract/wire/pty-frames.ts'
import { FROM_PERSON, TO_PERSON } from '../../src/contract/wire/terminal-frames.ts'

/** All that is said between two processes: the schema of each direction, and where in `src` its senders are. */
export const DIRECTIONS = {
  'to-host': { schema: ToHost, senders: ['mcp', 'cli', 'vscode'] },
  'from-host': { schema: FromHost, senders: ['host'] },
  'from-approver': { schema: FromApprover, senders: ['admission', 'tui', 'web', 'cli', 'vscode'] },
  'to-approver': { schema: ToApprover, senders: ['host'] },
  'from-person': { schema: z.discriminatedUnion('type', FROM_PERSON), senders: ['tui', 'web'] },
  'to-person': { schema: z.discriminatedUnion('type', TO_PERSON), senders: ['host'] },
  'from-window': { schema: WindowFrame, senders: ['web'] },
  'to-window': { schema: HostToWindow, senders: ['host'] },
  'from-code-page': { schema: OfCodePage, senders: ['web'] },
  'to-code-page': { schema: ToCodePage, senders: ['host'] },
  'to-pty-host': { schema: ToPtyHost, senders: ['host/pty'] },
  'from-pty-host': { schema: FromPtyHost, senders: ['pty-host'] },
} as const

export type Direction = keyof typeof DIRECTIONS

/** About terminals: in the unions of approvers and of windows, and under a direction of their own. */
const OF_BOTH = new Set<z.ZodType>([...FROM_PERSON, ...TO_PERSON])

export interface FrameSchema {
  readonly direction: Direction
  readonly type: string
  readonly schema: z.ZodType
}

/** Every frame that can be sent, by its direction. */
export const FRAMES: readonly FrameSchema[] = Object.entries(DIRECTIONS).flatMap(([name, { schema }]) =>
  optionsOf(schema)
    .filter(option => name.endsWith('-person') || !OF_BOTH.has(option))
    .map(option => ({ direction: name as Direction, type: option.shape.type.value, schema: option })),
)

type Frame = z.ZodObject<{ type: z.ZodLiteral<string> }>

function optionsOf(schema: z.ZodType): Frame[] {
  if (schema instanceof z.ZodPipe) return optionsOf(schema.out as z.ZodType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => optionsOf(option as z.ZodType))
  return [schema as Frame]
}
