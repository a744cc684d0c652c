import type { Disposable } from '../disposable.ts'

/**
 * A command in a terminal, as the host sees it. Who owns the terminals and writes their output down is decided where the
 * host is built: pty-host, or the host's own process.
 */
export interface PtyStarter {
  /** Resolves when something can be started; rejects with why not. Nothing need be written down before that. */
  ready(): Promise<void>
  /**
   * Resolves once it runs. Rejects when it could not be started: with PtyStartLost when nobody knows whether it ran,
   * otherwise nothing did. `onGrown`: it has printed more.
   */
  start(command: PtyCommand, onGrown: () => void): Promise<PtyProcess>
}

export interface PtyOwner extends PtyStarter {
  /** Terminals an earlier host left, running or ended meanwhile. Each is reported once, before anything is started. */
  takeBack(): Promise<readonly FoundPty[]>
  readonly health: PtyHealth
  /** What was taken back from a host that was killed is not typed into before a person has proved to be one. Absent: nothing outlives a host. */
  readonly succession?: PtySuccession
  /** Ends every tree, then the owner itself. */
  end(graceMs: number): Promise<void>
}

export interface PtySuccession {
  /** What a challenge has to begin with, so that its answer proves the person there as well; null: nothing is locked. */
  readonly locked: { readonly nonce: string } | null
  unlock(proof: { readonly nonce: string; readonly binding: string; readonly signature: string }): void
  /** Another passphrase counts now. */
  trust(): void
}

/** Whether commands can be started in terminals right now. */
export interface PtyHealth {
  now(): PtyState
  watch(watcher: (state: PtyState) => void): Disposable
}

export type PtyState =
  /** pid: null when the terminals are in this process. */
  | { readonly at: 'up'; readonly pid: number | null; readonly restarts: number }
  | { readonly at: 'starting'; readonly restarts: number }
  | { readonly at: 'down'; readonly why: string; readonly restarts: number }

export interface FoundPty {
  readonly requester: string
  readonly runId: string
  readonly terminalId: string
  readonly process: PtyProcess
  /** Called from now on. */
  onGrown(listener: () => void): void
}

/** The owner died, or was lost, while it was starting a command. */
export class PtyStartLost extends Error {
  override readonly name = 'PtyStartLost'
}

export interface PtyCommand {
  /** Whose run it is: run ids are unique for one requester only. */
  readonly requester: string
  readonly runId: string
  readonly terminalId: string
  readonly executable: string
  /** What follows the program's own name. */
  readonly args: readonly string[]
  readonly cwd: string
  /** Which directory and which file were judged (file-identity.ts): whoever starts it looks again. Absent: an older host asks. */
  readonly pinned?: { readonly cwd: string; readonly executable: string } | undefined
  readonly env: Readonly<Record<string, string>>
  /** NAME=value of `env` that are in everything the command starts: of this run, and of the host that started it. */
  readonly marks: { readonly run: string; readonly server: string }
  readonly cols: number
  readonly rows: number
  /** Where the owner of the terminal writes what is printed: an output log, see output-log.ts. */
  readonly log: { readonly directory: string; readonly quotaBytes: number }
  /** Whether the command reports at its end where it is, on a pipe of its own. */
  readonly carry: boolean
}

export interface PtyProcess {
  readonly startedAt: number
  readonly pid: number
  /** Tells a reused pid apart; null where the system does not say. */
  readonly pidStart: string | null
  /** The process that owns the terminal; null: this one. */
  readonly owner: { readonly pid: number; readonly start: string | null } | null
  /** What is in its log by now. Final once it has ended. */
  readonly output: PtyOutput
  /** True: a host that was killed has left it, and nobody has proved since to be the person; nothing is typed into it. */
  readonly locked?: boolean
  readonly ended: Promise<PtyEnd>
  write(bytes: Buffer): void
  resize(cols: number, rows: number): void
  /** Ends its whole tree, politely and then by force. Resolves with who is still there. */
  kill(graceMs: number): Promise<readonly number[]>
  /** Whether the program in it waits for input, looked at now. Null: it has ended, or its owner is not reached. */
  waits(): Promise<InputWait | null>
  /** Its end is written down: its owner need not remember it for another host. */
  forget(): void
}

/** Whether the program in a terminal waits for input, and how that is known. */
export interface InputWait {
  /** line: shown as it is typed · secret: not shown, a password · key: key by key. */
  readonly state: 'none' | 'line' | 'secret' | 'key'
  /** kernel: what the program is blocked in · termios: how the terminal is set · heuristic: what was printed. */
  readonly source: 'kernel' | 'termios' | 'heuristic'
  /** One sentence: what was seen. */
  readonly evidence: string
  /** The program that reads, as the system names it; null: not known, or none does. */
  readonly program: string | null
  /** It waits for nothing else: false for one that watches other things or a clock beside the terminal and has asked nothing. */
  readonly onlyInput: boolean
}

export interface PtyOutput {
  readonly size: number
  readonly lost: number
}

/** A piece of what was printed, and where in the log it begins. */
export interface PtyChunk {
  readonly at: number
  readonly bytes: Buffer
}

export interface PtyExit {
  readonly exitCode: number | null
  readonly signal: string | null
  /** false: the terminal was stopped or flooded at the end, and the wait for its last bytes was given up. */
  readonly drained: boolean
  /** Null: it was not asked to, or ended without a report. */
  readonly carried: CarriedState | null
  readonly at: number
}

/** Directory and variables of a command when it ended. */
export interface CarriedState {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Exit codes of the parts of the last pipeline; absent: its shell does not tell. */
  readonly pipestatus?: readonly number[] | undefined
}

/** lost: whoever owned the terminal died, so nobody saw the end. */
export type PtyEnd = PtyExit | 'lost'
