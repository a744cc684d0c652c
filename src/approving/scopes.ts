import type { Scope } from '../contract/wire/approver-frames.ts'

export type ScopeKind = Scope['kind']

/** For how long an approval for a while may hold. */
export const MINUTES: readonly { readonly minutes: number; readonly name: string }[] = [
  { minutes: 15, name: '15 minutes' },
  { minutes: 60, name: 'an hour' },
  { minutes: 480, name: '8 hours' },
]
export const FIRST_MINUTES = 15

/** How far an approval reaches, in words. */
export const SCOPES: Readonly<Record<ScopeKind, { readonly name: string; readonly note: string }>> = {
  once: { name: 'Once', note: 'Only this one.' },
  workspace: { name: 'In this project', note: 'Written to the rules of the project, until you remove them.' },
  terminal: { name: 'This terminal', note: 'As long as the terminal, at most until the host ends.' },
  run: { name: 'The rest of this run', note: 'Until the program ends, or you type into its terminal yourself.' },
  time: { name: 'For a while', note: 'Ends by itself. You can end it sooner.' },
}

export type ChoiceId = 'once' | 'always' | 'exactly' | 'terminal' | 'time' | 'run'

interface Way {
  /** Always the same, whatever else a card offers. */
  readonly key: string
  readonly scope: ScopeKind
  readonly name: string
  /** In a row of keys: a card that fits the screen needs no scrolling before it is approved. */
  readonly short: string
  /** On the button that gives it. */
  readonly button: string
}

/** The ways to approve, the narrowest first. A new one is a row here and, if it has rules, a line in `choicesOf`. */
export const WAYS: Readonly<Record<ChoiceId, Way>> = {
  once: { key: '1', scope: 'once', name: 'Once', short: 'Once', button: 'Approve once' },
  always: { key: '2', scope: 'workspace', name: 'Always', short: 'Always', button: 'Approve, don’t ask again' },
  exactly: { key: '3', scope: 'workspace', name: 'Exactly', short: 'Exactly this', button: 'Approve, don’t ask again' },
  terminal: {
    key: '4',
    scope: 'terminal',
    name: 'In this terminal',
    short: 'This terminal',
    button: 'Approve in this terminal',
  },
  time: {
    key: '5',
    scope: 'time',
    name: `For ${FIRST_MINUTES} minutes`,
    short: `${FIRST_MINUTES} minutes`,
    button: 'Approve for a while',
  },
  run: {
    key: '6',
    scope: 'run',
    name: 'For the rest of this run',
    short: 'Rest of this run',
    button: 'Approve for this run',
  },
}
