import * as z from 'zod'
import { Id } from '../field.ts'
import { WAIT_SOURCES, WAIT_STATES } from '../wait-state.ts'

/**
 * What the host and pty-host say to each other. A host says `hello` and is sent every terminal that is there, one `pty`
 * each, then `hello_ack`: nothing that ran before it came is unknown to it. Only one host is connected at a time.
 */
export const PTY_PROTOCOL_VERSION = 2

/** Of one terminal, made by the host that asked for it: run ids are unique for one requester only. */
const about = { pty_id: Id }
const Bytes = z.int().min(0)
const Size = z.int().min(1).max(10_000)
const Base64 = z.string().max(512 * 1024)

/** Directory and variables of a command when it ended, and how the parts of its last pipeline did. */
const Carried = z.object({
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  pipestatus: z.array(z.int()).optional(),
})

const Exit = z.object({
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  drained: z.boolean(),
  carried: Carried.nullable(),
  at: z.number(),
})

const Hex32 = z.string().regex(/^[0-9a-f]{64}$/)
/** The public half of the approver passphrase. */
const Approver = z.object({ v: z.literal(1), salt: z.string(), cost: z.int(), public_key: z.string() })

// ── from the host ────────────────────────────────────────────────────────────────────────────────

export const PtyHello = z.object({
  type: z.literal('hello'),
  protocol_version: z.int(),
  host_id: Id,
  host_pid: z.int(),
  /** Known to this host's process alone: with it the same host is known again after its connection broke. */
  token: Hex32.default('0'.repeat(64)),
  approver: Approver.nullable().default(null),
})
/** Another passphrase counts now. */
export const Trust = z.object({ type: z.literal('trust'), approver: Approver.nullable() })
/** What a person's passphrase has signed: from now on the host may type into terminals that were there before it. Answered with `unlocked`. */
export const Unlock = z.object({
  type: z.literal('unlock'),
  /** Begins with the one of `hello_ack`. */
  nonce: z.string().max(256),
  binding: z.string().max(256),
  signature: z.string().max(256),
})
export const Create = z.object({
  type: z.literal('create'),
  ...about,
  requester: z.string(),
  run_id: Id,
  terminal_id: Id,
  executable: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  /** Which directory and which file were judged: with others in their place nothing is started. */
  pinned: z.object({ cwd: z.string(), executable: z.string() }).optional(),
  env: z.record(z.string(), z.string()),
  /** Entries of `env` by which everything the command starts is found again. */
  marks: z.object({ run: z.string(), server: z.string() }),
  cols: Size,
  rows: Size,
  log: z.object({ directory: z.string(), quota_bytes: Bytes }),
  carry: z.boolean(),
})
export const Input = z.object({ type: z.literal('input'), ...about, data: Base64 })
export const Resize = z.object({ type: z.literal('resize'), ...about, cols: Size, rows: Size })
/** Ends its whole tree; answered with `killed`. */
export const KillPty = z.object({ type: z.literal('kill'), ...about, grace_ms: Bytes })
/** Whether the program in it waits for input; answered with `probed`. */
export const Probe = z.object({ type: z.literal('probe'), ...about })
/** Their ends are written down: pty-host need not remember them. */
export const Forget = z.object({ type: z.literal('forget'), pty_ids: z.array(Id) })
/** Ends every tree, then pty-host itself. */
export const End = z.object({ type: z.literal('end'), grace_ms: Bytes })
export const PtyHeartbeat = z.object({ type: z.literal('heartbeat') })

export const ToPtyHost = z.discriminatedUnion('type', [
  PtyHello,
  Trust,
  Unlock,
  Create,
  Input,
  Resize,
  KillPty,
  Probe,
  Forget,
  End,
  PtyHeartbeat,
])
export type ToPtyHost = z.infer<typeof ToPtyHost>

// ── from pty-host ────────────────────────────────────────────────────────────────────────────────

/** A terminal that was there before this host came. */
export const KnownPty = z.object({
  type: z.literal('pty'),
  ...about,
  requester: z.string(),
  run_id: Id,
  terminal_id: Id,
  pid: z.int(),
  start: z.string().nullable(),
  started_at: z.number(),
  size: Bytes,
  lost: Bytes,
  ended: Exit.nullable(),
})
export type KnownPty = z.infer<typeof KnownPty>

