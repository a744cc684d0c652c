import { Copy, Eraser, RotateCcw, Search } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { runEnding, runEndingInShort } from '../../approving/run-ending.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import { isTyping } from '../controller/keys.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { terminalFontSize, theme } from '../parts/preferences.ts'
import { ProvedName } from '../parts/proved-name.tsx'
import type { SeenRun } from '../state/seen-runs.ts'
import type { LiveTerminal } from './live-terminal.ts'
import { LiveTerminals } from './live-terminals.ts'
import { restartAsShell } from './restart-as-shell.ts'
import { SearchBar } from './search-bar.tsx'
import { WhoTypes } from './who-types.tsx'

let all: LiveTerminals | null = null

/** One terminal: what it is, what can be done with it, and its screen. */
export function TerminalPane({ controller, terminalId }: { controller: WindowController; terminalId: string }) {
  all ??= new LiveTerminals(controller)
  const live = all.of(terminalId)
  const place = useRef<HTMLDivElement>(null)
  const [searching, search] = useState(false)
  const terminal = controller.state.value.terminals.find(({ terminal_id }) => terminal_id === terminalId)
  const runId = terminal?.run_id ?? null
  const isShell = terminal?.state === 'shell'

  useLayoutEffect(() => {
    if (!place.current) return undefined
    live.show(place.current)
    return () => live.hide()
  }, [live])
  // Also when it is shown first and known to be a shell a moment later; never out of a field that is being typed into.
  useLayoutEffect(() => {
    if (isShell && !isTyping()) live.focus()
  }, [live, isShell])
  // It was put on the screen, or another run is in it now: that one is shown.
  useEffect(() => live.look(null), [runId, live])
  const colors = theme.value
  const size = terminalFontSize.value
  useEffect(() => all?.restyle(), [colors, size])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || !event.shiftKey) return
    if (event.key.toLowerCase() === 'f') search(true)
    else if (event.key.toLowerCase() === 'c') void navigator.clipboard.writeText(live.selection)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <section
      class="flex h-full min-h-0 flex-col"
      aria-label={`Terminal ${terminal?.name ?? ''}`}
      data-terminal={terminalId}
      onKeyDownCapture={onKeyDown}
    >
      {terminal && <Head controller={controller} terminal={terminal} live={live} search={() => search(!searching)} />}
      {searching && <SearchBar live={live} close={() => search(false)} />}
      <div class="relative min-h-0 grow px-3 pt-2">
        <div ref={place} class="h-full w-full overflow-hidden" data-screen />
      </div>
      <Foot controller={controller} live={live} terminal={terminal} />
    </section>
  )
}

function Head(props: {
  controller: WindowController
  terminal: TerminalState
  live: LiveTerminal
  search: () => void
}) {
  const { controller, terminal, live } = props
  const { terminal_id, profile, requester, cwd, venv } = terminal
  return (
    <div class="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4 text-[13px]">
      <h1 class="flex min-w-0 items-center">
        <Name controller={controller} terminal={terminal} />
      </h1>
      <span class="flex min-w-0 grow items-center gap-2 text-soft phone:hidden">
        <ProvedName requester={requester} />
        <span class="pill pill-plain">{profile}</span>
        <span class="truncate font-mono text-[12px]" title={cwd}>
          <Drawn text={cwd} />
        </span>
        {venv !== null && (
          <span class="pill pill-plain">
            venv <Drawn text={venv.split(/[\\/]/).at(-1) ?? venv} />
          </span>
        )}
      </span>
      <WhoTypes terminal={terminal} />
      <span class="grow" />
      <Runs controller={controller} terminal={terminal} live={live} />
      <Tool icon={Search} name="Search (Ctrl Shift F)" act={props.search} />
      <Tool
        icon={Copy}
        name="Copy everything"
        act={() => void navigator.clipboard.writeText(live.selection || live.text)}
      />
      <Tool icon={Eraser} name="Clear the screen" act={() => live.clear()} />
      <Tool
        icon={RotateCcw}
        name={terminal.state === 'shell' ? 'Restart your shell' : 'End this and open your shell here'}
        act={() => {
          if (terminal.state === 'idle') void restartAsShell(controller, terminal)
          else controller.ending.value = { terminalId: terminal_id, and: 'restart' }
        }}
      />
    </div>
  )
}

const Tool = ({ icon, name, act }: { icon: typeof Copy; name: string; act: () => void }) => (
  <button type="button" class="ghost" aria-label={name} title={name} onClick={act}>
    <Icon of={icon} size={15} />
  </button>
)

