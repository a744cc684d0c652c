import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

/** A box over the page that has the keyboard until it is closed. `children` gets what closes it. */
export function Dialog(props: {
  title: ComponentChildren
  mark?: Readonly<Record<`data-${string}`, true>>
  children: (close: () => void) => ComponentChildren
  onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="m-auto w-[min(34rem,calc(100vw-2rem))] rounded-2xl border border-line bg-panel p-5 text-ink shadow-xl backdrop:bg-black/40"
      aria-labelledby={titleId}
      {...props.mark}
      onClose={props.onClose}
    >
      <h2 id={titleId} class="mb-3 text-[17px] font-semibold">
        {props.title}
      </h2>
      {props.children(() => dialog.current?.close())}
    </dialog>
  )
}
