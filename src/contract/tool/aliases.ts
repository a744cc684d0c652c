/**
 * Legacy actions of memory_terminal_interactive and what they mean today. One way, always the same way.
 */
export const CANONICAL_ACTIONS = ['execute', 'read_output', 'terminate', 'list'] as const
export type CanonicalAction = (typeof CANONICAL_ACTIONS)[number]

interface AliasRow {
  readonly action: CanonicalAction
  readonly invocation?: { readonly mode: 'interactive' | 'headless'; readonly intent: 'open_only' | 'execute_command' }
  /** The identity this alias always needed. */
  readonly needs?: 'session_id' | 'terminal_id'
  readonly hint: string
}

export const ALIASES = {
  run: {
    action: 'execute',
    invocation: { mode: 'headless', intent: 'execute_command' },
    hint: 'action "execute" with invocation.mode and invocation.intent "execute_command"; command fields move under execution',
  },
  kill: { action: 'terminate', needs: 'session_id', hint: 'action "terminate" with target.session_id' },
  send: {
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    needs: 'terminal_id',
    hint: 'action "execute" with invocation.mode "interactive" and target.terminal_id',
  },
  close: { action: 'terminate', needs: 'terminal_id', hint: 'action "terminate" with target.terminal_id' },
  create: {
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'open_only' },
    hint: 'action "execute" with invocation.mode "interactive" and invocation.intent "open_only"',
  },
} as const satisfies Record<string, AliasRow>

export type Alias = keyof typeof ALIASES
export const ALIAS_NAMES = Object.keys(ALIASES) as Alias[]

/** accept: metadata only · warn: plus a fixed warning · strict: rejected, with the replacement spelled out. */
export const ALIAS_PHASES = ['accept', 'warn', 'strict'] as const
export type AliasPhase = (typeof ALIAS_PHASES)[number]

export const isCanonicalAction = (action: unknown): action is CanonicalAction =>
  CANONICAL_ACTIONS.includes(action as CanonicalAction)

export const aliasOf = (action: unknown): (AliasRow & { readonly name: Alias }) | undefined =>
  ALIAS_NAMES.includes(action as Alias) ? { name: action as Alias, ...ALIASES[action as Alias] } : undefined

export const aliasWarning = (alias: Alias): string =>
  `The action "${alias}" is deprecated and will be rejected later. Use ${ALIASES[alias].hint}.`
