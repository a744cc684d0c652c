import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'

/** What would happen is said first, and done only by the second press. `tone`: grave where something ends by it. */
export const SureDialog = (props: {
  title: ComponentChildren
  children: ComponentChildren
  /** On the button that does it. */
  does: string
  mark: Readonly<Record<`data-${string}`, true>>
  /** On the dialog itself. */
  frame?: Readonly<Record<`data-${string}`, true>>
  tone?: 'grave' | 'main'
  onSure: () => void
  onClose: () => void
}) => (
  <Dialog title={props.title} {...(props.frame && { mark: props.frame })} onClose={props.onClose}>
    {close => (
      <>
        {props.children}
        <div class="mt-4 flex justify-end gap-2">
          <button type="button" class="button" onClick={close}>
            {props.tone === 'main' ? 'Cancel' : 'Keep it'}
          </button>
          <button
            type="button"
            class={`button ${props.tone === 'main' ? 'button-main' : 'button-grave'}`}
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
