import { Bookmark, ChevronDown, Square } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { tookInWords } from '../../approving/durations.ts'
import { runEnding, runEndingInShort } from '../../approving/run-ending.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { ClaimedName } from '../parts/claimed-name.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { seconds } from '../parts/waits.tsx'
import { canBeStopped, lineThatRan, type ShownBlock } from '../state/run-blocks.ts'
import type { RunBlocks as Blocks } from './use-run-blocks.ts'

const TONES = { good: 'text-good', bad: 'text-grave', quiet: 'text-soft' } as const

interface BlocksProps extends Blocks {
  readonly controller: WindowController
  readonly terminalId: string
  readonly requester: string
  readonly workspaceId: string | null
  /** The run on the screen; null: none yet. */
  readonly shownId: string | null
  readonly look: (runId: string) => void
}

/**
 * The command on the screen as a block: its line, who asked for it, where it runs, for how long and how it ended. The others of
 * this terminal are behind a button, over the screen: so that keeps its size, and a program in it is not disturbed.
 */
export function RunBlocks(props: BlocksProps) {
  const { blocks, shownId } = props
  const [open, setOpen] = useState(false)
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => (open && area.current ? closeFromOutside(area.current, () => setOpen(false)) : undefined), [open])
  const shown = blocks.find(({ run_id }) => run_id === shownId) ?? blocks.at(-1)
  if (!shown) return null
  return (
    <div ref={area} class="relative shrink-0 border-b border-line">
      <Block {...props} block={shown}>
        {blocks.length > 1 && (
          <button
            type="button"
            class="button button-small"
            aria-expanded={open}
            data-all-blocks
            onClick={() => setOpen(!open)}
          >
            {blocks.length} <span class="phone:sr-only">commands</span> <Icon of={ChevronDown} size={14} />
          </button>
        )}
      </Block>
      {open && <BlockList {...props} close={() => setOpen(false)} />}
    </div>
  )
}

/** Escape, and a press anywhere else, close the list. */
function closeFromOutside(area: HTMLElement, close: () => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
    close()
    area.querySelector<HTMLElement>('[data-all-blocks]')?.focus()
  }
  const onPress = ({ target }: PointerEvent): void => {
    const isIn = target instanceof Element && (area.contains(target) || target.closest('dialog') !== null)
    if (!isIn) close()
  }
  addEventListener('keydown', onKey)
  addEventListener('pointerdown', onPress)
  return () => {
    removeEventListener('keydown', onKey)
    removeEventListener('pointerdown', onPress)
  }
}

function Block(props: BlocksProps & { block: ShownBlock; children: preact.ComponentChildren }) {
  const { controller, terminalId, block, requester } = props
  const ending = runEnding(block.outcome)
  const isEdited = block.outcome.command_executed !== null
  return (
    <div
      class="flex items-start gap-3 px-4 py-1.5"
      data-block={block.run_id}
      data-ending={block.outcome.state}
      data-exit={block.outcome.exit_code ?? 'null'}
    >
      <div class="min-w-0 grow" role="status">
        <p class="truncate font-mono text-[13px]" data-block-line>
          <Drawn text={lineThatRan(block) || 'a shell'} />
        </p>
        <p class="flex min-w-0 gap-x-3 text-[12px] text-soft">
          <span class={`min-w-0 shrink-0 max-w-full truncate ${TONES[ending.tone]}`} title={ending.text}>
            <Drawn text={ending.text} as="prose" />
          </span>
          <Ran block={block} />
          <span class="min-w-0 truncate">
            <ClaimedName of={{ client: block.client, requester }} />
          </span>
          <span class="min-w-0 truncate font-mono phone:hidden" title={block.cwd}>
            <Drawn text={block.cwd} />
          </span>
          {isEdited && block.line !== '' && (
            <span class="min-w-0 truncate" data-instead>
              you ran it instead of{' '}
              <span class="font-mono">
                <Drawn text={block.line} />
              </span>
            </span>
          )}
        </p>
      </div>
      {props.children}
      {block.line !== '' && !block.is_cut && (
        <button
          type="button"
          class="ghost h-7"
          aria-label="Save this command"
          title="Save this command"
          data-save-run
          onClick={() => {
            controller.saving.value = { saved: null, command: lineThatRan(block), workspaceId: props.workspaceId }
          }}
        >
          <Icon of={Bookmark} size={15} />
        </button>
      )}
      <Stop controller={controller} terminalId={terminalId} block={block} />
    </div>
  )
}

/** How long it has run, counting, or ran. */
function Ran({ block: { startedAt, ran_ms, outcome } }: { block: ShownBlock }) {
  const ms = startedAt !== null ? Math.max(0, seconds.value - startedAt) : outcome.state === 'running' ? null : ran_ms
  if (ms === null) return null
  return (
    <span class="shrink-0 tabular-nums" data-ran>
      {tookInWords(ms)}
    </span>
  )
}

function Stop({
  controller,
  terminalId,
  block,
}: Pick<BlocksProps, 'controller' | 'terminalId'> & { block: ShownBlock }) {
  if (!canBeStopped(block)) return null
  const line = lineThatRan(block)
  return (
    <button
      type="button"
      class="button button-small"
      aria-label={`Stop ${line}`}
      data-stop
      onClick={() => {
        controller.ending.value = { terminalId, and: 'stop', runId: block.run_id, line }
      }}
    >
      <Icon of={Square} size={12} /> Stop
    </button>
  )
}

/** All of them, the newest last and in view. */
function BlockList(props: BlocksProps & { close: () => void }) {
  const { blocks, older, shownId, look, close } = props
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'end' })
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [])
  return (
    <div class="absolute inset-x-0 top-full z-10 max-h-[50vh] overflow-y-auto border-b border-line bg-panel shadow-lg">
      {older > 0 && (
        <p class="px-4 py-1.5 text-[12px] text-soft">
          {older} older {older === 1 ? 'one is' : 'ones are'} not listed here.
        </p>
      )}
      <ol ref={list} aria-label="Commands of this terminal" class="divide-y divide-line">
        {blocks.map(block => (
          <li key={block.run_id} class="flex items-center gap-2 pr-4" data-block-row={block.run_id}>
            <button
              type="button"
              class={`flex min-w-0 grow items-baseline gap-3 px-4 py-1.5 text-left text-[13px] hover:bg-raised ${block.run_id === shownId ? 'bg-raised' : ''}`}
              aria-current={block.run_id === shownId ? 'true' : undefined}
              onClick={() => {
                look(block.run_id)
                close()
              }}
            >
              <span class="min-w-0 grow truncate font-mono">
                <Drawn text={lineThatRan(block).slice(0, 200) || 'a shell'} />
              </span>
              <span class="max-w-40 min-w-0 shrink-0 truncate text-[12px] text-soft phone:hidden">
                <ClaimedName of={{ client: block.client, requester: props.requester }} />
              </span>
              <span class="shrink-0 text-[12px] text-soft phone:hidden">
                <Ran block={block} />
              </span>
              <span class={`shrink-0 text-[12px] ${TONES[runEnding(block.outcome).tone]}`}>
                {runEndingInShort(block.outcome)}
              </span>
            </button>
            <Stop {...props} block={block} />
          </li>
        ))}
      </ol>
    </div>
  )
}
