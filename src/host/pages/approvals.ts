import { TermError } from '../../contract/tool/errors.ts'
import type { ScopedRules } from '../questions/scoped-rules.ts'
import { answered, type HostPage, soon } from './page.ts'

/** Approvals that hold for a while: which there are, and taking one back. */
export const approvalsPage = (scoped: ScopedRules): HostPage => ({
  open(window) {
    const list = (): void => window.send({ type: 'scopes', items: scoped.held() })
    const watch = scoped.watch(soon(list))
    list()
    return {
      dispose: () => watch.dispose(),
      receive(frame) {
        if (frame.type !== 'scope_revoke') return false
        const act = (): void => {
          if (!scoped.revoke(frame.scope_id)) throw new TermError('PM_TERM_NOT_FOUND', 'That approval is over already.')
        }
        void answered(window, frame.request_id, { act, what: 'It is not taken back' })
        return true
      },
    }
  },
})
