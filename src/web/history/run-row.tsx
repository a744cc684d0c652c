import { SquareTerminal } from 'lucide'
import type { HistoryItem } from '../../contract/window/history-frames.ts'
import { ClaimedName } from '../parts/claimed-name.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProvedName } from '../parts/proved-name.tsx'
import { approvalInWords, durationOf, endingOf, LANES, shortEndingOf, whenInWords } from './run-words.ts'

const PILLS = { good: 'pill-good', bad: 'pill-grave', quiet: 'pill-plain' } as const
export const ROW_HEIGHT = 56

/** One run of the list: the command, how it ended, and in one line who asked, where, who approved. */
export function RunRow({ item, now, open }: { item: HistoryItem; now: Date; open: () => void }) {
  const facts = [approvalInWords(item), durationOf(item), LANES[item.lane]].filter(fact => fact !== null)
  return (
    <button
      type="button"
      class="flex h-full w-full flex-col justify-center gap-0.5 border-b border-line px-2 text-left hover:bg-raised"
      data-run={item.session_id}
      onClick={open}
      onKeyDown={step}
    >
      <span class="flex w-full min-w-0 items-center gap-3">
        <span class="min-w-0 grow truncate font-mono text-[13px]">
          <RunCommand item={item} />
        </span>
        <span class={`pill shrink-0 ${PILLS[endingOf(item).tone]}`}>{shortEndingOf(item)}</span>
      </span>
      <span class="w-full truncate text-[12px] text-soft">
        <span class="tabular-nums">{whenInWords(item.received_at, now)}</span> · <Asker item={item} /> ·{' '}
        <Drawn text={item.workspace_id ?? item.cwd} />
        {facts.map(fact => ` · ${fact}`).join('')}
      </span>
    </button>
  )
}

/** What ran, or was to run. */
export function RunCommand({ item: { is_shell, command, outcome, is_cut } }: { item: HistoryItem }) {
  if (is_shell)
    return (
      <span class="inline-flex items-center gap-1.5 font-sans">
        <Icon of={SquareTerminal} size={14} /> A shell
      </span>
    )
  return (
    <>
      <Drawn text={outcome.command_executed ?? command} />
      {is_cut && '…'}
      {outcome.command_executed !== null && <span class="ml-2 font-sans text-[12px] text-soft">changed by you</span>}
    </>
  )
}

/** Who asked for it: the name a client gave itself, and the one that its key proved. */
export const Asker = ({ item: { client, requester } }: { item: HistoryItem }) =>
  requester === 'person' ? (
    <>you</>
  ) : (
    <>
      {client === '' ? 'an agent that gave no name' : <ClaimedName of={{ client, requester }} />}
      <ProvedName requester={requester} />
    </>
  )

/** The arrow keys go from run to run. Those just out of view are drawn, too. */
function step(event: KeyboardEvent): void {
  const by = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key] as
    | 'nextElementSibling'
    | 'previousElementSibling'
    | undefined
  const row = event.target instanceof Element ? event.target.closest('li') : null
  if (by === undefined || row === null) return
  event.preventDefault()
  row[by]?.querySelector('button')?.focus()
}
