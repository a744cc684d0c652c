import { ensureKeyFile } from '../base/keys/key-file.ts'
import type { Link } from '../base/link/link.ts'
import { listenPsk } from '../base/link/psk-socket.ts'
import type { Pairings } from './clients/pairings.ts'
import { tooManyClients } from './clients/too-many-connections.ts'
import type { HostDeps } from './host.ts'
import { BRIDGE, LOCAL } from './names.ts'

/** The listener for clients. Links that come before `serve` is called wait for it. */
export async function listenForClients(
  { clock, configuration: { settings, paths } }: Pick<HostDeps, 'clock' | 'configuration'>,
  localKey: Buffer,
  pairings: Pairings,
) {
  const bridgeKey = ensureKeyFile(paths.bridgeKeyFile)
  const waiting: Link[] = []
  let take = (link: Link): void => void waiting.push(link)
  const listener = await listenPsk({
    host: '127.0.0.1',
    port: settings.PM_TERM_PORT,
    clock,
    keyFor: identity => (identity === LOCAL ? localKey : identity === BRIDGE ? bridgeKey : pairings.key(identity)),
    onLink: link => take(link),
    refusal: tooManyClients,
  })

  return {
    ...listener,
    serve(connect: (link: Link) => void): void {
      take = connect
      for (const link of waiting.splice(0)) connect(link)
    },
  }
}
