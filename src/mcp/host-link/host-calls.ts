import type { Human } from '../../contract/tool/response.ts'
import type { ListItem, TerminalItem } from '../../contract/tool/run-lists.ts'

/** What a host knows of its requester's runs and terminals. */
export interface HostList {
  readonly items: readonly ListItem[]
  readonly omitted: number
  readonly terminals: readonly TerminalItem[]
  readonly approvers: number
  readonly human?: Human | undefined
  /** Said where it is no ordinary one, as in every answer of it. */
  readonly host?: string | undefined
}

export type CallTarget = { readonly session_id: string } | { readonly terminal_id: string }
