import type { HeldApproval, Scope } from '../contract/wire/scope.ts'

export type ScopeKind = Scope['kind']
export type HeldKind = HeldApproval['kind']

/** For how long an approval for a while may hold. */
export const MINUTES: readonly { readonly minutes: number; readonly name: string }[] = [
  { minutes: 15, name: '15 minutes' },
  { minutes: 60, name: 'an hour' },
  { minutes: 480, name: '8 hours' },
]
export const FIRST_MINUTES = 15

/** How far an approval reaches, in words. */
interface ScopeWords {
  readonly title: string
  readonly note: string
}

/** One way to give it. */
interface Way {
  /** Always the same, whatever else a card offers. In a terminal's list the longer whiles take the two keys after that of `time`. */
  readonly key: string
  readonly scope: ScopeKind
  readonly name: string
  /** In a row of keys: a card that fits the screen needs no scrolling before it is approved. */
  readonly short: string
  /** On the button that gives it. */
  readonly button: string
}

interface HeldScopeRow extends ScopeWords, Way {
  /** What runs without asking: what comes in the same terminal, or anywhere in the workspace from the same requester. */
  readonly covers: 'terminal' | 'workspace'
  /** How the verdict on a later command names it; of one that has minutes the minutes are named. */
  readonly source: string
  /** Beside its rules in the window, where there is no end to count down to. */
  readonly listed: string
}

/** The approvals that the host keeps in memory: whatever is asked of such a scope, by window, terminal or host, is in its row. */
export const HELD: Readonly<Record<HeldKind, HeldScopeRow>> = {
  terminal: {
    key: '4',
    scope: 'terminal',
    title: 'This terminal',
    note: 'As long as the terminal, at most until the host ends.',
    name: 'In this terminal',
    short: 'This terminal',
    button: 'Run, also later in this terminal',
    covers: 'terminal',
    source: 'an approval for this terminal',
    listed: 'terminal',
  },
  time: {
    key: '5',
    scope: 'time',
    title: 'For a while',
    note: 'Ends by itself. You can end it sooner.',
    name: `For ${FIRST_MINUTES} minutes`,
    short: `${FIRST_MINUTES} minutes`,
    button: 'Run, also later for a while',
    covers: 'workspace',
    source: 'an approval for a while',
    listed: 'a while',
  },
}

export const SCOPES: Readonly<Record<ScopeKind, ScopeWords>> = {
  once: { title: 'Once', note: 'Only this one.' },
  workspace: { title: 'In this project', note: 'Written to the rules of the project, until you remove them.' },
  run: { title: 'The rest of this run', note: 'Until the program ends, or you type into its terminal yourself.' },
  ...HELD,
}

/** What the button for it says; of a shell that is opened nothing runs yet. */
export const approvesInWords = (question: { readonly intent?: string } | object, id: ChoiceId): string =>
  'intent' in question && question.intent === 'open_only' && id === 'once' ? 'Open once' : WAYS[id].button

export type ChoiceId = 'once' | 'always' | 'exactly' | 'run' | HeldKind

/** The ways to approve, the narrowest first. */
export const WAYS: Readonly<Record<ChoiceId, Way>> = {
  once: { key: '1', scope: 'once', name: 'Once', short: 'Once', button: 'Run once' },
  always: { key: '2', scope: 'workspace', name: 'Always', short: 'Always', button: 'Run, don’t ask again' },
  exactly: { key: '3', scope: 'workspace', name: 'Exactly', short: 'Exactly this', button: 'Run, don’t ask again' },
  ...HELD,
  /** Of what is typed into a program; no other card offers it. */
  run: {
    key: '8',
    scope: 'run',
    name: 'For the rest of this run',
    short: 'Rest of this run',
    button: 'Type for the rest of this run',
  },
}
