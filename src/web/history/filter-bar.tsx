import { useEffect, useRef, useState } from 'preact/hooks'
import type { HistoryFilter } from '../../contract/window/history-frames.ts'
import { LANES, OUTCOMES } from './run-words.ts'

/** Whoever types is not asked for after each letter. */
const TYPING_MS = 250

/** Which runs are shown. A choice counts at once, what is typed a moment after the last letter. */
export function FilterBar({ filter, change }: { filter: HistoryFilter; change: (filter: HistoryFilter) => void }) {
  const [now, setNow] = useState(filter)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const set = (changes: Partial<HistoryFilter>, afterMs: number): void => {
    const next = { ...now, ...changes }
    setNow(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => change(next), afterMs)
  }

  const text = (name: 'agent' | 'project' | 'command', label: string) => (
    <input
      type="search"
      class="field h-8 min-w-0 px-2.5 py-0"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={now[name]}
      data-filter={name}
      onInput={({ currentTarget }) => set({ [name]: currentTarget.value }, TYPING_MS)}
    />
  )
  const select = (name: 'lane' | 'outcome', any: string, choices: Readonly<Record<string, string>>) => (
    <select
      class="field h-8 min-w-0 px-2 py-0"
      aria-label={any}
      value={now[name] ?? ''}
      data-filter={name}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value || null }, 0)}
    >
      <option value="">{any}</option>
      {Object.entries(choices).map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </select>
  )

  return (
    <search class="grid w-full min-w-0 grid-cols-[minmax(9rem,1fr)_8rem_10.5rem_7.5rem_9.5rem] gap-2 phone:grid-cols-2">
      <span class="phone:col-span-2">{text('command', 'Search commands')}</span>
      {select('lane', 'Any lane', LANES)}
      {select('outcome', 'Any ending', OUTCOMES)}
      {text('agent', 'Agent')}
      {text('project', 'Project or folder')}
    </search>
  )
}
