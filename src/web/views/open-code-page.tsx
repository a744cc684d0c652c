import { signal } from '@preact/signals'
import { render } from 'preact'
import { CodeAsking, type CodeState } from '../feed/ask-code.ts'
import type { Credential } from '../feed/prove.ts'
import { CodePage } from './code-page.tsx'

/** In the place of the window, until the page is admitted. A host that admits none by a code never shows it. */
export function openCodePage(on: {
  readonly place: Element
  readonly now: () => number
  readonly admitted: (ticket: Credential) => void
  readonly never: () => void
}): void {
  const state = signal<CodeState>({ at: 'asking' })
  let asking: CodeAsking | null = null
  let isShown = false
  const onState = (next: CodeState): void => {
    state.value = next
    if (next.at === 'never' && !isShown) on.never()
    else if (next.at !== 'asking') show()
  }
  const begin = (): void => {
    asking = new CodeAsking({ now: on.now, onState, admitted: on.admitted })
    void asking.begin()
  }
  const show = (): void => {
    isShown = true
    render(<CodePage state={state} enter={typed => void asking?.enter(typed)} again={begin} />, on.place)
  }
  begin()
}
