import { Copy, Eraser, RotateCcw, Search } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { TerminalState } from '../../contract/window-frames.ts'
import type { Desk } from '../desk.ts'
import { Drawn } from '../views/drawn.tsx'
import { Icon } from '../views/icon.tsx'
import { theme } from '../views/preferences.ts'
import { ProvedName } from '../views/proved-name.tsx'
import type { LiveTerminal } from './live-terminal.ts'
import { LiveTerminals } from './live-terminals.ts'
import { SearchBar } from './search-bar.tsx'

let all: LiveTerminals | null = null

/** One terminal: what it is, what can be done with it, and its screen. */
export function TerminalPane({ desk, terminalId }: { desk: Desk; terminalId: string }) {
  all ??= new LiveTerminals(desk)
  const live = all.of(terminalId)
  const place = useRef<HTMLDivElement>(null)
  const [searching, search] = useState(false)
  const terminal = desk.state.value.terminals.find(({ terminal_id }) => terminal_id === terminalId)
  const runId = terminal?.run_id ?? null
  useEffect(() => {
    if (!place.current) return undefined
    live.show(place.current)
    if (desk.state.peek().terminals.find(({ terminal_id }) => terminal_id === terminalId)?.state === 'shell')
      live.focus()
    return () => live.hide()
  }, [live, desk, terminalId])
  // It was put on the screen, or another run is in it now: that one is shown.
  useEffect(() => live.look(null), [runId, live])
  const colors = theme.value
  useEffect(() => all?.recolor(), [colors])
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
      {terminal && <Head desk={desk} terminal={terminal} live={live} search={() => search(!searching)} />}
      {searching && <SearchBar live={live} close={() => search(false)} />}
      <div class="relative min-h-0 grow px-3 pt-2">
        <div ref={place} class="h-full w-full overflow-hidden" data-screen />
      </div>
      <Foot live={live} terminal={terminal} />
    </section>
  )
}

function Head(props: { desk: Desk; terminal: TerminalState; live: LiveTerminal; search: () => void }) {
  const { desk, terminal, live } = props
  const { terminal_id, profile, requester, cwd, venv } = terminal
  return (
    <div class="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4 text-[13px]">
      <h1 class="flex min-w-0 items-center">
        <Name desk={desk} terminal={terminal} />
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
      <span class="grow" />
      <Runs desk={desk} terminal={terminal} live={live} />
      <Tool icon={Search} name="Search (Ctrl Shift F)" act={props.search} />
      <Tool
        icon={Copy}
        name="Copy everything"
        act={() => void navigator.clipboard.writeText(live.selection || live.text)}
      />
      <Tool icon={Eraser} name="Clear the screen" act={() => live.clear()} />
      <Tool
        icon={RotateCcw}
        name="Restart as your shell"
        act={() => void desk.ask({ type: 'terminal_restart', terminal_id })}
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
function Name({ desk, terminal: { terminal_id, name } }: { desk: Desk; terminal: TerminalState }) {
  const [editing, edit] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [editing])
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
    if (text.trim() !== '' && text !== name) void desk.ask({ type: 'terminal_rename', terminal_id, name: text.trim() })
  }
  return (
    <input
      ref={field}
      class="field h-7 max-w-56"
      aria-label="Name of the terminal"
      defaultValue={name}
      maxLength={80}
      onBlur={({ currentTarget }) => done(currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') done(event.currentTarget.value)
        if (event.key === 'Escape') edit(false)
      }}
    />
  )
}

/** Earlier runs of this terminal can be looked at again, from their logs. */
function Runs({ desk, terminal, live }: { desk: Desk; terminal: TerminalState; live: LiveTerminal }) {
  const runs = desk.state.value.runs[terminal.terminal_id] ?? []
  if (runs.length < 2) return null
  const state = live.state.value
  return (
    <select
      class="field h-7 w-auto max-w-48 py-0 text-[12px] phone:max-w-28"
      aria-label="Run"
      value={state.at === 'waiting' ? '' : state.runId}
      onChange={({ currentTarget }) => live.look(currentTarget.value)}
    >
      {runs.map(({ run_id, command }, i) => (
        <option key={run_id} value={run_id}>
          {i + 1}: {(command ?? 'shell').slice(0, 60)}
        </option>
      ))}
    </select>
  )
}

/** How it ended and what is not on this screen; always there, so that the screen keeps its size. */
function Foot({ live, terminal }: { live: LiveTerminal; terminal: TerminalState | undefined }) {
  const state = live.state.value
  const command = terminal?.state === 'shell' ? null : (terminal?.command ?? null)
  const omitted = state.at === 'waiting' ? 0 : state.omittedBytes
  return (
    <p class="flex h-7 shrink-0 items-center gap-3 px-4 text-[12px] text-soft" data-foot role="status">
      {state.at === 'waiting' && 'Nothing has run here yet.'}
      {command !== null && state.at !== 'waiting' && state.runId === terminal?.run_id && (
        <span class="truncate font-mono">
          <Drawn text={command.slice(0, 200)} />
        </span>
      )}
      {state.at === 'ended' && (
        <span
          class={`shrink-0 ${state.exitCode === 0 ? 'text-good' : 'text-grave'}`}
          data-exit={state.exitCode ?? 'null'}
        >
          {state.exitCode === null ? 'Ended without an exit code' : `Exit code ${state.exitCode}`}
        </span>
      )}
      {omitted > 0 && <span>{omitted.toLocaleString('en')} earlier bytes are in the log only</span>}
      {live.progress.value !== null && (
        <progress class="h-1.5 w-24" max={100} value={live.progress.value} aria-label="Progress" />
      )}
    </p>
  )
}
