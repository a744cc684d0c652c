import type { Disposable } from '../../base/disposable.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'

/** What the host does for one part of the window: the frames it takes, what it answers, and what it sends by itself. */
export interface HostPage {
  open(window: PageWindow): OpenPage
}

/** One admitted window. */
export interface PageWindow {
  /** Under which name is written down what the person does there. */
  readonly by: string
  send(frame: HostToWindow): void
}

export interface OpenPage extends Disposable {
  /** False: no frame of this page. */
  receive(frame: WindowFrame): boolean
}

export const done = (request_id: string): HostToWindow => ({ type: 'done', request_id, terminal_id: null })

export const failed = (request_id: string, code: string, message: string): HostToWindow => ({
  type: 'failed',
  request_id,
  error: { code, message },
})

/** Says `done` when it went well, else why not. `what`: the words before the reason of an error that has no code. */
export const answered = (
  window: PageWindow,
  request_id: string,
  { act, what }: { readonly act: () => void | Promise<void>; readonly what: string },
): Promise<void> =>
  replied(window, request_id, {
    what,
    reply: async () => {
      await act()
      return done(request_id)
    },
  })

/** Sends the reply, or why there is none. */
export async function replied(
  { send }: PageWindow,
  request_id: string,
  { reply, what }: { readonly reply: () => HostToWindow | Promise<HostToWindow>; readonly what: string },
): Promise<void> {
  try {
    send(await reply())
  } catch (cause) {
    const { message } = cause as Error
    if (cause instanceof TermError) send(failed(request_id, cause.code, message))
    else send(failed(request_id, 'PM_TERM_INTERNAL', `${what}: ${message}`))
  }
}

/** Many changes at once are reported once. */
export function soon(notify: () => void): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setImmediate(() => {
      waiting = false
      notify()
    })
  }
}
