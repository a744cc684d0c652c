import type { HostLane } from './host-lane.ts'
import type { HostLaneName } from './lane.ts'

/** What both tools ask of a host, wherever it is. */
export type Hosts = Pick<
  HostLane,
  'execute' | 'read' | 'terminate' | 'list' | 'updateAllowlist' | 'askerGone' | 'calls'
>

/**
 * The host on this machine and the one outside the container. New commands go where their request says; reading, ending
 * and listing ask the usual one and whichever else was used, because a run belongs to where it was started.
 */
export function hostLanes(lanes: Readonly<Record<HostLaneName, Hosts>>, usual: () => HostLaneName): Hosts {
  const used = new Set<HostLaneName>()
  const inUse = (): Hosts[] => [...new Set([usual(), ...used])].map(name => lanes[name])

  return {
    execute(context, request, lane, call) {
      used.add(lane.name)
      return lanes[lane.name].execute(context, request, lane, call)
    },

    async read(context, target, options, call) {
      return firstFound(inUse(), host => host.read(context, target, options, call))
    },
    async terminate(context, target) {
      return firstFound(inUse(), host => host.terminate(context, target))
    },

    async list(context) {
      const lists = (await Promise.all(inUse().map(host => host.list(context)))).filter(each => each !== null)
      if (lists.length === 0) return null
      return {
        items: lists.flatMap(({ items }) => items),
        omitted: lists.reduce((sum, { omitted }) => sum + omitted, 0),
        terminals: lists.flatMap(({ terminals }) => terminals),
        approvers: lists.reduce((sum, { approvers }) => sum + approvers, 0),
        human: lists.find(({ human }) => human !== undefined)?.human,
        host: lists.find(({ host }) => host !== undefined)?.host,
      }
    },

    askerGone(session) {
      for (const host of inUse()) host.askerGone(session)
    },
    calls(session, about) {
      for (const host of inUse()) host.calls(session, about)
    },
    updateAllowlist: (context, change, call) => lanes[usual()].updateAllowlist(context, change, call),
  }
}

async function firstFound<T>(hosts: readonly Hosts[], ask: (host: Hosts) => Promise<T | null>): Promise<T | null> {
  for (const host of hosts) {
    const found = await ask(host)
    if (found !== null) return found
  }
  return null
}
