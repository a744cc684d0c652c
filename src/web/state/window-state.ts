import { reflexesAfter } from '../../approving/arming.ts'
import { timesOf } from '../../approving/durations.ts'
import { answeredWords, joinedWords, WITHDRAWN } from '../../approving/question-over.ts'
import { withAlarm } from '../../approving/unread-alarms.ts'
import type { ToWindow } from '../../contract/window/window-frames.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import { type Card, draftFor, isOpen } from './card.ts'
import { CUT_OFF, notRun, over, replacedBy, UNKNOWN } from './card-over.ts'
import { noticed, withTrueNotice } from './notice.ts'
import { cardOf, openCards, type Showing, type WindowEvent, type WindowState } from './window-model.ts'

/**
 * The one way the window's state changes. Pure: what the host said and what the person did in, the next state out.
 *
 * Cards keep their place: a new one comes last, one that is over stays where it is until `tidy`, which the rail sends only
 * while nobody points at it. So nothing moves under a pointer.
 */
export const reduce = (state: WindowState, event: WindowEvent): WindowState => withTrueNotice(changed(state, event))

function changed(state: WindowState, event: WindowEvent): WindowState {
  switch (event.type) {
    case 'link':
      // With no way back in, nobody can answer here any more: nothing may look as if.
      return event.link.at === 'shut'
        ? {
            ...state,
            link: event.link,
            cards: state.cards.map(card => (isOpen(card) ? over(card, 'withdrawn', CUT_OFF) : card)),
            admissions: [],
          }
        : { ...state, link: event.link }
    case 'frame':
      return onFrame(state, event)
    case 'show':
      return { ...state, showing: event.showing }

    case 'draft':
      return withCard(state, event.askId, card => ({
        ...card,
        draft: { ...card.draft, ...event.change },
        problem: null,
      }))
    case 'sent':
      return withCard(state, event.askId, card => ({ ...card, phase: { at: 'sent', decision: event.decision } }))
    case 'advance': {
      const { showing } = state
      if (showing.view !== 'card' || isOpenCard(state, showing.askId)) return state
      return { ...state, showing: after(state, openCards(state), cardOf(state, showing.askId)) }
    }

    case 'tidy':
      return tidied(state)
    case 'notice':
      return noticed(state, event)
    case 'dismiss':
      return state.notice?.number === event.number ? { ...state, notice: null } : state
    case 'alarm_read':
      return { ...state, alarm: null }
  }
}

function onFrame(state: WindowState, event: Extract<WindowEvent, { type: 'frame' }>): WindowState {
  const { frame, now, wallNow, busy } = event
  switch (frame.type) {
    case 'admitted': {
      // The host sends its open questions anew; what is not among them is over, and nobody here knows how.
      const { grave_text: graveText, arming_ms: armingMs } = frame
      const cards = state.cards.map(card => (isOpen(card) ? over(card, 'withdrawn', UNKNOWN) : card))
      const fresh = { admissions: [], left: [], blocked: null, news: 0 }
      return { ...state, ...fresh, link: { at: 'open' }, cards, graveText, armingMs }
    }

    case 'question': {
      const known = cardOf(state, frame.ask_id)
      const card: Card = {
        question: frame,
        ...timesOf(frame, now, wallNow),
        phase: { at: 'open' },
        draft: known?.draft ?? draftFor(frame),
        judged: known?.judged ?? null,
        preview: known?.preview ?? null,
        editPreview: known?.editPreview ?? null,
        problem: null,
      }
      const before = { ...state, cards: replacedBy(frame, state.cards) }
      const next = known ? withCard(before, frame.ask_id, () => card) : { ...before, cards: [...before.cards, card] }
      return isFree(next, busy) ? { ...next, showing: after(next, openCards(next)) } : next
    }
    case 'answered':
      return withCard(withPace(state, frame, now), frame.ask_id, card =>
        over(card, frame.outcome, answeredWords(frame)),
      )
    case 'not_started':
      return withCard(state, frame.ask_id, notRun)
    case 'withdrawn':
      return withCard(state, frame.ask_id, card => over(card, 'withdrawn', WITHDRAWN[frame.why]))
    case 'answer_refused':
      return withCard(state, frame.ask_id, card =>
        frame.open
          ? { ...card, phase: { at: 'open' }, problem: frame.problem }
          : over(card, 'withdrawn', frame.problem),
      )
    case 'judged':
      return withCard(state, frame.ask_id, card => ({ ...card, judged: frame }))

    case 'preview':
      return withCard(state, frame.ask_id, card => ({
        ...card,
        ...(frame.edited === null ? { preview: frame } : { editPreview: frame }),
      }))

    case 'admission_asked': {
      const admission = { ...frame, endsAt: now + frame.expires_in_ms }
      return { ...state, admissions: [...state.admissions, admission] }
    }
    case 'admission_over': {
      const admissions = state.admissions.filter(({ admission_id }) => admission_id !== frame.admission_id)
      return { ...state, admissions }
    }
    case 'approver_joined':
      return noticed(state, { tone: 'plain', text: joinedWords(frame), askId: null })
    case 'presence':
      return { ...state, approvers: frame.approvers, turnedAway: frame.turned_away }

    case 'terminals':
      return { ...withTerminals(state, frame.items), closedTerminals: frame.closed ?? [] }
    case 'scopes': {
      const scopes = frame.items.map(item => ({
        ...item,
        endsAt: item.expires_in_ms === null ? null : now + item.expires_in_ms,
      }))
      return { ...state, scopes }
    }
    case 'kept_declines':
      return { ...state, declines: frame.items }
    case 'paired':
      return { ...state, paired: frame.items }
    case 'left_running':
      return { ...state, left: frame.items }
    case 'blocked_commands':
      return { ...state, blocked: frame }
    case 'activity_news':
      return { ...state, news: frame.count }
    case 'host_status':
      return { ...state, host: frame }
    case 'first_run':
      return { ...state, firstRun: frame }

    case 'alarm':
      return { ...state, alarm: withAlarm(state.alarm, frame.message) }
    case 'failed':
      return noticed(state, { tone: 'bad', text: frame.error.message, askId: null })
    default:
      return state
  }
}

