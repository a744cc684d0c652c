import { HABIT_OFFER, isHabit, reflexesAfter } from '../../approving/arming.ts'
import { CHANGED_BEFORE_START, NOT_STARTED } from '../../approving/asked-again.ts'
import { choiceOf } from '../../approving/choices.ts'
import { timesOf } from '../../approving/durations.ts'
import { answeredWords, joinedWords, REMINDED, WITHDRAWN } from '../../approving/question-over.ts'
import { withAlarm } from '../../approving/unread-alarms.ts'
import { toType } from '../../base/own-command.ts'
import type { Question, ToApprover } from '../../contract/wire/approver-frames.ts'
import { drawn } from './drawn.ts'
import { type ApproveState, type Card, revisionOfCurrent, turnTo } from './state.ts'
import { shortTitle } from './title.ts'

/** The state after a frame of the host. `wallNow`: the time of day, as the host writes it. */
export function onFrame(state: ApproveState, frame: ToApprover, now: number, wallNow: number): ApproveState {
  switch (frame.type) {
    case 'question': {
      const known = state.cards.find(({ question }) => question.ask_id === frame.ask_id)
      const preview = known?.preview ? { preview: known.preview } : {}
      const card = { question: frame, ...timesOf(frame, now, wallNow), ...preview }
      if (known && revisionOf(known.question) < revisionOf(frame)) return changed(state, card, now)
      const next = known ? state : { ...state, cards: [...state.cards, card], notice: noticeAt(state, frame) }
      return next.current === null ? turnTo(next, frame.ask_id, now) : next
    }
    case 'answered':
      return without(withPace(state, frame, now), frame.ask_id, now, lowered(drawn(answeredWords(frame))))
    case 'not_started':
      return { ...state, notice: `last: ${NOT_STARTED}` }
    case 'withdrawn':
      return without(state, frame.ask_id, now, lowered(WITHDRAWN[frame.why]))
    case 'answer_refused': {
      const notice = `Your answer did not count: ${drawn(frame.problem)}`
      if (!frame.open) return without(state, frame.ask_id, now, notice)
      if (state.current !== frame.ask_id) return { ...state, notice }
      const { mode } = state
      return { ...state, mode: mode.at === 'sent' ? mode.from : mode, touchedAt: now, notice }
    }

    case 'preview': {
      const { mode } = state
      if (frame.edited === null)
        return { ...state, cards: state.cards.map(card => (isAbout(frame, card) ? { ...card, preview: frame } : card)) }
      if (mode.at !== 'checking' || mode.command !== frame.edited) return state
      return { ...state, mode: { ...mode, preview: frame } }
    }
    case 'reminder':
      return { ...state, notice: REMINDED[frame.stage] }
    case 'shown_heard':
      return state.current === frame.ask_id && revisionOfCurrent(state) === frame.revision && !state.heard
        ? { ...state, heard: true, touchedAt: now }
        : state
    case 'judged': {
      const { mode, current } = state
      if (current !== frame.ask_id || mode.at !== 'checking' || mode.command !== frame.command) return state
      return { ...state, mode: { ...mode, judged: frame, seenAll: false }, top: 0, touchedAt: now }
    }

    case 'admission_asked':
      return { ...state, admissions: [...state.admissions, { asked: frame, expiresAt: now + frame.expires_in_ms }] }
    case 'admission_over': {
      const admissions = state.admissions.filter(({ asked }) => asked.admission_id !== frame.admission_id)
      return { ...state, admissions }
    }
    case 'approver_joined':
      return { ...state, notice: drawn(joinedWords(frame)) }
    case 'alarm':
      return { ...state, alarm: withAlarm(state.alarm, drawn(frame.message)) }

    case 'left_running':
      return { ...state, left: frame.items }
    case 'blocked_commands':
      return { ...state, blocked: frame }
    case 'presence':
      return { ...state, presence: frame }

    case 'terminals': {
      const asking = frame.items.find(({ wait_state }) => wait_state === 'secret')
      return asking ? { ...state, notice: secretNotice(asking.name) } : state
    }

    case 'challenge':
    case 'code_shown':
    case 'admitted':
    case 'refused':
    case 'heartbeat':
    case 'screen_used':
    // This screen is for answers; "interactive-terminal attach" is for terminals.
    case 'terminal_runs_shown':
    case 'watching':
    case 'snapshot':
    case 'stream_end':
    case 'terminal_output':
    case 'done':
    case 'failed':
      return state
  }
}

/** Only the person types it, and not here. */
const secretNotice = (name: string): string =>
  `A program in ${drawn(name)} asks for a password. Type it there: ${toType('attach')}, or the window.`

/** Whether answers are given faster than they can have been read. */
function withPace(state: ApproveState, frame: Extract<ToApprover, { type: 'answered' }>, now: number): ApproveState {
  const card = state.cards.find(each => isAbout(frame, each))
  if (!frame.yours || card?.question.kind !== 'command') return state
  const { outcome } = frame
  return { ...state, reflexes: reflexesAfter(state.reflexes, { outcome, tookMs: now - card.askedAt }) }
}

const isAbout = ({ ask_id }: { readonly ask_id: string }, { question }: Card): boolean => question.ask_id === ask_id

const revisionOf = ({ revision = 0 }: Question): number => revision

/** What it says has changed: if it is the one on the screen, it has to be read anew. */
function changed(state: ApproveState, card: Card, now: number): ApproveState {
  const { ask_id } = card.question
  const cards = state.cards.map(each => (each.question.ask_id === ask_id ? card : each))
  if (state.current !== ask_id) return { ...state, cards }
  const anew = turnTo({ ...state, cards }, ask_id, now)
  // Declining needs no reading, so what was typed for it stays.
  return state.mode.at === 'declining' ? { ...anew, mode: state.mode } : anew
}

/** Behind what it is about. */
const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

/** The one before was approved and did not run; or they are approved unread, and a rule would do. */
function noticeAt({ notice, reflexes }: ApproveState, question: Question): string | null {
  if (question.kind !== 'command') return notice
  if (question.changed.length > 0) return `last: ${shortTitle(question)} — ${CHANGED_BEFORE_START}`
  return isHabit(reflexes) && choiceOf(question, 'always') ? `${HABIT_OFFER} press 2` : notice
}

function without(state: ApproveState, askId: string, now: number, outcome: string): ApproveState {
  const gone = state.cards.find(({ question }) => question.ask_id === askId)
  if (!gone) return state
  const cards = state.cards.filter(card => card !== gone)
  const notice = `last: ${shortTitle(gone.question)} — ${outcome}`
  const next = { ...state, cards, notice }
  return state.current === askId ? turnTo(next, cards[0]?.question.ask_id ?? null, now) : next
}
