import type { WindowController } from '../controller/window-controller.ts'

/**
 * In the person's own browser, which the host starts: this window's browser is for this window alone. An editor opens it itself. A host in a container has none,
 * and there this page is in the person's browser already; what is opened from it knows nothing of this page.
 */
export function openLink(controller: WindowController, url: string): void {
  const { place } = controller
  if (place.kind === 'editor') place.openLink(url)
  else if (controller.state.peek().host?.in_container === true) window.open(url, '_blank', 'noopener,noreferrer')
  else void controller.ask({ type: 'link_open', url })
}
