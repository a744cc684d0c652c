import { tookInWords } from '../../approving/durations.ts'
import { type Ending, outcomeIn, runEnding, runEndingInShort } from '../../approving/run-ending.ts'
import type { HistoryItem, HistoryOutcome } from '../../contract/window/history-frames.ts'

export const OUTCOMES: Readonly<Record<HistoryOutcome, string>> = {
  open: 'Waits or runs',
  succeeded: 'Exit code 0',
  failed: 'Another exit code',
  ended: 'Ended by somebody',
  lost: 'Lost',
  declined: 'Declined',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  blocked: 'Refused',
  not_started: 'Could not start',
}

export const LANES = { headless: 'Headless', interactive: 'In a terminal' } as const

type EndedItem = Pick<HistoryItem, 'lane' | 'outcome'>

export const endingOf = ({ lane, outcome }: EndedItem): Ending => runEnding(outcomeIn(lane, outcome))
export const shortEndingOf = ({ lane, outcome }: EndedItem): string => runEndingInShort(outcomeIn(lane, outcome))

/** Who let it run, and when; null: nobody did. */
export function approvalInWords({
  approved_by,
  answered,
}: Pick<HistoryItem, 'approved_by' | 'answered'>): string | null {
  if (approved_by === 'allowlist') return 'allowed by a rule'
  if (approved_by !== 'person') return null
  if (answered === null) return 'approved by you'
  const where = answered.on === null ? '' : ` in the ${answered.on}`
  return `approved by you${where} at ${timeOfDay(answered.at)}`
}

export const durationOf = ({ took_ms }: Pick<HistoryItem, 'took_ms'>): string | null =>
  took_ms === null ? null : tookInWords(took_ms)

/** The time of a day that is today, else day and time. */
export function whenInWords(at: number, now: Date): string {
  const [day, today] = [new Date(at).toDateString(), now.toDateString()]
  return day === today ? timeOfDay(at) : `${dayOf(at)} ${timeOfDay(at)}`
}

const two = (number: number): string => String(number).padStart(2, '0')
const timeOfDay = (at: number): string => new Date(at).toTimeString().slice(0, 8)
const dayOf = (at: number): string => {
  const day = new Date(at)
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** A run by who asked for it and its id: as the address of what is open in the page. */
export const itemKey = ({ requester, session_id }: Pick<HistoryItem, 'requester' | 'session_id'>): string =>
  `${requester} ${session_id}`