/** Whether answers are given faster than they can have been read: only those to commands, and only this person's. */
function withPace(
  state: WindowState,
  { ask_id, outcome, yours }: Extract<ToWindow, { type: 'answered' }>,
  now: number,
): WindowState {
  const card = cardOf(state, ask_id)
  if (!yours || card?.question.kind !== 'command') return state
  return { ...state, reflexes: reflexesAfter(state.reflexes, { outcome, tookMs: now - card.askedAt }) }
}

function withCard(state: WindowState, askId: string, change: (card: Card) => Card): WindowState {
  if (!cardOf(state, askId)) return state
  return { ...state, cards: state.cards.map(card => (card.question.ask_id === askId ? change(card) : card)) }
}

/** Whether a new question may come to the front: only where it takes nothing away from what the person does. */
function isFree(state: WindowState, busy: boolean): boolean {
  if (busy) return false
  const { showing } = state
  if (showing.view === 'page') return false
  return showing.view !== 'card' || !isOpenCard(state, showing.askId)
}

function isOpenCard(state: WindowState, askId: string): boolean {
  const card = cardOf(state, askId)
  return card !== undefined && isOpen(card)
}

/** Drops the cards that are over, but not the one that is still looked at. */
function tidied(state: WindowState): WindowState {
  const { showing } = state
  const stays = (card: Card) => isOpen(card) || (showing.view === 'card' && showing.askId === card.question.ask_id)
  return state.cards.every(stays) ? state : { ...state, cards: state.cards.filter(stays) }
}

/** What comes to the front when that is gone: the next question, else where it was run, else where something runs. */
function after(state: WindowState, cards: readonly Card[], gone?: Card): Showing {
  const [next] = cards
  if (next) return { view: 'card', askId: next.question.ask_id }
  const { terminals } = state
  const place = gone?.question.kind === 'command' || gone?.question.kind === 'input' ? gone.question.terminal_id : null
  const terminal =
    terminals.find(({ terminal_id }) => terminal_id === place) ??
    terminals.findLast(({ state: at }) => at === 'running') ??
    terminals.at(-1)
  return terminal ? { view: 'terminal', terminalId: terminal.terminal_id } : { view: 'start' }
}

function withTerminals(state: WindowState, terminals: readonly TerminalState[]): WindowState {
  const { showing } = state
  const next = { ...state, terminals }
  if (showing.view === 'terminal' && !terminals.some(({ terminal_id }) => terminal_id === showing.terminalId))
    return { ...next, showing: after(next, openCards(next)) }
  return next
}
