import { ArrowDown, ArrowUp, X } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import type { LiveTerminal } from './live-terminal.ts'
import { foundColors } from './terminal-colors.ts'

/** Finds text on the screen and in what scrolled off it. */
export function SearchBar({ live, close }: { live: LiveTerminal; close: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [found, setFound] = useState('')
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => {
    const counting = live.search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound(resultCount > 0 ? placeOf(resultIndex, resultCount) : ''),
    )
    return () => {
      counting.dispose()
      live.search.clearDecorations()
    }
  }, [live])
  const find = (direction: 'next' | 'previous', text: string): void => {
    const options = { decorations: foundColors() }
    const hit = direction === 'next' ? live.search.findNext(text, options) : live.search.findPrevious(text, options)
    if (text === '' || !hit) setFound(text === '' ? '' : 'not found')
  }
  const again = (direction: 'next' | 'previous') => () => find(direction, field.current?.value ?? '')
  return (
    <search class="flex h-11 shrink-0 items-center gap-1 border-b border-line px-4">
      <input
        ref={field}
        class="field h-7 max-w-80"
        aria-label="Search in this terminal"
        placeholder="Search"
        onInput={({ currentTarget }) => find('next', currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') find(event.shiftKey ? 'previous' : 'next', event.currentTarget.value)
          if (event.key === 'Escape') close()
        }}
      />
      <button type="button" class="ghost" aria-label="The one before" onClick={again('previous')}>
        <Icon of={ArrowUp} size={15} />
      </button>
      <button type="button" class="ghost" aria-label="The next one" onClick={again('next')}>
        <Icon of={ArrowDown} size={15} />
      </button>
      <span class="text-[13px] text-soft" role="status">
        {found}
      </span>
      <span class="grow" />
      <button type="button" class="ghost" aria-label="Close search" onClick={close}>
        <Icon of={X} size={15} />
      </button>
    </search>
  )
}

/** `3 of 12`. Beyond the most that are marked nobody knows which one it is. */
const placeOf = (index: number, count: number): string => (index < 0 ? `${count} or more` : `${index + 1} of ${count}`)
