import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { HistoryItem } from '../../contract/window/history-frames.ts'
import type { HistoryList } from './history-list.ts'
import { ROW_HEIGHT, RunRow } from './run-row.tsx'
import { itemKey } from './run-words.ts'
import { seenSlice } from './seen-slice.ts'

/** The list as far as it was scrolled. Only what is in view is drawn: ten thousand runs are as quick as ten. */
export function RunList(props: {
  list: HistoryList
  now: Date
  /** How far it was scrolled when it was left. */
  place: { top: number }
  open: (item: HistoryItem) => void
}) {
  const { list, now, place, open } = props
  const { items } = list.state.value
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: place.top, height: 0 })
  const look = (): void => {
    const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 0 }
    place.top = scrollTop
    setView({ top: scrollTop, height: clientHeight })
  }

  useLayoutEffect(() => {
    box.current?.scrollTo(0, place.top)
    look()
    const watch = new ResizeObserver(look)
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])

  const { first, end } = seenSlice(view, ROW_HEIGHT, items.length)
  useLayoutEffect(() => list.reached(end), [list, end])

  return (
    <div ref={box} class="min-h-0 grow overflow-y-auto" onScroll={look} data-runs>
      <ul class="relative" aria-label="Runs" style={{ height: `${items.length * ROW_HEIGHT}px` }}>
        {items.slice(first, end).map((item, i) => (
          <li
            key={itemKey(item)}
            class="absolute inset-x-0"
            style={{ top: `${(first + i) * ROW_HEIGHT}px`, height: `${ROW_HEIGHT}px` }}
            aria-setsize={items.length}
            aria-posinset={first + i + 1}
          >
            <RunRow item={item} now={now} open={() => open(item)} />
          </li>
        ))}
      </ul>
    </div>
  )
}
