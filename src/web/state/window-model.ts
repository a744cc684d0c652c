import type { Decision } from '../../approving/decision.ts'
import type { HeldScope, PairedClient, ToWindow } from '../../contract/window/window-frames.ts'
import type { AdmissionAsked } from '../../contract/wire/admission-frames.ts'
import type { LeftRun } from '../../contract/wire/left-run-frames.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import { type Card, type Draft, isOpen } from './card.ts'
import type { PageName } from './pages.ts'
import type { SeenRuns } from './seen-runs.ts'

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
  | { readonly view: 'page'; readonly page: PageName }

type HostStatus = Extract<ToWindow, { type: 'host_status' }>
type FirstRun = Extract<ToWindow, { type: 'first_run' }>

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
  readonly runs: SeenRuns
  readonly scopes: readonly (HeldScope & { readonly endsAt: number | null })[]
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
  runs: {},
  scopes: [],
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

export const openCards = ({ cards }: WindowState): Card[] => cards.filter(isOpen)
export const cardOf = ({ cards }: WindowState, askId: string): Card | undefined =>
  cards.find(({ question }) => question.ask_id === askId)
