import * as z from 'zod'
import { Command, Id } from '../field.ts'
import { FROM_APPROVER, Question, TO_APPROVER } from '../wire/approver-frames.ts'
import { HELD_KINDS } from '../wire/scope.ts'
import { asking, FROM_PERSON, TO_PERSON } from '../wire/terminal-frames.ts'
import { FROM_ACTIVITY, TO_ACTIVITY } from './activity-frames.ts'
import { DeclineRevoke, KeptDeclinesFrame } from './decline-frames.ts'
import { FROM_HISTORY, TO_HISTORY } from './history-frames.ts'
import { LinkOpen } from './link-frames.ts'
import { FROM_RULES_PAGE, TO_RULES_PAGE } from './rules-frames.ts'
import { FROM_WINDOW_SAVED, SavedListed } from './saved-frames.ts'
import { AgentCutOff, NumbersShow, NumbersShown } from './status-frames.ts'
import { PreferenceChanges, TimesInForce, WindowPreferences } from './window-preferences.ts'

/**
 * What the host and its window say to each other, over the WebSocket `/feed`. Text messages are these frames, one JSON object
 * each; binary messages are output (contract/window/window-output.ts).
 *
 *   window_hello → window_challenge (the host proves itself) → window_prove (the page does) → admitted
 *
 * A proof is HMAC-SHA-256 in hex, over text, with the secret the credential stands for (contract/window/window-proof.ts). The secret
 * of a ticket comes in the URL's fragment, that of a session is worked out by both ends: neither is ever sent.
 *
 * From `admitted` on a window is an approver like any other: the frames of approver-frames.ts and terminal-frames.ts go both
 * ways, and those below.
 * The lists (`terminals`, `scopes`, `kept_declines`, `paired`, `host_status`) are sent whole, at admission and whenever something in them changes.
 */
export const WINDOW_PROTOCOL_VERSION = 1

const Hex32 = z.string().regex(/^[0-9a-f]{64}$/)

// ── from the window ──────────────────────────────────────────────────────────────────────────────

export const WindowHello = z.object({
  type: z.literal('window_hello'),
  protocol_version: z.int(),
  /** ticket: what the window was opened with, good once · session: what a ticket became, for coming back. */
  credential: z.object({ kind: z.enum(['ticket', 'session']), id: Id }),
  nonce: Hex32,
})
/** Sent only after the host's own proof was right. */
export const WindowProve = z.object({ type: z.literal('window_prove'), proof: Hex32 })

/** Whether the page can be seen (`visibilityState`). While it cannot, `shown` does not count. Sent once after admission and on change. */
export const Visibility = z.object({ type: z.literal('visibility'), visible: z.boolean() })

export const ScopeRevoke = z.object({ type: z.literal('scope_revoke'), ...asking, scope_id: Id })
/** Takes the key of a paired client away: who is connected with it is cut off, its open questions are withdrawn; what runs goes on. */
export const CutOff = z.object({ type: z.literal('cut_off'), ...asking, name: z.string().min(1).max(63) })
/** Sends the harmless command of `first_run` through the real path, as a client of its own: it comes back as a question. */
export const Demo = z.object({ type: z.literal('demo'), ...asking })
/** How the person likes the window. Every other window gets it, too; `failed`: it counts, but only until the host ends. */
export const PreferencesSet = z.strictObject({
  type: z.literal('preferences_set'),
  ...asking,
  changes: PreferenceChanges,
})

/** The person chooses the approver passphrase, or another one. The window was admitted, so it is theirs to say; the host keeps its public half. */
export const PassphraseSet = z.strictObject({
  type: z.literal('passphrase_set'),
  ...asking,
  passphrase: z.string().min(8).max(1024),
})

/**
 * The person gives the passphrase, so that terminals of a host that was killed can be typed into again, and what is decided here
 * is sealed.
 */
export const TerminalsUnlock = z.strictObject({
  type: z.literal('terminals_unlock'),
  ...asking,
  passphrase: z.string().max(1024),
})

