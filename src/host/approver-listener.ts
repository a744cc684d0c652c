import type { Clock } from '../base/clock.ts'
import type { Link } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import { type Peer, peerAt } from '../base/peer-process.ts'
import { listenPsk, type PskListener } from '../base/psk-socket.ts'
import type { Configuration } from '../config/settings.ts'

/** The listener for those who may answer. What a run has started is not let in. */
export function listenApprovers(
  deps: { readonly configuration: Configuration; readonly clock: Clock; readonly log: Log },
  key: Buffer,
  { admit, starters }: { readonly admit: (link: Link, peer: Peer) => void; readonly starters: () => readonly number[] },
): Promise<PskListener> {
  return listenPsk({
    host: '127.0.0.1',
    port: deps.configuration.settings.PM_TERM_APPROVER_PORT,
    clock: deps.clock,
    keyFor: identity => (identity === 'approver' ? key : null),
    onLink: (link, { port }) => {
      const peer = peerAt(port, process.platform, starters())
      if (peer.insideRun) {
        deps.log.warn('a command that runs here tried to become an approver')
        link.send({ type: 'refused', reason: 'A command that runs here cannot answer.' })
        link.close('inside a run')
      } else admit(link, peer)
    },
  })
}
