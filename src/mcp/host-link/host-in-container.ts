import type { AnyResponse } from '../../contract/tool/response.ts'
import type { Hosts } from './host-lanes.ts'

/** As every answer of a host in a container says it (docs/spec.md D25). */
export const HOST_IN_CONTAINER = 'host in a container'

/** The same host, whose answers say that it is in a container when it has said so itself. */
export function sayingWhere(hosts: Hosts, isInContainer: () => boolean): Hosts {
  const said = <Response extends AnyResponse | null>(response: Response): Response =>
    response === null || !isInContainer()
      ? response
      : { ...response, result: { ...response.result, host: HOST_IN_CONTAINER } }
  return {
    execute: async (...args) => said(await hosts.execute(...args)),
    read: async (...args) => said(await hosts.read(...args)),
    terminate: async (...args) => said(await hosts.terminate(...args)),
    list: async (...args) => {
      const list = await hosts.list(...args)
      return list && isInContainer() ? { ...list, host: HOST_IN_CONTAINER } : list
    },
    askerGone: session => hosts.askerGone(session),
    calls: (session, about) => hosts.calls(session, about),
    updateAllowlist: async (...args) => said(await hosts.updateAllowlist(...args)),
  }
}