export const WindowFrame = z.discriminatedUnion('type', [
  WindowHello,
  WindowProve,
  Visibility,
  ...FROM_PERSON,
  ScopeRevoke,
  DeclineRevoke,
  CutOff,
  Demo,
  PreferencesSet,
  PassphraseSet,
  TerminalsUnlock,
  NumbersShow,
  AgentCutOff,
  ...FROM_HISTORY,
  ...FROM_RULES_PAGE,
  ...FROM_ACTIVITY,
  ...FROM_WINDOW_SAVED,
  LinkOpen,
])
export type WindowFrame = z.infer<typeof WindowFrame>
export const FromWindow = z.union([WindowFrame, z.discriminatedUnion('type', FROM_APPROVER)])
export type FromWindow = z.infer<typeof FromWindow>

// ── to the window ────────────────────────────────────────────────────────────────────────────────

/** The host's own nonce and its proof. A page that finds the proof wrong says nothing more. */
export const WindowChallenge = z.object({ type: z.literal('window_challenge'), nonce: Hex32, proof: Hex32 })

export const HeldScope = z.object({
  scope_id: Id,
  kind: z.literal(HELD_KINDS),
  rules: z.array(z.string()),
  requester: z.string(),
  workspace_id: z.string().nullable(),
  terminal_id: Id.nullable(),
  cwd: z.string(),
  /** null: no end by the clock. */
  expires_in_ms: z.int().nullable(),
})
export type HeldScope = z.infer<typeof HeldScope>
export const ScopesFrame = z.object({ type: z.literal('scopes'), items: z.array(HeldScope) })

/** Somebody who was paired by name, a container for example. */
export const PairedClient = z.object({
  name: z.string(),
  paired_at: z.string(),
  connections: z.int(),
  /** null: not connected. */
  connected_at: z.string().nullable(),
  /** Commands and shells that run, or wait for their turn in a terminal. */
  running: z.int(),
  /** Its open questions. */
  pending: z.int(),
})
export type PairedClient = z.infer<typeof PairedClient>
export const PairedFrame = z.object({ type: z.literal('paired'), items: z.array(PairedClient) })

export const HostStatus = z.object({
  type: z.literal('host_status'),
  version: z.string(),
  instance_id: Id,
  pty_host: z.object({ health: z.enum(['well', 'starting', 'gone']), detail: z.string() }),
  /** It runs in a container that a person has declared to be their machine. */
  in_container: z.boolean().optional(),
  /** What keeps a run from approving a run on this machine, and what such a run can do all the same, one each. */
  protection: z.object({
    level: z.enum(['L0', 'L1', 'L2', 'L3']),
    detail: z.string(),
    not_stopped: z.array(z.string()),
  }),
  /** `agent_id`: by which one is cut off. */
  clients: z.array(z.object({ name: z.string(), requester: z.string(), connections: z.int(), agent_id: Id })),
  windows: z.int(),
  /** Whether an approver passphrase counts. */
  passphrase: z.boolean(),
  /** Terminals of a host that was killed cannot be typed into yet. */
  locked: z.boolean(),
  /** A passphrase counts and was not given to this host: at the next start the person is asked again about what is decided here. */
  unsealed: z.boolean().optional(),
})

/** What a person copies to connect a client, and what they can try. */
export const FirstRun = z.object({
  type: z.literal('first_run'),
  entries: z.array(
    z.object({
      client: z.string(),
      /** shell: a line to run · file: text for the file in `where`. */
      kind: z.enum(['shell', 'file']),
      where: z.string().nullable(),
      text: z.string(),
    }),
  ),
  demo_command: Command,
})
export type FirstRun = z.infer<typeof FirstRun>

/** Sent first of all at admission, and when another window has changed them. */
export const PreferencesFrame = z.object({
  type: z.literal('preferences'),
  ...WindowPreferences.shape,
  /** What the chosen times come to. */
  times: TimesInForce,
})

export const HostToWindow = z.discriminatedUnion('type', [
  WindowChallenge,
  ...TO_PERSON,
  ScopesFrame,
  KeptDeclinesFrame,
  PairedFrame,
  HostStatus,
  FirstRun,
  PreferencesFrame,
  NumbersShown,
  ...TO_HISTORY,
  ...TO_RULES_PAGE,
  ...TO_ACTIVITY,
  SavedListed,
])
export type HostToWindow = z.infer<typeof HostToWindow>
export const ToWindow = z.union([HostToWindow, Question, z.discriminatedUnion('type', TO_APPROVER)])
export type ToWindow = z.infer<typeof ToWindow>
