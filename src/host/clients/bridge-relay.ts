import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'

export interface RelayDeps {
  /** A link to the host of this person, which is started when none runs. */
  readonly reach: () => Promise<Link>
  readonly log: Log
}

/**
 * Carries the frames of one paired client to the host and back. It reads none of them but the first, to which it adds whose
 * key opened the link; what the client itself says about that is dropped.
 */
export async function relay({ reach, log }: RelayDeps, client: Link): Promise<void> {
  const peer = { name: client.identity }
  let host: Link
  try {
    host = await reach()
  } catch (cause) {
    log.warn('the host cannot be reached', { peer: peer.name, cause })
    client.close('the host cannot be reached')
    return
  }
  host.onClose(reason => client.close(reason))
  client.onClose(reason => host.close(reason))
  log.info('a client is connected', { peer: peer.name })
  client.onClose(reason => log.info('a client is gone', { peer: peer.name, reason }))
  host.onFrame(frame => client.send(frame))
  // Frames that came before the host was there were kept for this moment.
  client.onFrame(frame => host.send(isHello(frame) ? { ...frame, peer } : frame))
}

const isHello = (frame: object): boolean => (frame as { type?: unknown }).type === 'hello'
