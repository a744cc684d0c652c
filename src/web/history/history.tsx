import { RotateCw } from 'lucide'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { WindowController } from '../controller/window-controller.ts'
import { Icon } from '../parts/icon.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { FilterBar } from './filter-bar.tsx'
import { HistoryList, type HistoryState } from './history-list.ts'
import { RunList } from './run-list.tsx'
import { RunPage } from './run-page.tsx'
import { itemKey } from './run-words.ts'

/** Every run of both lanes, newest first. */
export function History({ controller }: { controller: WindowController }) {
  const { link } = controller.state.value
  const place = useRef({ top: 0 })
  const list = useMemo(
    () =>
      new HistoryList((filter, after) => controller.query({ type: 'history_show', filter, after }, 'history_shown')),
    [controller],
  )
  useEffect(() => () => list.leave(), [list])
  useEffect(() => {
    if (link.at === 'open') void list.show(list.state.value.filter)
  }, [list, link.at])

  const { showing } = controller.state.value
  if (showing.view === 'page' && showing.item !== undefined)
    return <RunPage key={showing.item} controller={controller} of={showing.item} />

  const state = list.state.value
  const show = (filter = state.filter): void => {
    place.current.top = 0
    void list.show(filter)
  }
  return (
    <PageFrame
      name="history"
      title="History"
      tools={
        <>
          <button
            type="button"
            class="ghost ml-auto"
            aria-label="Show the newest"
            title="Show the newest"
            onClick={() => show()}
          >
            <Icon of={RotateCw} size={15} />
          </button>
          <FilterBar filter={state.filter} change={show} />
        </>
      }
    >
      <div class="flex h-full flex-col">
        <p class="shrink-0 pb-2 text-[12.5px] text-soft" role="status" data-history-status>
          {statusOf(state)}
        </p>
        <RunList
          list={list}
          now={new Date()}
          place={place.current}
          open={item => controller.show({ view: 'page', page: 'history', item: itemKey(item) })}
        />
      </div>
    </PageFrame>
  )
}

/** How far it looked: nobody takes a part for all. */
function statusOf({ at, items, next, looked }: HistoryState): string {
  const runs = `${items.length} ${items.length === 1 ? 'run' : 'runs'}`
  if (at === 'broken') return `The host did not answer: these are ${runs} of what there may be.`
  if (at === 'looking') return looked === 0 ? 'Looking…' : `Looked through ${looked} runs, ${items.length} fit so far…`
  if (next !== null) return `The newest ${runs} of them; scroll for more.`
  if (items.length > 0) return `${runs}. That is all there is.`
  return looked === 0 ? 'Nothing ran yet.' : `None of ${looked} runs fits.`
}
