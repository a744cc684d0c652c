import type { Scope } from '../contract/wire/approver-frames.ts'

export type ScopeKind = Scope['kind']

/** How far an approval reaches, in words. */
export const SCOPES: Readonly<Record<ScopeKind, { readonly name: string; readonly note: string }>> = {
  once: { name: 'Once', note: 'Only this one.' },
  workspace: { name: 'In this project', note: 'Written to the rules of the project, until you remove them.' },
  terminal: { name: 'This terminal', note: 'As long as the terminal, at most until the host ends.' },
  time: { name: 'For a while', note: 'Ends by itself. You can end it sooner.' },
}

/** For how long an approval for a while may hold. */
export const MINUTES: readonly { readonly minutes: number; readonly name: string }[] = [
  { minutes: 15, name: '15 minutes' },
  { minutes: 60, name: 'an hour' },
  { minutes: 480, name: '8 hours' },
]
export const FIRST_MINUTES = 15
