import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Press } from '../state/attention.ts'

export const HOLD_MS = 1200

/** Counts only when it was held down to the end; letting go, leaving it or turning away takes it back. */
export function HoldButton(props: {
  disabled: boolean
  /** What may be decided at the moment it goes down. */
  press: () => Press | null
  held: (press: Press | null) => void
  children: ComponentChildren
}) {
  const [down, setDown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const release = (): void => {
    clearTimeout(timer.current)
    setDown(false)
  }
  const begin = (): void => {
    if (props.disabled) return
    const press = props.press()
    setDown(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setDown(false)
      props.held(press)
    }, HOLD_MS)
  }
  useEffect(() => {
    window.addEventListener('blur', release)
    return () => {
      clearTimeout(timer.current)
      window.removeEventListener('blur', release)
    }
  }, [])
  const isHoldKey = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' '
  return (
    <button
      type="button"
      class={`button button-grave relative overflow-hidden phone:grow ${down ? 'held' : ''}`}
      style={{ '--hold': `${HOLD_MS}ms` }}
      aria-disabled={props.disabled}
      data-approve
      data-hold
      onPointerDown={event => event.button === 0 && begin()}
      onPointerUp={release}
      onPointerLeave={release}
      onKeyDown={event => {
        if (!isHoldKey(event)) return
        event.preventDefault()
        if (!event.repeat) begin()
      }}
      onKeyUp={release}
      onBlur={release}
    >
      <span aria-hidden="true" class="hold-fill absolute inset-0 bg-ink opacity-25" />
      <span class="relative inline-flex items-center gap-2">{props.children}</span>
    </button>
  )
}
