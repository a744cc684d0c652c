/** Every MCP server of the person on this machine. */
export const LOCAL = 'local'

/** The person, who opens shells of their own: no agent may read those. */
export const PERSON = 'person'

/** By which way a requester's commands come. */
export const adapterOf = (requester: string): 'host_bridge_local' | 'container_bridge_to_host' =>
  requester === LOCAL || requester === PERSON ? 'host_bridge_local' : 'container_bridge_to_host'

/** The stand-alone bridge: the one credential that speaks for others. */
export const BRIDGE = 'bridge'
