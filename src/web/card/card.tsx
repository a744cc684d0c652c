import { Quote } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { askerOf, asksTo } from '../../approving/question.ts'
import { AGENTS_WORDS, askerNews, isFromFiles, pairedName, whoAsks } from '../../approving/who-asks.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProvedName } from '../parts/proved-name.tsx'
import { Waits, WaitsInWords } from '../parts/waits.tsx'
import { type Card, isOpen } from '../state/card.ts'
import { CommandBody } from './command-body.tsx'
import { DecideBar } from './decide-bar.tsx'
import { FoundBody } from './found-body.tsx'
import { InputBody } from './input-body.tsx'
import { PairingBody } from './pairing-body.tsx'
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
        <div class="mx-auto max-w-[860px] px-6 pt-6 pb-8 phone:px-4 phone:pt-4">
          <header class="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 id="asks" class="text-[17px] leading-snug font-semibold">
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
          <Body controller={controller} card={card} />
          {question.context !== null && !isFromFiles(question.requester) && <Says text={question.context} />}
          {question.context !== null && isFromFiles(question.requester) && <p class="mt-5">{question.context}</p>}
          <Origin card={card} />
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

/** The agent's own words, set apart so that nobody takes them for ours. */
const Says = ({ text }: { text: string }) => (
  <section class="mt-5" aria-label="What the agent says about it, not checked">
    <h2 class="label mb-1 flex items-center gap-1.5">
      <Icon of={Quote} size={13} /> {AGENTS_WORDS}
    </h2>
    <blockquote class="border-l-2 border-line pl-3 text-soft italic" data-context>
      <Drawn text={text} as="prose" />
    </blockquote>
  </section>
)

function Origin({ card: { question: q } }: { card: Card }) {
  const command = q.kind === 'command' || q.kind === 'input' ? q : null
  const ids = [
    ['Request', q.request_id],
    ['Trace', q.trace_id],
    ...(command ? [['Session', command.session_id]] : []),
    ...(command?.terminal_id ? [['Terminal', command.terminal_id]] : []),
    ['Plan', q.plan_hash],
  ] as const
  return (
    <details class="mt-5 text-[13px]">
      <summary class="label cursor-pointer select-none">Who asked, and ids</summary>
      <dl class="mt-2 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        <dt class="text-soft">Credential</dt>
        <dd class="min-w-0">
          <Drawn text={q.requester} /> {q.requester === 'local' && '(a program of yours on this machine)'}
          {pairedName(q.requester) !== null && '(paired by name)'}
        </dd>
        {ids.map(([name, id]) => (
          <>
            <dt key={`${name}-name`} class="text-soft">
              {name}
            </dt>
            <dd key={name} class="min-w-0 font-mono text-[12px] leading-[1.7] break-all">
              {id}
            </dd>
          </>
        ))}
      </dl>
    </details>
  )
}

/** Reports to the controller which part of the body is in view, whenever that may have changed. */
function watchView(body: HTMLDivElement | null, controller: WindowController): (() => void) | undefined {
  if (!body) return undefined
  body.scrollTop = 0
  let due = 0
  const look = (): void => {
    due = 0
    const { scrollTop, clientHeight, scrollHeight } = body
    if (clientHeight > 0)
      controller.watch.notice({ type: 'viewed', from: scrollTop, to: scrollTop + clientHeight, height: scrollHeight })
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
