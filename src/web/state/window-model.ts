import type { Decision } from '../../approving/decision.ts'
import type { KeptDecline } from '../../contract/window/decline-frames.ts'
import type { FirstRun, HeldScope, PairedClient, ToWindow } from '../../contract/window/window-frames.ts'
import type { AdmissionAsked } from '../../contract/wire/admission-frames.ts'
import type { LeftRun } from '../../contract/wire/left-run-frames.ts'
import type { ClosedTerminal, TerminalState } from '../../contract/wire/terminal-frames.ts'
import { type Card, type Draft, isOpen } from './card.ts'
import type { PageName } from './pages.ts'

/** All the window knows, and what may change it (window-state.ts). */
export type LinkState =
  | { readonly at: 'opening' }
  | { readonly at: 'open' }
  | { readonly at: 'lost'; readonly since: number }
  /** No way back in: the host has to open another window. */
  | { readonly at: 'shut'; readonly why: string }

export type Showing =
  | { readonly view: 'start' }
  | { readonly view: 'card'; readonly askId: string }
  | { readonly view: 'terminal'; readonly terminalId: string }
  /** `item`: what is open in it, in the words of the page. */
  | { readonly view: 'page'; readonly page: PageName; readonly item?: string }

type HostStatus = Extract<ToWindow, { type: 'host_status' }>

/** One thing that is said for a moment. The next one takes its place; one about a question goes with that question. */
export interface Notice {
  readonly number: number
  readonly tone: 'plain' | 'bad'
  readonly text: string
  /** The question it was said about, if it was. */
  readonly askId: string | null
}

export interface WindowState {
  readonly link: LinkState
  readonly showing: Showing
  readonly cards: readonly Card[]
  readonly terminals: readonly TerminalState[]
  /** Those whose tab was closed because nothing happened in it. */
  readonly closedTerminals: readonly ClosedTerminal[]
  readonly scopes: readonly (HeldScope & { readonly endsAt: number | null })[]
  /** What is declined for the rest of the day. */
  readonly declines: readonly KeptDecline[]
  readonly paired: readonly PairedClient[]
  readonly left: readonly LeftRun[]
  /** What was refused without a question since the host started. */
  readonly blocked: Extract<ToWindow, { type: 'blocked_commands' }> | null
  /** What happened without the person since they last looked. */
  readonly news: number
  readonly host: HostStatus | null
  readonly firstRun: FirstRun | null
  readonly approvers: number
  /** Questions that never came here, because as many waited as may. */
  readonly turnedAway: number
  /** Who asks to be admitted as an approver, each with the code that is for the person's eyes. */
  readonly admissions: readonly (AdmissionAsked & { readonly endsAt: number })[]
  /** How many approvals in a row were given here within a second. */
  readonly reflexes: number
  readonly graveText: string
  readonly armingMs: number
  readonly notice: Notice | null
  /** How many were said so far. */
  readonly noticed: number
  readonly alarm: string | null
}

export type WindowEvent =
  | { readonly type: 'link'; readonly link: LinkState }
  | {
      readonly type: 'frame'
      readonly frame: ToWindow
      readonly now: number
      readonly wallNow: number
      readonly busy: boolean
    }
  | { readonly type: 'show'; readonly showing: Showing }
  | { readonly type: 'draft'; readonly askId: string; readonly change: Partial<Draft> }
  | { readonly type: 'sent'; readonly askId: string; readonly decision: Decision }
  /** From a question that is over to the next one. */
  | { readonly type: 'advance' }
  | { readonly type: 'tidy' }
  | { readonly type: 'notice'; readonly tone: Notice['tone']; readonly text: string; readonly askId: string | null }
  | { readonly type: 'dismiss'; readonly number: number }
  | { readonly type: 'alarm_read' }

export const openState = (): WindowState => ({
  link: { at: 'opening' },
  showing: { view: 'start' },
  cards: [],
  terminals: [],
  closedTerminals: [],
  scopes: [],
  declines: [],
  paired: [],
  left: [],
  blocked: null,
  news: 0,
  host: null,
  firstRun: null,
  approvers: 0,
  turnedAway: 0,
  admissions: [],
  reflexes: 0,
  graveText: '',
  armingMs: 0,
  notice: null,
  noticed: 0,
  alarm: null,
})

/** Of agents, and nothing runs, waits, is asked or holds there. */
export const idleTabs = ({ terminals, scopes }: WindowState): TerminalState[] =>
  terminals.filter(
    ({ terminal_id, kind, state, waiting, pending }) =>
      kind === 'runs' &&
      state === 'idle' &&
      waiting === 0 &&
      pending === 0 &&
      !scopes.some(scope => scope.terminal_id === terminal_id),
  )

export const openCards = ({ cards }: WindowState): Card[] => cards.filter(isOpen)
export const cardOf = ({ cards }: WindowState, askId: string): Card | undefined =>
  cards.find(({ question }) => question.ask_id === askId)
