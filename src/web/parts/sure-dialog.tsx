import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'

/** What would end is said first, and done only by the second press. */
export const SureDialog = (props: {
  title: ComponentChildren
  children: ComponentChildren
  /** On the button that does it. */
  does: string
  mark: Readonly<Record<`data-${string}`, true>>
  onSure: () => void
  onClose: () => void
}) => (
  <Dialog title={props.title} onClose={props.onClose}>
    {close => (
      <>
        {props.children}
        <div class="mt-4 flex justify-end gap-2">
          <button type="button" class="button" onClick={close}>
            Keep it
          </button>
          <button
            type="button"
            class="button button-grave"
            {...props.mark}
            onClick={() => {
              props.onSure()
              close()
            }}
          >
            {props.does}
          </button>
        </div>
      </>
    )}
  </Dialog>
)
