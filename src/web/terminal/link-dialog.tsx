import type { WindowController } from '../controller/window-controller.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'
import type { LinkFacts } from './link-facts.ts'
import { openLink } from './open-link.ts'

/** Where a link really leads, before it is followed. */
export function LinkDialog(props: {
  controller: WindowController
  link: LinkFacts
  text: string
  onClose: () => void
}) {
  const { controller, link, text } = props
  return (
    <SureDialog
      title="Open this address?"
      does="Open in your browser"
      tone="main"
      frame={{ 'data-link-dialog': true }}
      mark={{ 'data-open-link': true }}
      onSure={() => openLink(controller, link.href)}
      onClose={props.onClose}
    >
      <p>
        A program in the terminal leads to{' '}
        <strong class="font-mono" data-link-host>
          <Drawn text={link.host} />
        </strong>
        {text.trim() !== '' && (
          <>
            , under the words{' '}
            <span class="font-mono">
              <Drawn text={text.slice(0, 200)} />
            </span>
          </>
        )}
        .
      </p>
      <div class="relative mt-3 rounded-xl border border-line bg-raised">
        <p class="code max-h-40 overflow-y-auto px-4 py-2.5 pr-12" data-link-address>
          <Drawn text={link.href} exact />
        </p>
        <CopyButton text={link.href} what="address" />
      </div>
    </SureDialog>
  )
}
