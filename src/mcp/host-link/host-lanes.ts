import { HOST_IN_CONTAINER, type HostLane } from './host-lane.ts'
import type { HostLaneName } from './lane.ts'
import type { HostLooks } from './look-on.ts'

/** What both tools ask of a host, wherever it is. */
export type Hosts = Pick<HostLane, 'read' | 'terminate' | 'list' | 'updateAllowlist' | 'askerGone' | 'calls'> & {
  /** The one that a command is for. */
  at(lane: HostLaneName): Pick<HostLane, 'execute'>
  readonly looks: HostLooks
}

/**
 * The host on this machine and the one outside the container. New commands go where their request says; reading, ending
 * and listing ask the usual one and whichever else was used, because a run belongs to where it was started.
 */
export function hostLanes(lanes: Readonly<Record<HostLaneName, HostLane>>, usual: () => HostLaneName): Hosts {
  const used = new Set<HostLaneName>()
  const inUse = (): HostLane[] => [...new Set([usual(), ...used])].map(name => lanes[name])

  return {
    at(lane) {
      used.add(lane)
      return lanes[lane]
    },

    read: (context, target, options, call) => firstOf(inUse(), host => host.read(context, target, options, call)),
    terminate: (context, target) => firstOf(inUse(), host => host.terminate(context, target)),

    async list(context) {
      const asked = await Promise.all(inUse().map(async host => ({ host, list: await host.list(context) })))
      const lists = asked.flatMap(({ host: { isInContainer }, list }) => (list ? [{ ...list, isInContainer }] : []))
      if (lists.length === 0) return null
      return {
        items: lists.flatMap(({ items }) => items),
        omitted: lists.reduce((sum, { omitted }) => sum + omitted, 0),
        terminals: lists.flatMap(({ terminals }) => terminals),
        approvers: lists.reduce((sum, { approvers }) => sum + approvers, 0),
        human: lists.find(({ human }) => human !== undefined)?.human,
        host: lists.some(({ isInContainer }) => isInContainer) ? HOST_IN_CONTAINER : undefined,
      }
    },

    looks: {
      on: (context, from, signal) => firstOf(inUse(), host => host.looks.on(context, from, signal)),
      receipt: (context, id) => firstOf(inUse(), host => host.looks.receipt(context, id)),
    },

    askerGone(session) {
      for (const host of inUse()) host.askerGone(session)
    },
    // Where nothing was asked nothing is left behind: no need to look which host is in use.
    calls(session, about) {
      for (const host of Object.values(lanes)) host.calls(session, about)
    },
    updateAllowlist: (context, change, call) => lanes[usual()].updateAllowlist(context, change, call),
  }
}

async function firstOf<T>(hosts: readonly HostLane[], ask: (host: HostLane) => Promise<T | null>): Promise<T | null> {
  for (const host of hosts) {
    const found = await ask(host)
    if (found !== null) return found
  }
  return null
}
