import { Menu } from 'lucide'
import { useState } from 'preact/hooks'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { NoticeAbove } from '../parts/notice-line.tsx'
import { cardOf, openCards } from '../state/window-model.ts'
import {
  Admissions,
  BatchDecline,
  CardView,
  EndTerminal,
  KeysList,
  PAGE_VIEWS,
  SaveDialog,
  ShellDialog,
  Start,
  TerminalPane,
} from './lazy.tsx'
import { Rail } from './rail.tsx'
import { Tabs } from './tabs.tsx'

/** The whole window: questions on the left, tabs on top, and one thing in the middle. Nothing in it moves when one comes. */
export function WindowView({ controller }: { controller: WindowController }) {
  const [menu, setMenu] = useState(false)
  const state = controller.state.value
  const count = openCards(state).length
  const isBarred = state.alarm !== null || state.link.at === 'shut'
  return (
    <>
      <div
        inert={isBarred}
        class="grid h-full grid-cols-[300px_minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] phone:grid-cols-1"
      >
        <div
          class={`row-span-2 min-h-0 border-r border-line phone:fixed phone:inset-0 phone:z-20 phone:border-0 ${menu ? '' : 'phone:hidden'}`}
        >
          <Rail controller={controller} onPick={() => setMenu(false)} />
        </div>
        <header class="flex min-w-0 items-center border-b border-line">
          <button
            type="button"
            class="ghost ml-1 hidden phone:inline-flex"
            aria-label={`Questions, ${count} open`}
            onClick={() => setMenu(true)}
          >
            <Icon of={Menu} size={18} />
            {count > 0 && <span class="pill pill-open tabular-nums">{count}</span>}
          </button>
          <Tabs controller={controller} />
        </header>
        <main class="relative min-h-0 min-w-0 bg-panel">
          <Middle controller={controller} />
          <NoticeAbove controller={controller} />
          <Lost controller={controller} />
          {state.admissions.length > 0 && <Admissions controller={controller} />}
        </main>
        {controller.batch.value && <BatchDecline controller={controller} cards={controller.batch.value} />}
        {controller.ending.value && <EndTerminal controller={controller} ending={controller.ending.value} />}
        {controller.choosingShell.value && <ChosenShell controller={controller} {...controller.choosingShell.value} />}
        {controller.saving.value && <SaveDialog controller={controller} saving={controller.saving.value} />}
        {controller.showsKeys.value && <KeysList controller={controller} />}
        <p class="sr-only" role="status" aria-live="polite">
          {count === 0 ? '' : `${count} ${count === 1 ? 'question waits' : 'questions wait'} for you`}
        </p>
      </div>
      <Shut controller={controller} />
    </>
  )
}

/** If that terminal goes meanwhile, what is chosen is a new one. */
function ChosenShell({ controller, instead }: { controller: WindowController; instead: string | null }) {
  const terminal = controller.state.value.terminals.find(({ terminal_id }) => terminal_id === instead) ?? null
  const close = (): void => {
    controller.choosingShell.value = null
  }
  return <ShellDialog controller={controller} instead={terminal} onClose={close} />
}

function Middle({ controller }: { controller: WindowController }) {
  const { showing, ...state } = controller.state.value
  switch (showing.view) {
    case 'card': {
      const card = cardOf({ showing, ...state }, showing.askId)
      return card ? (
        <CardView key={showing.askId} controller={controller} card={card} />
      ) : (
        <Start controller={controller} />
      )
    }
    case 'terminal':
      return <TerminalPane controller={controller} terminalId={showing.terminalId} />
    case 'page': {
      const Page = PAGE_VIEWS[showing.page]
      return <Page controller={controller} />
    }
    case 'start':
      return <Start controller={controller} />
  }
}

/** What is on the screen is as old as the connection: said where the person looks, over what they see. */
function Lost({ controller }: { controller: WindowController }) {
  const { link } = controller.state.value
  if (link.at !== 'lost') return null
  return (
    <p
      role="alert"
      class="late absolute inset-x-0 top-0 z-20 border-b border-line bg-[var(--open-wash)] px-4 py-2.5 font-medium text-open"
      data-lost
    >
      The host does not answer. Nothing can be decided or typed until it does; this window tries again by itself.
    </p>
  )
}

/** No way back in, or an alarm: said over everything, because nothing else counts then. */
function Shut({ controller }: { controller: WindowController }) {
  const { link, alarm } = controller.state.value
  if (alarm === null && link.at !== 'shut') return null
  const text = alarm ?? (link.at === 'shut' ? link.why : '')
  return (
    <div class="fixed inset-0 z-30 grid place-items-center bg-ground/90 p-6" role="alertdialog" aria-labelledby="shut">
      <div class="max-w-md rounded-2xl border border-line bg-panel p-6 shadow-xl" data-shut>
        <h2 id="shut" class="mb-2 text-[17px] font-semibold">
          {alarm === null ? 'This window is not connected' : 'Alarm'}
        </h2>
        <p>
          <Drawn text={text} as="prose" />
        </p>
        {alarm !== null && link.at !== 'shut' && (
          <button type="button" class="button mt-4" onClick={() => controller.dispatch({ type: 'alarm_read' })}>
            Understood
          </button>
        )}
      </div>
    </div>
  )
}
