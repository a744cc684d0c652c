import type { StatusAnswered } from '../../contract/wire/host-status.ts'

/** The file that says where the host is cannot be read; whether one runs all the same, and what to do, in words. */
export interface BrokenHostFile {
  readonly runs: boolean
  readonly why: string
}

/** What `status`, `stop` and `open` find. */
export type FoundHost =
  /** `left`: a file says that one ran, but no such process is there any more. */
  | { readonly at: 'none'; readonly left: string | null }
  /** A process lives that said it is the host, and does not answer. */
  | { readonly at: 'silent'; readonly pid: number; readonly port: number; readonly why: string }
  | ({ readonly at: 'unreadable' } & BrokenHostFile)
  | { readonly at: 'up'; readonly status: StatusAnswered }
