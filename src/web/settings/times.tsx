import type { TimeChoice } from '../../contract/window/window-preferences.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { preferTime, times } from '../parts/preferences.ts'
import { Group } from './group.tsx'

interface TimeRow {
  readonly choice: TimeChoice
  readonly label: string
  /** What it means, and what wins over it. */
  readonly means: string
  readonly seconds: readonly number[]
}

const ROWS: readonly TimeRow[] = [
  {
    choice: 'question_wait_s',
    label: 'A question waits for an answer',
    means:
      'Then it expires and nothing runs. An agent may ask for another time with its request; the card counts down the one that holds.',
    seconds: [60, 120, 300, 600, 1800, 3600, 14_400, 86_400],
  },
  {
    choice: 'idle_tabs_s',
    label: 'An agent’s terminal closes when nothing happens in it',
    means: 'It comes back as it was when it is used again. Your own shells stay.',
    seconds: [60, 300, 600, 1800, 3600, 14_400, 0],
  },
  {
    choice: 'idle_host_s',
    label: 'The host ends when nobody needs it',
    means:
      'Only a host that an agent has started, with no window, agent, command or question left. The next agent starts it again.',
    seconds: [60, 300, 1800, 3600, 28_800, 0],
  },
]

/** How long things wait. None of them lets anything run: whoever waits longer is asked, and who waits no longer is refused. */
export function Times({ controller }: { controller: WindowController }) {
  return (
    <Group title="Time-outs">
      {ROWS.map(row => (
        <Time key={row.choice} controller={controller} row={row} />
      ))}
    </Group>
  )
}

function Time({ controller, row: { choice, label, means, seconds } }: { controller: WindowController; row: TimeRow }) {
  const known = times.value
  if (known === null) return null
  const { usual_seconds: usual, fixed_by: fixedBy, seconds: inForce } = known.inForce[choice]
  const chosen = fixedBy === null ? known.chosen[choice] : inForce
  const offered = chosen === null || seconds.includes(chosen) ? seconds : [chosen, ...seconds]
  const noteId = `means-${choice}`
  return (
    <div>
      <label class="flex items-center justify-between gap-4">
        {label}
        <select
          class="field w-44 shrink-0"
          data-setting={choice}
          aria-describedby={noteId}
          disabled={fixedBy !== null}
          value={chosen ?? ''}
          onChange={({ currentTarget: { value } }) =>
            preferTime(choice, value === '' ? null : Number(value), controller.prefer)
          }
        >
          <option value="">As usual: {inTime(usual)}</option>
          {offered.map(each => (
            <option key={each} value={each}>
              {inTime(each)}
            </option>
          ))}
        </select>
      </label>
      <p id={noteId} class="mt-0.5 max-w-md text-[13px] text-soft">
        {means}
        {fixedBy !== null && ` This host was started with ${fixedBy}, which wins.`}
      </p>
    </div>
  )
}

/** never · 90 s · 5 min · 2 h · 2 h 30 min */
function inTime(seconds: number): string {
  if (seconds === 0) return 'never'
  if (seconds % 60 !== 0) return `${seconds} s`
  const [hours, minutes] = [Math.floor(seconds / 3600), (seconds % 3600) / 60]
  return [...(hours > 0 ? [`${hours} h`] : []), ...(minutes > 0 ? [`${minutes} min`] : [])].join(' ')
}