export const PtyHelloAck = z.object({
  type: z.literal('hello_ack'),
  protocol_version: z.int(),
  instance_id: Id,
  pid: z.int(),
  start: z.string().nullable(),
  version: z.string(),
  /** Nothing is typed into the terminals that were reported, until somebody has proved to be the person. */
  locked: z.boolean(),
  nonce: Hex32,
  /** It takes `probe`: an older one would not know the frame. */
  probes: z.boolean().default(false),
  /** It sends `input_taken`: without it nobody knows how much of what was typed waits. */
  counts_input: z.boolean().default(false),
})
export const Unlocked = z.object({ type: z.literal('unlocked'), right: z.boolean() })
/** This host is not served, and why. */
export const Refused = z.object({ type: z.literal('refused'), reason: z.string() })
export const Created = z.object({ type: z.literal('created'), ...about, pid: z.int(), start: z.string().nullable() })
export const NotCreated = z.object({ type: z.literal('not_created'), ...about, problem: z.string() })
/** How far the logs have got; their bytes are read from disk. Sent once every few milliseconds at most, however much is printed. */
export const Grown = z.object({
  type: z.literal('grown'),
  ptys: z.array(z.object({ ...about, size: Bytes, lost: Bytes })),
})
export const Ended = z.object({ type: z.literal('ended'), ...about, size: Bytes, lost: Bytes, exit: Exit })
export const KilledPty = z.object({ type: z.literal('killed'), ...about, survivors: z.array(z.int()) })

/** So much more of what was typed is in the terminal. Told now and then: some 64 KB of it may be untold. */
export const InputTaken = z.object({ type: z.literal('input_taken'), ...about, bytes: Bytes })

/** null: it has ended. */
export const Probed = z.object({
  type: z.literal('probed'),
  ...about,
  waits: z
    .object({
      state: z.enum(WAIT_STATES),
      source: z.enum(WAIT_SOURCES),
      evidence: z.string(),
      /** The program that reads, as the system names it. */
      program: z.string().nullable(),
      /** It waits for nothing else. */
      only_input: z.boolean(),
    })
    .nullable(),
})

export const FromPtyHost = z.discriminatedUnion('type', [
  KnownPty,
  PtyHelloAck,
  Unlocked,
  Refused,
  Created,
  NotCreated,
  Grown,
  Ended,
  KilledPty,
  InputTaken,
  Probed,
  PtyHeartbeat,
])
export type FromPtyHost = z.infer<typeof FromPtyHost>

// ── how it is started and found ──────────────────────────────────────────────────────────────────

/** What pty-host is sent by the host that starts it: the first line on its stdin, because arguments can be read by others. */
export const PtyHostOrders = z.object({
  instance_id: Id,
  key: z.string().regex(/^[0-9a-f]{64}$/),
  port: z.int(),
  /** Where it says that it is there: PtyHostFile. */
  file: z.string(),
  heartbeat_ms: z.int(),
  orphan_grace_ms: z.int(),
  kill_grace_ms: z.int(),
  /** What the logs of all that runs may take together. */
  total_bytes: Bytes,
  /** Who starts commands: PM_TERM_SPAWNER. */
  spawner: z.enum(['auto', 'off']).default('auto'),
})
export type PtyHostOrders = z.infer<typeof PtyHostOrders>

/** What pty-host writes down about itself, for the next host. It grants nothing: the key is not in it. */
export const PtyHostFile = z.object({
  instance_id: Id,
  pid: z.int(),
  start: z.string().nullable(),
  /** Of the machine: after another one the same pid and start time may be somebody else's. */
  boot: z.string().nullable().default(null),
  port: z.int(),
  version: z.string(),
  /** That whoever holds the key wrote this: HMAC-SHA-256 in hex, over all of the above but the version. */
  seal: z.string().nullable().default(null),
})
export type PtyHostFile = z.infer<typeof PtyHostFile>
