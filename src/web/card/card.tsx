import { Bookmark, Quote } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { askerOf, asksTo, isEditable, lineOf } from '../../approving/question.ts'
import { AGENTS_WORDS, askerNews, isFromFiles, whoAsks } from '../../approving/who-asks.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProvedName } from '../parts/proved-name.tsx'
import { Waits, WaitsInWords } from '../parts/waits.tsx'
import { type Card, editOf, isOpen } from '../state/card.ts'
import { CommandBody } from './command-body.tsx'
import { DecideBar } from './decide-bar.tsx'
import { Details } from './details.tsx'
import { FoundBody } from './found-body.tsx'
import { InputBody } from './input-body.tsx'
import { PairingBody } from './pairing-body.tsx'
import { PreviewView } from './preview.tsx'
import { RulesBody } from './rules-body.tsx'
import { SetupBody } from './setup-body.tsx'

/** One question, whole. Its body scrolls; what decides is below and never moves. */
export function CardView({ controller, card }: { controller: WindowController; card: Card }) {
  const { question } = card
  const { claims, from, remark } = whoAsks(question)
  const news = askerNews(question)
  const body = useRef<HTMLDivElement>(null)
  const askId = question.ask_id
  useEffect(() => watchView(body.current, controller), [askId, controller])
  return (
    <article aria-labelledby="asks" class="flex h-full min-h-0 flex-col" data-ask={askId}>
      <div ref={body} class="min-h-0 grow overflow-y-auto overscroll-contain" data-body tabIndex={-1}>
        <div class="column pt-5 phone:pt-4" data-to-read>
          <header class="mb-3 flex flex-wrap items-center gap-x-3 gap-y-0.5">
            <h1 id="asks" class="text-[15px] leading-snug font-medium">
              {askerOf(question)}
              {(claims !== null || from !== null) && (
                <span class="font-normal text-soft" data-asker-claims>
                  {claims !== null && (
                    <>
                      {' '}
                      that calls itself “<Drawn text={claims} />”
                    </>
                  )}
                  {from !== null && `, ${from},`}
                </span>
              )}{' '}
              <ProvedName requester={question.requester} /> <Drawn text={asksTo(question)} as="prose" />
            </h1>
            {isOpen(card) && (
              <p class="flex items-center gap-1.5 text-[13px] text-soft">
                <Waits card={card} />
                <WaitsInWords card={card} />
              </p>
            )}
            <p class="w-full text-[13px] text-soft" data-asker>
              <Drawn text={remark} />
            </p>
          </header>
          {news !== null && (
            <p
              role="status"
              class="mb-4 rounded-lg bg-[var(--open-wash)] px-3 py-2 font-medium text-open"
              data-asker-news
            >
              {news}
            </p>
          )}
          {question.context !== null && !isFromFiles(question.requester) && (
            <Says key={askId} text={question.context} />
          )}
          <Body controller={controller} card={card} />
          {question.context !== null && isFromFiles(question.requester) && <p class="mt-5">{question.context}</p>}
        </div>
        <div class="column pb-8">
          {editOf(card) === null && <PreviewView preview={card.preview} />}
          <Details key={askId} card={card} />
          {question.kind === 'command' && isEditable(question) && (
            <button
              type="button"
              class="ghost mt-2 -ml-1.5 text-[13px]"
              data-save-card
              onClick={() => {
                const { workspace_id: workspaceId } = question
                controller.saving.value = { saved: null, command: lineOf(question), workspaceId }
              }}
            >
              <Icon of={Bookmark} size={14} /> Save this command…
            </button>
          )}
        </div>
      </div>
      <DecideBar controller={controller} card={card} />
    </article>
  )
}

function Body({ controller, card }: { controller: WindowController; card: Card }) {
  const { question } = card
  switch (question.kind) {
    case 'command':
      return <CommandBody question={question} />
    case 'input':
      return <InputBody question={question} />
    case 'rules':
      return <RulesBody question={question} />
    case 'pairing':
      return <PairingBody question={question} />
    case 'setup':
      return <SetupBody question={question} />
    case 'found':
      return <FoundBody controller={controller} card={card} question={question} />
  }
}

const LONGEST_SAID = 320

/** Why, before what: the agent's own words, set apart so that nobody takes them for ours. Many of them do not push the command away. */
function Says({ text }: { text: string }) {
  const [whole, setWhole] = useState(text.length <= LONGEST_SAID && text.split('\n').length <= 3)
  const said = whole ? text : `${text.split('\n').slice(0, 3).join('\n').slice(0, LONGEST_SAID)}…`
  return (
    <section class="mb-3" aria-label="What the agent says about it, not checked">
      <h2 class="label mb-0.5 flex items-center gap-1.5">
        <Icon of={Quote} size={13} /> {AGENTS_WORDS}
      </h2>
      <blockquote class="border-l-2 border-line pl-3 text-soft italic" data-context>
        <Drawn text={said} as="prose" />
      </blockquote>
      {!whole && (
        <button type="button" class="ghost mt-1 text-[12px]" onClick={() => setWhole(true)} data-says-more>
          Show all it says
        </button>
      )}
    </section>
  )
}

/** Reports to the controller which part of what has to be read is in view, whenever that may have changed. The details below it need not be. */
function watchView(body: HTMLDivElement | null, controller: WindowController): (() => void) | undefined {
  if (!body) return undefined
  body.scrollTop = 0
  let due = 0
  const look = (): void => {
    due = 0
    const { scrollTop, clientHeight } = body
    const height = body.querySelector<HTMLElement>('[data-to-read]')?.offsetHeight ?? body.scrollHeight
    if (clientHeight > 0)
      controller.watch.notice({ type: 'viewed', from: scrollTop, to: scrollTop + clientHeight, height })
  }
  // After a frame was painted: what was never drawn was never in view.
  const soon = (): void => {
    if (due === 0) due = requestAnimationFrame(() => requestAnimationFrame(look))
  }
  const sizes = new ResizeObserver(soon)
  sizes.observe(body)
  for (const child of body.children) sizes.observe(child)
  body.addEventListener('scroll', soon, { passive: true })
  document.addEventListener('visibilitychange', soon)
  // Nothing of it was measured: it has just come, or another admission starts anew with a card that is there already.
  const unmeasured = controller.watch.attention.subscribe(attention => {
    if (attention?.height === null) soon()
  })
  soon()
  return () => {
    unmeasured()
    cancelAnimationFrame(due)
    sizes.disconnect()
    body.removeEventListener('scroll', soon)
    document.removeEventListener('visibilitychange', soon)
  }
}
