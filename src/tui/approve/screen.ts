import pc from 'picocolors'
import { turnedAwayWords } from '../../approving/blocked-words.ts'
import { canBeWider, choiceOf, TRUST_MEANS, trustOffer } from '../../approving/choices.ts'
import { declineWays } from '../../approving/decision.ts'
import { inWords } from '../../approving/durations.ts'
import { ADMISSION_ASKED, ADMISSION_CODE, BEING_JUDGED, RUN_INSTEAD, WHY_NOT } from '../../approving/prompts.ts'
import { isEditable } from '../../approving/question.ts'
import { AGENTS_WORDS, askerNews, isFromFiles, whoAsks } from '../../approving/who-asks.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { changeRows } from './changes.ts'
import { choiceRows, optionRows, projectRows, rulingHeading } from './choices.ts'
import { type CardRows, commandRows } from './command-rows.ts'
import { declineRows } from './decline-rows.ts'
import { drawn, proseRows, wrapped } from './drawn.ts'
import { editedRows } from './edited.ts'
import { blockedRows, cut, leftRows, previewRows, prose, row } from './rows.ts'
import { type ApproveState, type Card, currentCard, editedIn, isArmed, lookedAt } from './state.ts'
import { shortTitle } from './title.ts'
import { heading, typed } from './typed-rows.ts'
import { hasSecrets } from './variables.ts'

