import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { choicesOf } from '../../approving/choices.ts'
import { declineWays, KEEP_MEANS } from '../../approving/decision.ts'
import { BEING_JUDGED, RULES_TO_EDIT, RUN_INSTEAD, WHY_NOT } from '../../approving/prompts.ts'
import { lineOf } from '../../approving/question.ts'
import { MINUTES, SCOPES } from '../../approving/scopes.ts'
import { lineDiff } from '../drawing/line-diff.ts'
import { ruleReach } from '../drawing/rule-reach.ts'
import { Drawn } from '../parts/drawn.tsx'
import { type Card, editOf, judgedOf, previewOf } from '../state/card.ts'
import { Effects } from './effects.tsx'
import type { Panel } from './panel.ts'
import { PreviewView } from './preview.tsx'
import { Worded } from './worded.tsx'

/** What is filled in before an answer: a reason, another line, how far an approval reaches, the words of a grave one. */

const Decline: Panel = ({ controller, card }) => {
  const field = useFocus<HTMLInputElement>()
  const { ask_id } = card.question
  const ways = declineWays(card.question)
  const declines = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.isComposing && !event.repeat && !event.ctrlKey && !event.metaKey)
      controller.decline(card, controller.watch.lastPress)
  }
  return (
    <>
      <label class="block">
        <span class="label mb-1 block">
          {WHY_NOT} <kbd class="key">⏎</kbd> declines.
        </span>
        <input
          ref={field}
          class="field"
          value={card.draft.reason}
          maxLength={2000}
          placeholder="Use the staging database instead"
          onInput={({ currentTarget }) => controller.draft(card.question.ask_id, { reason: currentTarget.value })}
          onKeyDown={declines}
        />
      </label>
      {ways.length > 1 && (
        <fieldset class="mt-3 grid gap-1" data-decline-ways>
          <legend class="label mb-1.5">How long your no holds</legend>
          {ways.map(({ keep, name }) => (
            <label key={keep} class="flex cursor-pointer items-baseline gap-2">
              <input
                type="radio"
                class="accent-accent"
                name={`keep-${ask_id}`}
                value={keep ?? 'once'}
                checked={card.draft.keep === keep}
                onChange={() => controller.draft(ask_id, { keep })}
                onKeyDown={declines}
              />
              <span>
                <Drawn text={name} as="prose" />
              </span>
            </label>
          ))}
          {card.draft.keep !== null && <p class="text-[13px] text-soft">{KEEP_MEANS}</p>}
        </fieldset>
      )}
    </>
  )
}

const JUDGE_AFTER_MS = 250

