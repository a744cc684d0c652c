import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { TRUST_MEANS } from '../../approving/choices.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { sendable } from './sendable.ts'

/** A folder that becomes a project, trusted or not. The host says what speaks against it. */
export function AddFolder(props: { controller: WindowController; changed: () => Promise<void>; onClose: () => void }) {
  const { controller, changed, onClose } = props
  const [directory, setDirectory] = useState('')
  const [trusted, setTrusted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const add = async (): Promise<void> => {
    const reply = await controller.ask({ type: 'project_set', directory: sendable(directory).trim(), trusted })
    if (reply?.type !== 'done') return
    await changed()
    onClose()
  }
  return (
    <form
      class="space-y-3 rounded-xl border border-rim p-4"
      onSubmit={event => {
        event.preventDefault()
        if (directory.trim() !== '') void add()
      }}
    >
      <label class="block">
        <span class="label mb-1 block">The folder of the project, with its whole path</span>
        <input
          ref={field}
          class="field font-mono text-[13px]"
          spellcheck={false}
          placeholder="/home/ada/code/shop"
          maxLength={4096}
          value={directory}
          data-folder
          onInput={({ currentTarget }) => setDirectory(currentTarget.value)}
        />
      </label>
      <label class="flex items-baseline gap-2">
        <input type="checkbox" class="accent-accent" checked={trusted} onChange={() => setTrusted(!trusted)} />
        <span>
          Trust it <span class="text-[13px] text-soft">{TRUST_MEANS}</span>
        </span>
      </label>
      <div class="flex justify-end gap-2">
        <button type="button" class="button button-small" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="button button-small button-main" data-add-project>
          {trusted ? 'Add and trust' : 'Add'}
        </button>
      </div>
    </form>
  )
}