export interface Screen {
  /** Exactly as many rows as the terminal has. */
  readonly rows: readonly string[]
  /** The first row shown and how many there are: who knows both knows what was on the screen. */
  readonly top: number
  readonly height: number
  readonly total: number
  /** So many of them have to be on the screen before an approval: the rest is for who wants to know more. */
  readonly toRead: number
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Draws the whole screen. Everything that came from an agent goes through `drawn`. */
export function approveScreen(state: ApproveState, size: Size, now: number): Screen {
  const columns = Math.max(30, size.columns)
  const card = currentCard(state)
  const head = [
    header(state, columns),
    ...admissionRows(state, columns, now),
    ...leftRows(state.left, columns),
    pc.dim('─'.repeat(columns)),
  ]

  const edited = editedIn(state.mode)
  const asked =
    card &&
    (state.mode.at === 'keys'
      ? whole(keyRows(columns))
      : edited
        ? editedRows(edited, card.question, columns, state.revealed)
        : question(card, state, columns, now))
  const body = asked ? [...asked.read, ...asked.details, ...entry(state, columns)] : nothingWaits(state, columns)
  const below = [...notice(state, columns), keys(state, card, now, columns)]

  const height = Math.max(1, size.rows - head.length - below.length - 1)
  const top = Math.min(state.top, Math.max(0, body.length - height))
  // While something is typed the end of the body is what matters.
  const from = lookedAt(state) || state.mode.at === 'sent' ? top : Math.max(0, body.length - height)

  const foot = [position({ from, height, total: body.length }, columns), ...below]
  const shown = body.slice(from, from + height)
  while (shown.length < height) shown.push('')
  const rows = [...head, ...shown, ...foot].slice(0, size.rows)
  return { rows, top: from, height, total: body.length, toRead: asked ? asked.read.length : body.length }
}

const whole = (read: readonly string[]): CardRows => ({ read, details: [] })

/** The line under the question; it says which part of a long one is in view. */
function position({ from, height, total }: { from: number; height: number; total: number }, columns: number): string {
  const text = total > height ? `─── rows ${from + 1} to ${Math.min(total, from + height)} of ${total} ` : ''
  return pc.dim(cut(`${text}${'─'.repeat(Math.max(0, columns - text.length))}`, columns))
}

const KEYS: readonly (readonly [string, string])[] = [
  ['space', 'read on; page down, page up, home, end and the arrows move, too'],
  ['a', 'approve, once all of it was on the screen'],
  ['d or r', 'decline, with a reason or none; enter sends it'],
  ['e', 'run another line instead'],
  ['2 to 5', 'approve, and do not ask again: what each means is on the card'],
  ['s', 'the same, and change the rules first'],
  ['t', 'trust the folder with the approval'],
  ['v', 'show the values of variables that look like secrets, or hide them again'],
  ['j, k, tab', 'the next question, the one before'],
  ['x', 'refuse who asks to be admitted, or dismiss an alarm'],
  ['q', 'quit; questions stay open for whoever else may answer'],
]

const keyRows = (columns: number): string[] => [
  pc.bold('Keys'),
  '',
  ...KEYS.flatMap(([key, does]) => row(key, does, columns)),
  '',
  ...proseRows('No key that moves ever decides. Any key goes back to the question.', columns),
]

function header({ cards, current, presence }: ApproveState, columns: number): string {
  const at = cards.findIndex(({ question }) => question.ask_id === current) + 1
  const left = cards.length === 0 ? 'interactive-terminal approve' : `question ${at} of ${cards.length}`
  const right = presence ? `${presence.approvers} looking · ${presence.running} running` : ''
  if (presence && presence.turned_away > 0) return cut(`${left}   ${turnedAwayWords(presence.turned_away)}`, columns)
  const gap = ' '.repeat(Math.max(1, columns - left.length - right.length))
  return cut(`${left}${gap}${right}`, columns)
}

/** Above everything else: it is about who may answer at all. */
function admissionRows({ admissions: all, alarm }: ApproveState, columns: number, now: number): string[] {
  const alarmed = alarm === null ? [] : proseRows(alarm, columns).map(words => pc.red(pc.bold(words)))
  const away = alarm !== null && all.length === 0 ? [pc.dim('x dismiss this')] : []
  const [first] = all
  if (!first) return [...alarmed, ...away]
  const { name, surface, process, code } = first.asked
  const left = inWords(first.expiresAt - now)
  return [
    ...alarmed,
    pc.bold(cut(`Somebody ${ADMISSION_ASKED}:`, columns)),
    ...row('calls itself', name, columns),
    ...row('is', process === null ? surface : `${surface}, pid ${process.pid}, ${process.program}`, columns),
    `${pc.dim('code'.padEnd(13))}${pc.bold(code)} ${pc.dim(`(${left}${all.length > 1 ? `, ${all.length - 1} more wait` : ''})`)}`,
    ...proseRows(`${ADMISSION_CODE} If not, press x, and it is cut off.`, columns),
  ]
}

function nothingWaits({ presence, welcome, blocked }: ApproveState, columns: number): string[] {
  const text = presence ? `Protection: ${presence.protection}` : ''
  return [
    '',
    'No commands waiting. What agents want to run appears here.',
    '',
    ...welcome.flatMap(line => wrapped(line, columns)),
    ...proseRows(drawn(text), columns).map(pc.dim),
    ...blockedRows(blocked, columns),
  ]
}

const MOST_SAID = 2

/** Why, before what. Long words are cut here, so that the command stays on the first screen; the whole of them is below. */
function saysRows({ context, requester }: Question, columns: number): { says: string[]; rest: string[] } {
  if (context === null) return { says: [], rest: [] }
  if (isFromFiles(requester)) return { says: [], rest: prose(context, columns) }
  const all = row('it says', `“${context}”`, columns, AGENTS_WORDS)
  if (all.length <= MOST_SAID + 1) return { says: all, rest: [] }
  return { says: [...all.slice(0, MOST_SAID), ...prose(`… ${AGENTS_WORDS}; more of them below`, columns)], rest: all }
}

function question(card: Card, { trust: trusted, revealed }: ApproveState, columns: number, now: number): CardRows {
  const { question: q } = card
  const body = q.kind === 'command' ? commandRows(q, columns, revealed) : whole(changeRows(q, columns))
  const { claims, from, remark } = whoAsks(q)
  const news = askerNews(q)
  const { says, rest } = saysRows(q, columns)
  const read = [
    ...(news === null ? [] : [...proseRows(news, columns).map(words => pc.yellow(pc.bold(words))), '']),
    ...says,
    ...body.read,
    ...(isFromFiles(q.requester)
      ? []
      : row('calls itself', [claims ?? 'nothing', ...(from === null ? [] : [from])].join(', '), columns)),
    ...prose(remark, columns),
    ...(q.kind === 'command' ? projectRows(q, columns) : row('workspace', q.workspace_id ?? 'none', columns)),
    ...(q.kind === 'command' ? choiceRows(q, trusted, columns) : []),
  ]

  const details = [
    ...previewRows(card.preview, columns),
    ...body.details,
    ...rest,
    ...row('time', times(card, now), columns),
    ...row('ids', `${q.request_id} · ${q.trace_id}`, columns),
  ]
  // Of a change everything that is on the card is what is decided.
  return q.kind === 'command' ? { read, details } : whole([...read, ...details])
}

function times({ question, askedAt, expiresAt }: Card, now: number): string {
  return `waiting ${inWords(now - askedAt)}, expires in ${inWords(expiresAt - now)} (asked at ${timeOfDay(question.asked_at)})`
}

const timeOfDay = (iso: string): string => new Date(iso).toTimeString().slice(0, 8)

/** What the person is typing or choosing, below the question. */
function entry(state: ApproveState, columns: number): string[] {
  const { mode } = state
  const card = currentCard(state)
  switch (mode.at) {
    case 'looking':
    case 'keys':
      return []
    case 'sent':
      return ['', pc.dim('Sent. Waiting for the host …')]

    case 'declining':
      return [
        '',
        ...heading(WHY_NOT, columns),
        ...typed(mode.field, columns),
        ...declineRows(card?.question ?? null, mode.way, columns),
      ]
    case 'editing':
      return ['', ...heading(RUN_INSTEAD, columns), ...typed(mode.field, columns)]
    case 'checking':
      return mode.judged ? [] : ['', pc.dim(BEING_JUDGED)]
    case 'typing':
      return ['', ...heading(`Type “${state.graveText}” to approve:`, columns), ...typed(mode.field, columns)]

    case 'choosing':
      return card ? optionRows(card.question, columns) : []
    case 'trusting':
      return [
        '',
        ...heading('Trust this folder with your approval:', columns),
        ...proseRows(TRUST_MEANS, columns),
        ...typed(mode.field, columns),
      ]
    case 'ruling':
      return [
        '',
        ...heading(rulingHeading(mode), columns),
        ...mode.rules.flatMap((field, i) => (i === mode.row ? typed(field, columns) : [`  ${drawn(field.text)}`])),
      ]
  }
}

function notice({ notice: text }: ApproveState, columns: number): string[] {
  return text === null ? [''] : [pc.yellow(cut(text, columns))]
}

function keys(state: ApproveState, card: Card | null, now: number, columns: number): string {
  if (!card) return cut('q quit', columns)
  switch (state.mode.at) {
    case 'looking': {
      if (!state.seenAll)
        return pc.bold(cut('space reads on (before approval: the command)   d decline   ? keys   q quit', columns))
      const { question: q } = card
      const words = [
        'a approve',
        ...(choiceOf(q, 'always') ? ['2 don’t ask again'] : canBeWider(q) ? ['s wider'] : []),
        ...(trustOffer(q) ? ['t trust'] : []),
        ...(isEditable(q) ? ['e edit'] : []),
        ...(hasSecrets(q) ? ['v values'] : []),
        'd decline',
        ...(state.cards.length > 1 ? ['tab next'] : []),
        '? keys',
        'q quit',
      ]
      const line = cut(words.join('   '), columns)
      return isArmed(state, now) ? pc.bold(line) : pc.dim(cut(`… ${shortTitle(q)}`, columns))
    }
    case 'keys':
      return pc.bold('any key goes back')

    case 'declining':
      return pc.bold(
        cut(`enter decline${declineWays(card.question).length > 1 ? '   tab for today' : ''}   esc back`, columns),
      )
    case 'editing':
      return pc.bold('enter look at it   esc back')
    case 'checking':
      if (state.mode.judged?.plan_hash === null) return pc.bold('e edit   esc back')
      if (state.mode.judged && !state.mode.seenAll)
        return pc.bold(cut('space reads on (before approval: to the end)   e edit   esc back', columns))
      return state.mode.judged && isArmed(state, now) ? pc.bold('a approve this line   e edit   esc back') : pc.dim('…')

    case 'choosing':
      return pc.bold('a number chooses   esc back')
    case 'trusting':
      return pc.bold('enter trust it with the approval   esc not')
    case 'ruling':
    case 'typing':
      return isArmed(state, now) ? pc.bold('enter approve   esc back') : pc.dim('enter approve   esc back')
    case 'sent':
      return ''
  }
}