const Edit: Panel = ({ controller, card }) => {
  const field = useFocus<HTMLTextAreaElement>()
  const { ask_id } = card.question
  const before = lineOf(card.question)
  const { line } = card.draft
  const edit = editOf(card)
  useEffect(() => {
    if (edit === null || edit.trim() === '') return undefined
    const timer = setTimeout(() => controller.send({ type: 'judge', ask_id, command: edit }), JUDGE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [controller, ask_id, edit])
  return (
    <>
      <label class="block">
        <span class="label mb-1 block">{RUN_INSTEAD}</span>
        <textarea
          ref={field}
          class="field resize-none font-mono text-[13.5px]"
          rows={Math.min(8, line.split('\n').length)}
          spellcheck={false}
          value={line}
          data-line
          onInput={({ currentTarget }) => controller.draft(ask_id, { line: currentTarget.value })}
        />
      </label>
      {edit !== null && (
        <>
          <p class="mt-2 font-mono text-[13px]" data-diff>
            {lineDiff(before, line).map(({ kind, text }, i) => (
              <Changed key={i} kind={kind} text={text} />
            ))}
          </p>
          <Judgement card={card} />
        </>
      )}
    </>
  )
}

function Changed({ kind, text }: { kind: 'same' | 'added' | 'removed'; text: string }) {
  const drawn = <Drawn text={text} />
  if (kind === 'same') return drawn
  return kind === 'added' ? <ins class="added rounded-sm">{drawn}</ins> : <del class="removed rounded-sm">{drawn}</del>
}

/** What the host says about the edited line. Before it has, nobody can approve it. */
function Judgement({ card }: { card: Card }) {
  const judged = judgedOf(card)
  if (!judged) return <p class="mt-2 text-[13px] text-soft">{BEING_JUDGED}</p>
  const cannot = judged.plan_hash === null
  const tone = cannot || judged.grave ? 'text-grave' : 'text-soft'
  return (
    <>
      <p class={`mt-2 text-[13px] ${tone}`} data-judged={cannot ? 'refused' : judged.verdict.verdict}>
        {cannot ? 'It cannot be approved: ' : judged.grave ? 'Hard to undo: ' : 'The host says: '}
        <Drawn text={judged.problem ?? judged.verdict.why} as="prose" />
      </p>
      <Effects of={judged} grave={judged.grave} />
      <PreviewView preview={previewOf(card)} />
    </>
  )
}

/** How far the approval reaches, with the rules that it would leave, to be changed. */
const Scope: Panel = ({ controller, card }) => {
  const { ask_id } = card.question
  const { choice: chosen, minutes, rules } = card.draft
  const choices = choicesOf(card.question)
  const scope = choices.find(({ id }) => id === chosen)?.scope ?? 'once'
  return (
    <fieldset>
      <legend class="label mb-1.5">Remember this approval</legend>
      <div class="grid gap-1">
        {choices.map(choice => (
          <div key={choice.id} class="flex flex-wrap items-center gap-2">
            <label class={`flex cursor-pointer items-baseline gap-2 ${choice.id === chosen ? 'text-accent' : ''}`}>
              <input
                type="radio"
                class="accent-accent"
                name={`scope-${ask_id}`}
                checked={choice.id === chosen}
                onChange={() => controller.draft(ask_id, { choice: choice.id, rules: choice.rules })}
              />
              <span>{choice.scope === 'workspace' ? <Worded choice={choice} /> : SCOPES[choice.scope].title}</span>
            </label>
            {choice.id === 'time' && chosen === 'time' && (
              <select
                class="field h-7 w-auto py-0 text-[13px]"
                aria-label="For how long"
                value={minutes}
                onChange={({ currentTarget }) => controller.draft(ask_id, { minutes: Number(currentTarget.value) })}
              >
                {MINUTES.map(({ minutes: value, name }) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </div>
        ))}
      </div>
      <p class="mt-1.5 text-[13px] text-soft">{SCOPES[scope].note}</p>
      {scope !== 'once' && (
        <Rules card={card} change={next => controller.draft(ask_id, { rules: next })} rules={rules} />
      )}
    </fieldset>
  )
}

function Rules(props: { card: Card; rules: readonly string[]; change: (rules: readonly string[]) => void }) {
  const { rules, change } = props
  return (
    <div class="mt-2.5">
      <p class="label mb-1">{RULES_TO_EDIT}</p>
      <ul class="space-y-1.5">
        {rules.map((rule, i) => (
          <li
            key={i}
            class="grid grid-cols-[minmax(0,1fr)_minmax(0,15rem)] items-center gap-3 phone:grid-cols-1 phone:gap-0.5"
          >
            <input
              class="field font-mono text-[13px]"
              aria-label={`Rule ${i + 1}`}
              spellcheck={false}
              value={rule}
              onInput={({ currentTarget }) => change(rules.map((old, at) => (at === i ? currentTarget.value : old)))}
            />
            <span class="text-[13px] text-soft" data-reach>
              {ruleReach(rule)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Typing: Panel = ({ controller, card }) => {
  const { graveText } = controller.state.value
  return (
    <label class="flex flex-wrap items-center gap-x-3 gap-y-1 not-first:mt-3">
      <span class="font-medium text-grave">
        Type <code class="font-mono">{graveText}</code> to approve it
      </span>
      <input
        class="field max-w-[16rem] font-mono"
        aria-label={`Type “${graveText}” to approve it`}
        autocomplete="off"
        spellcheck={false}
        value={card.draft.typed}
        data-typed
        onPaste={event => event.preventDefault()}
        onDrop={event => event.preventDefault()}
        onInput={({ currentTarget }) => controller.draft(card.question.ask_id, { typed: currentTarget.value })}
      />
    </label>
  )
}

/** Before the next key comes: a field that takes the keyboard a moment later loses the first letters. */
function useFocus<T extends HTMLElement>() {
  const field = useRef<T>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  return field
}

export const PANELS = { decline: Decline, edit: Edit, scope: Scope, typing: Typing }
