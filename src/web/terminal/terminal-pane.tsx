import { Copy, Eraser, RotateCcw, Search } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import { isTyping } from '../controller/keys.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { terminalFontSize, theme } from '../parts/preferences.ts'
import { ProvedName } from '../parts/proved-name.tsx'
import { TerminalName } from '../parts/terminal-name.tsx'
import { LinkDialog } from './link-dialog.tsx'
import type { LiveTerminal } from './live-terminal.ts'
import { LiveTerminals } from './live-terminals.ts'
import { RunBlocks } from './run-blocks.tsx'
import { SearchBar } from './search-bar.tsx'
import { useRunBlocks } from './use-run-blocks.ts'
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
  const runs = useRunBlocks(controller, terminal)
  const shown = live.state.value

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
      {terminal && (terminal.kind === 'runs' || runs.blocks.length > 1) && (
        <RunBlocks
          {...runs}
          controller={controller}
          terminalId={terminalId}
          requester={terminal.requester}
          workspaceId={terminal.workspace_id}
          shownId={shown.at === 'waiting' ? null : shown.runId}
          look={runId => live.look(runId)}
        />
      )}
      {searching && <SearchBar live={live} close={() => search(false)} />}
      <div class="relative min-h-0 grow px-3 pt-2">
        <div ref={place} class="h-full w-full overflow-hidden" data-screen />
      </div>
      {live.links.looked.value && (
        <LinkDialog
          controller={controller}
          link={live.links.looked.value}
          text={live.links.looked.value.text}
          onClose={() => {
            live.links.looked.value = null
          }}
        />
      )}
      <Foot live={live} terminal={terminal} />
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
          controller.choosingShell.value = { instead: terminal_id }
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
        <TerminalName name={name} />
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

/** What is not on this screen, and what waits; always there, so that the screen keeps its size. */
function Foot({ live, terminal }: { live: LiveTerminal; terminal: TerminalState | undefined }) {
  const state = live.state.value
  const omitted = state.at === 'waiting' ? 0 : state.omittedBytes
  return (
    <p class="flex h-7 shrink-0 items-center gap-3 px-4 text-[12px] text-soft" data-foot role="status">
      {state.at === 'waiting' && 'Nothing has run here yet.'}
      {terminal && terminal.waiting > 0 && <Waiting terminal={terminal} />}
      {omitted > 0 && <span class="truncate">{omitted.toLocaleString('en')} earlier bytes are in the log only</span>}
      {live.links.pointedAt.value !== null && (
        <span class="min-w-0 truncate" data-pointed-at>
          Ctrl-click opens <Drawn text={live.links.pointedAt.value} />
        </span>
      )}
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
