import { Pause, Play, RotateCcw } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { clock } from '../../approving/durations.ts'
import { Icon } from '../parts/icon.tsx'
import { theme } from '../parts/preferences.ts'
import { type Cast, CastPlayer } from './cast.ts'
import { ReplayScreen } from './replay-screen.ts'

const SPEEDS = [0.5, 1, 2, 4, 8]
const TICK_MS = 40

/** A run as it was printed, played on a screen of its own. */
export function Replay({ cast }: { cast: Cast }) {
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<ReplayScreen | null>(null)
  const player = useRef<CastPlayer | null>(null)
  const [at, setAt] = useState(0)
  const [plays, setPlays] = useState(true)
  const [speed, setSpeed] = useState(1)

  useLayoutEffect(() => {
    if (!place.current) return
    const shown = new ReplayScreen(place.current, cast)
    screen.current = shown
    player.current = new CastPlayer(cast, shown)
    return () => shown.dispose()
  }, [cast])
  useEffect(() => screen.current?.restyle(), [theme.value])

  useEffect(() => {
    if (!plays) return
    let last = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      player.current?.pass(((now - last) / 1000) * speed)
      last = now
      setAt(player.current?.at ?? 0)
      if (player.current?.isOver) setPlays(false)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [plays, speed])

  const seek = (to: number): void => {
    player.current?.seek(to)
    setAt(player.current?.at ?? 0)
  }
  const isOver = at >= cast.length
  const press = (): void => {
    if (isOver) seek(0)
    setPlays(!plays || isOver)
  }

  return (
    <section class="mt-6" aria-label="Replay" data-replay={plays ? 'plays' : isOver ? 'over' : 'rests'}>
      <div class="mb-2 flex flex-wrap items-center gap-2">
        <button type="button" class="button button-small" data-play onClick={press}>
          <Icon of={plays ? Pause : isOver ? RotateCcw : Play} size={14} />
          {plays ? 'Pause' : isOver ? 'Again' : 'Play'}
        </button>
        <input
          type="range"
          class="min-w-24 grow accent-[var(--accent)]"
          aria-label="Place in the replay, in seconds"
          min={0}
          max={cast.length}
          step="any"
          value={at}
          data-place
          onInput={({ currentTarget }) => seek(Number(currentTarget.value))}
        />
        <span class="text-[13px] text-soft tabular-nums">
          {clock(at * 1000)} / {clock(cast.length * 1000)}
        </span>
        <select
          class="field h-7 w-18 rounded-md px-2 py-0 text-[13px]"
          aria-label="Speed"
          value={speed}
          onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value))}
        >
          {SPEEDS.map(each => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </div>
      <div class="overflow-hidden rounded-xl border border-line bg-panel p-2">
        <div ref={place} class="overflow-hidden" data-replay-screen />
      </div>
      <Markers cast={cast} seek={seek} />
      <p class="mt-1 text-[12.5px] text-soft">{remark(cast)}</p>
    </section>
  )
}

const Markers = ({ cast, seek }: { cast: Cast; seek: (at: number) => void }) => (
  <ul class="mt-2 flex flex-wrap gap-1.5" aria-label="What happened">
    {cast.events.map(({ at, code, data }, i) =>
      code === 'm' ? (
        <li key={i}>
          <button type="button" class="ghost h-6 border border-line text-[12.5px]" data-marker onClick={() => seek(at)}>
            <span class="tabular-nums">{clock(at * 1000)}</span> {data}
          </button>
        </li>
      ) : null,
    )}
  </ul>
)

const remark = ({ isTimed }: Cast): string =>
  isTimed
    ? 'Times are as they were written down, to a twentieth of a second; waits are cut to two seconds.'
    : 'When it printed what was not written down: all of it comes at its end.'
