import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** What would end is said first, and done only by the second press. */
export function SureDialog(props: {
  title: ComponentChildren
  children: ComponentChildren
  /** On the button that does it. */
  does: string
  mark: Readonly<Record<`data-${string}`, true>>
  onSure: () => void
  onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const sure = (): void => {
    props.onSure()
    dialog.current?.close()
  }
  return (
    <dialog
      ref={dialog}
      class="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-2xl border border-line bg-panel p-5 text-[14px] text-ink shadow-xl backdrop:bg-black/40"
      aria-labelledby="sure"
      onClose={props.onClose}
    >
      <h2 id="sure" class="mb-2 text-[17px] font-semibold">
        {props.title}
      </h2>
      {props.children}
      <div class="mt-4 flex justify-end gap-2">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Keep it
        </button>
        <button type="button" class="button button-grave" {...props.mark} onClick={sure}>
          {props.does}
        </button>
      </div>
    </dialog>
  )
}
