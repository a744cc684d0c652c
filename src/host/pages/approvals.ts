import { TermError } from '../../contract/tool/errors.ts'
import type { WindowFrame } from '../../contract/window/window-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { KeptDeclines } from '../questions/kept-declines.ts'
import type { ScopedRules } from '../questions/scoped-rules.ts'
import { answered, type HostPage, soon } from './page.ts'

interface ApprovalsDeps {
  readonly scoped: ScopedRules
  readonly declines: KeptDeclines
  readonly journal: Pick<Journal, 'append'>
}

/** Approvals that hold for a while and declines that hold for the day: which there are, and taking one back. */
export const approvalsPage = (deps: ApprovalsDeps): HostPage => ({
  open(window) {
    const { scoped, declines } = deps
    const listScopes = (): void => window.send({ type: 'scopes', items: scoped.held() })
    const listDeclines = (): void => window.send({ type: 'kept_declines', items: declines.list() })
    const watches = [scoped.watch(soon(listScopes)), declines.watch(soon(listDeclines))]
    listScopes()
    listDeclines()

    return {
      dispose() {
        for (const watch of watches) watch.dispose()
      },
      receive(frame) {
        if (frame.type !== 'scope_revoke' && frame.type !== 'decline_revoke') return false
        const act = (): void => takeBack(deps, frame, window.by)
        void answered(window, frame.request_id, { act, what: 'It is not taken back' })
        return true
      },
    }
  },
})

function takeBack(
  { scoped, declines, journal }: ApprovalsDeps,
  frame: Extract<WindowFrame, { type: 'scope_revoke' | 'decline_revoke' }>,
  by: string,
): void {
  if (frame.type === 'scope_revoke') {
    if (!scoped.revoke(frame.scope_id)) throw over('approval')
    return
  }
  const { decline_id } = frame
  if (!declines.list().some(kept => kept.decline_id === decline_id)) throw over('decline')
  // Written down first: from then on the person may be asked again.
  journal.append({ kind: 'decline_ended', requester: null, runId: null, body: { kept: decline_id, by } })
  declines.revoke(decline_id)
}

const over = (what: string): TermError => new TermError('PM_TERM_NOT_FOUND', `That ${what} is over already.`)