/** The name; a click makes it a field. */
function Name({
  controller,
  terminal: { terminal_id, name },
}: {
  controller: WindowController
  terminal: TerminalState
}) {
  const [editing, edit] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // Before the next key comes: selected a moment later, the first letters would go elsewhere or be typed over.
  useLayoutEffect(() => field.current?.select(), [editing])
  if (!editing)
    return (
      <button
        type="button"
        class="max-w-56 truncate rounded font-semibold"
        title="Rename"
        data-rename
        onClick={() => edit(true)}
      >
        <Drawn text={name} />
      </button>
    )
  const done = (text: string): void => {
    edit(false)
    if (text.trim() !== '' && text !== name)
      void controller.ask({ type: 'terminal_rename', terminal_id, name: text.trim() })
  }
  return (
    <input
      ref={field}
      class="field h-7 max-w-56"
      aria-label="Name of the terminal"
      defaultValue={name}
      maxLength={80}
      onBlur={({ currentTarget }) => done(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.value = name
        if (key === 'Escape' || key === 'Enter') currentTarget.blur()
      }}
    />
  )
}

/** Earlier runs of this terminal can be looked at again, from their logs. */
function Runs({
  controller,
  terminal,
  live,
}: {
  controller: WindowController
  terminal: TerminalState
  live: LiveTerminal
}) {
  const runs = controller.state.value.runs[terminal.terminal_id] ?? []
  if (runs.length < 2) return null
  const state = live.state.value
  return (
    <select
      class="field h-7 w-auto max-w-48 py-0 text-[12px] phone:max-w-28"
      aria-label="Run"
      value={state.at === 'waiting' ? '' : state.runId}
      onChange={({ currentTarget }) => live.look(currentTarget.value)}
    >
      {runs.map((run, i) => (
        <option key={run.run_id} value={run.run_id}>
          {i + 1}: {(lineOf(run) ?? 'shell').slice(0, 60)} · {runEndingInShort(run.outcome)}
        </option>
      ))}
    </select>
  )
}

/** The line that ran, which is not always the one that was asked for. */
const lineOf = ({ command, outcome }: SeenRun): string | null => outcome.command_executed ?? command

const TONES = { good: 'text-good', bad: 'text-grave', quiet: 'text-soft' } as const

/** How it is or ended and what is not on this screen; always there, so that the screen keeps its size. */
function Foot({
  controller,
  live,
  terminal,
}: {
  controller: WindowController
  live: LiveTerminal
  terminal: TerminalState | undefined
}) {
  const state = live.state.value
  const runs = controller.state.value.runs[terminal?.terminal_id ?? ''] ?? []
  const run = state.at === 'waiting' ? undefined : runs.find(({ run_id }) => run_id === state.runId)
  const omitted = state.at === 'waiting' ? 0 : state.omittedBytes
  const isShell = terminal?.state === 'shell'
  const ending = run && !isShell ? runEnding(run.outcome) : null
  const instead = run?.outcome.command_executed ?? null
  const line = run && !isShell ? lineOf(run) : null
  return (
    <p class="flex h-7 shrink-0 items-center gap-3 px-4 text-[12px] text-soft" data-foot role="status">
      {state.at === 'waiting' && 'Nothing has run here yet.'}
      {line !== null && line !== '' && (
        <span class="truncate font-mono">
          <Drawn text={line.slice(0, 200)} />
        </span>
      )}
      {instead !== null && run?.command && (
        <span class="truncate" data-instead>
          you ran it instead of{' '}
          <span class="font-mono">
            <Drawn text={run.command.slice(0, 200)} />
          </span>
        </span>
      )}
      {ending && (
        <span
          class={`min-w-0 truncate ${TONES[ending.tone]}`}
          title={ending.text}
          data-ending={run?.outcome.state}
          data-exit={run?.outcome.exit_code ?? 'null'}
        >
          <Drawn text={ending.text} as="prose" />
        </span>
      )}
      {terminal && terminal.waiting > 0 && <Waiting terminal={terminal} />}
      {omitted > 0 && <span class="truncate">{omitted.toLocaleString('en')} earlier bytes are in the log only</span>}
      {live.progress.value !== null && (
        <progress class="h-1.5 w-24" max={100} value={live.progress.value} aria-label="Progress" />
      )}
    </p>
  )
}

/** How many wait for their turn, and behind which command: the one that is in it, whichever run is looked at. */
function Waiting({ terminal: { waiting, command, outcome } }: { terminal: TerminalState }) {
  const line = outcome?.command_executed ?? command ?? ''
  return (
    <span class="min-w-0 truncate" title={line} data-waiting>
      {waiting} more waiting behind{' '}
      {line === '' ? (
        'what runs there'
      ) : (
        <span class="font-mono">
          <Drawn text={line.slice(0, LONGEST_BEHIND)} />
          {line.length > LONGEST_BEHIND && '…'}
        </span>
      )}
    </span>
  )
}

const LONGEST_BEHIND = 80
