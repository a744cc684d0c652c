import { expect } from 'vitest'

/** A call as a client sends it. */
export interface SentCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A mistake that models make, what the answer must say, and what comes of the call that it names. */
export interface WrongCall {
  readonly what: string
  readonly tool: string
  readonly sent: Readonly<Record<string, unknown>>
  /** What both forms say. */
  readonly says?: readonly RegExp[]
  /** The ready-made call of the answer; not given: whatever it is, it works. */
  readonly instead?: SentCall
  /** Where there is no ready-made call: the call that the words lead to. */
  readonly reads?: (words: string) => SentCall | null
  /** Of the answer to the corrected call. */
  readonly works: Readonly<Record<string, unknown>>
  /** The corrected call is a question, and the person says yes to this. */
  readonly asks?: string
}

/** Most are sent for `pwd`, and then it runs. */
export type Row = Omit<WrongCall, 'tool' | 'works'> & Partial<Pick<WrongCall, 'works'>>

export const HEADLESS = 'memory_terminal'
export const INTERACTIVE = 'memory_terminal_interactive'

export const headless = (fields: Readonly<Record<string, unknown>>): SentCall => ({ tool: HEADLESS, arguments: fields })
export const interactive = (fields: Readonly<Record<string, unknown>>): SentCall => ({
  tool: INTERACTIVE,
  arguments: fields,
})
export const PWD = headless({ action: 'run', command: 'pwd' })
export const INVOCATION = { mode: 'interactive', intent: 'execute_command' }
export const EXECUTE = interactive({ action: 'execute', invocation: INVOCATION, execution: { command: 'pwd' } })

export const RAN = { status: 'completed', result: { exit_code: 0, stdout: expect.stringMatching(/work\n$/) } }
export const LISTING = { status: 'completed', result: { exit_code: 0, stdout: expect.stringContaining('notes.txt') } }
export const LISTED = { status: 'completed', result: { items: expect.any(Array) } }
export const READ = { status: 'completed', identity: { session_id: 'known-run' } }
