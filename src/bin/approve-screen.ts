import pc from 'picocolors'
import type { Question } from '../contract/approver-frames.ts'
import { drawn, proseRows, wrapped } from './approve-drawn.ts'
import { editedRows } from './approve-edited.ts'
import type { Field } from './approve-field.ts'
import { canBeWider, isEditable } from './approve-press.ts'
import { bodyRows, cut, numbered, row, verdictRows } from './approve-rows.ts'
import { type ApproveState, type Card, currentCard, editedIn, isArmed, lookedAt, titleOf } from './approve-state.ts'

export interface Screen {
  /** Exactly as many rows as the terminal has. */
  readonly rows: readonly string[]
  /** The first row shown and how many there are: who knows both knows what was on the screen. */
  readonly top: number
  readonly height: number
  readonly total: number
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Draws the whole screen. Everything that came from an agent goes through `drawn`. */
export function approveScreen(state: ApproveState, size: Size, now: number): Screen {
  const columns = Math.max(30, size.columns)
  const card = currentCard(state)
  const head = [header(state, columns), ...knocks(state, columns, now), pc.dim('─'.repeat(columns))]
  const edited = editedIn(state.mode)
  const asked = card && (edited ? editedRows(edited, card.question, columns) : question(card, columns, now))
  const body = asked ? [...asked, ...entry(state, columns)] : nobodyAsks(state, columns)
  const foot = [pc.dim('─'.repeat(columns)), ...notice(state, columns), keys(state, card, now, columns)]
  const height = Math.max(1, size.rows - head.length - foot.length)
  const top = Math.min(state.top, Math.max(0, body.length - height))
  // While something is typed the end of the body is what matters.
  const from = lookedAt(state) || state.mode.at === 'sent' ? top : Math.max(0, body.length - height)
  const shown = body.slice(from, from + height)
  while (shown.length < height) shown.push('')
  return { rows: [...head, ...shown, ...foot].slice(0, size.rows), top: from, height, total: body.length }
}

function header({ cards, current, presence }: ApproveState, columns: number): string {
  const at = cards.findIndex(({ question }) => question.ask_id === current) + 1
  const left = cards.length === 0 ? 'interactive-terminal approve' : `question ${at} of ${cards.length}`
  const right = presence ? `${presence.approvers} looking · ${presence.running} running` : ''
  const gap = ' '.repeat(Math.max(1, columns - left.length - right.length))
  return cut(`${left}${gap}${right}`, columns)
}

/** Above everything else: it is about who may answer at all. */
function knocks({ knocks: all, alarm }: ApproveState, columns: number, now: number): string[] {
  const alarmed = alarm === null ? [] : proseRows(alarm, columns).map(words => pc.red(pc.bold(words)))
  const away = alarm !== null && all.length === 0 ? [pc.dim('x put this away')] : []
  const [first] = all
  if (!first) return [...alarmed, ...away]
  const { name, surface, process, code } = first.asked
  const left = inWords(first.expiresAt - now)
  return [
    ...alarmed,
    pc.bold(cut('Somebody asks to be let in as an approver:', columns)),
    ...row('calls itself', name, columns),
    ...row('is', process === null ? surface : `${surface}, pid ${process.pid}, ${process.program}`, columns),
    `${pc.dim('code'.padEnd(13))}${pc.bold(code)} ${pc.dim(`(${left}${all.length > 1 ? `, ${all.length - 1} more wait` : ''})`)}`,
    ...proseRows('Is it you? Type the code there. Is it not? Press x, and it is cut off.', columns),
  ]
}

function nobodyAsks({ presence, welcome }: ApproveState, columns: number): string[] {
  const text = presence ? `Protection: ${presence.protection}` : ''
  return [
    '',
    'Nobody asks anything. Questions of agents appear here.',
    '',
    ...welcome.flatMap(line => wrapped(line, columns)),
    ...proseRows(drawn(text), columns).map(pc.dim),
  ]
}

function question(card: Card, columns: number, now: number): string[] {
  const { question: q } = card
  const body = q.kind === 'command' ? command(q, columns) : q.kind === 'rules' ? rules(q, columns) : pairing(q, columns)
  const asked = [q.requester, q.client].filter(text => text !== '').join(' · ')
  return [
    ...body,
    ...(q.context === null ? [] : row('it says', `“${q.context}”`, columns, 'the agent’s own words, not checked')),
    ...row('asked by', asked, columns),
    ...row('workspace', q.workspace_id ?? 'none', columns),
    ...row('time', times(card, now), columns),
    ...row('ids', `${q.request_id} · ${q.trace_id}`, columns),
  ]
}

function command(q: Extract<Question, { kind: 'command' }>, columns: number): string[] {
  const opens = q.intent === 'open_only'
  const title = opens ? 'An agent asks to open a shell of yours.' : 'An agent asks to run:'
  return [
    pc.bold(title),
    ...(opens ? [] : numbered(q.command, columns)),
    ...(q.args ?? []).flatMap((arg, i) => numbered(arg, columns, `arg ${i + 1}`)),
    '',
    ...(q.grave ? [pc.red(pc.bold('Hard to undo. It has to be typed out.')), ''] : []),
    ...verdictRows(q.verdict, q, columns),
    ...bodyRows(q.stands_for, columns),
    ...row('directory', q.cwd, columns),
    ...row('shell', [q.shell, ...(q.venv === null ? [] : [`venv ${q.venv}`])].join(' · '), columns),
    ...(q.executables.length > 0 ? row('programs', q.executables.join(', '), columns) : []),
    ...q.env.flatMap(({ name, value, carried }) =>
      row(carried ? 'carries' : 'sets', value === null ? `${name} unset` : `${name}=${value}`, columns),
    ),
    ...(q.kill_after_ms === null ? [] : row('ends', `killed after ${q.kill_after_ms} ms`, columns)),
  ]
}

function rules(q: Extract<Question, { kind: 'rules' }>, columns: number): string[] {
  return [
    pc.bold(
      `An agent asks to change what runs without asking (${q.layer === 'headless' ? 'headless only' : 'both lanes'}):`,
    ),
    ...q.added.flatMap(pattern => row('+ allow', pattern, columns)),
    ...q.removed.flatMap(pattern => row('- remove', pattern, columns)),
    '',
    ...row('directory', q.workspace_directory ?? 'none is bound to this workspace', columns),
  ]
}

function pairing(q: Extract<Question, { kind: 'pairing' }>, columns: number): string[] {
  return [
    pc.bold('Somebody asks to be let in by name, a container for example:'),
    ...row('+ pair', q.name, columns),
    '',
    ...row('means', 'whoever holds its key may ask you to run commands here, and reads its own runs', columns),
    ...row('later', `interactive-terminal pair --revoke ${q.name}`, columns),
  ]
}

function times({ question, askedAt, expiresAt }: Card, now: number): string {
  return `waiting ${inWords(now - askedAt)}, expires in ${inWords(expiresAt - now)} (asked at ${timeOfDay(question.asked_at)})`
}

const timeOfDay = (iso: string): string => new Date(iso).toTimeString().slice(0, 8)

function inWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** What the person is typing or choosing, below the question. */
function entry(state: ApproveState, columns: number): string[] {
  const { mode } = state
  switch (mode.at) {
    case 'looking':
      return []
    case 'sent':
      return ['', pc.dim('Sent. Waiting for the host …')]
    case 'declining':
      return [
        '',
        ...heading('Decline. Why? (the agent reads it; empty is fine)', columns),
        ...typed(mode.field, columns),
      ]
    case 'editing':
      return ['', ...heading('Run this instead:', columns), ...typed(mode.field, columns)]
    case 'checking':
      return mode.judged ? [] : ['', pc.dim('The host looks at it …')]
    case 'typing':
      return ['', ...heading(`Type “${state.graveText}” to approve:`, columns), ...typed(mode.field, columns)]
    case 'choosing':
      return ['', ...CHOICES.map(choice => cut(choice, columns))]
    case 'ruling':
      return [
        '',
        ...heading(`Runs without asking ${reach(mode.scope)}. One rule per line; an empty one is left out:`, columns),
        ...mode.rules.flatMap((field, i) => (i === mode.row ? typed(field, columns) : [`  ${drawn(field.text)}`])),
      ]
  }
}

const heading = (text: string, columns: number): string[] => proseRows(text, columns).map(words => pc.bold(words))

const CHOICES = [
  '1  approve this once',
  '2  the same in this terminal, until the host ends',
  '3  the same in this workspace, always (written to its rules)',
  '4  the same for 15 minutes    5  for an hour    6  for 8 hours',
]

const reach = (scope: { kind: string; minutes?: number }): string =>
  scope.kind === 'terminal'
    ? 'in this terminal'
    : scope.kind === 'workspace'
      ? 'in this workspace, always'
      : `for ${scope.minutes} minutes`

function typed({ text, caret }: Field, columns: number): string[] {
  const chars = [...text]
  const before = drawn(chars.slice(0, caret).join(''))
  const after = drawn(chars.slice(caret).join(''))
  return wrapped(`${before}▏${after}`, Math.max(8, columns - 2)).map(words => `> ${words}`)
}

function notice({ notice: text }: ApproveState, columns: number): string[] {
  return text === null ? [''] : [pc.yellow(cut(text, columns))]
}

function keys(state: ApproveState, card: Card | null, now: number, columns: number): string {
  if (!card) return cut('q quit', columns)
  switch (state.mode.at) {
    case 'looking': {
      if (!state.seenAll)
        return pc.bold(
          cut('↓ more, space a page: all of it must be seen before it can be approved   d decline   q quit', columns),
        )
      const { question: q } = card
      const words = [
        'a approve',
        ...(canBeWider(q) ? ['s wider'] : []),
        ...(isEditable(q) ? ['e edit'] : []),
        'd decline',
        ...(state.cards.length > 1 ? ['tab next'] : []),
        'q quit',
      ]
      const line = cut(words.join('   '), columns)
      return isArmed(state, now) ? pc.bold(line) : pc.dim(cut(`… ${titleOf(q)}`, columns))
    }
    case 'declining':
      return pc.bold('enter decline   esc back')
    case 'editing':
      return pc.bold('enter look at it   esc back')
    case 'checking':
      if (state.mode.judged?.plan_hash === null) return pc.bold('e edit   esc back')
      if (state.mode.judged && !state.mode.seenAll)
        return pc.bold(
          cut('↓ more, space a page: all of it must be seen before it can be approved   e edit   esc back', columns),
        )
      return state.mode.judged && isArmed(state, now) ? pc.bold('a approve this line   e edit   esc back') : pc.dim('…')
    case 'choosing':
      return pc.bold('1-6 choose   esc back')
    case 'ruling':
    case 'typing':
      return isArmed(state, now) ? pc.bold('enter approve   esc back') : pc.dim('enter approve   esc back')
    case 'sent':
      return ''
  }
}
