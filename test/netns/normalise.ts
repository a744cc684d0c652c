/** What may differ between two runs of the same thing: ids, times, and the names of the lane and the adapter. Nothing else. */
const QUICK = 'execution_time_ms'
const TIMES = new Set(['started_at', 'ended_at', 'updated_at', 'asked_at', 'last_input_s', 'ms'])
const HASHES = new Set(['plan_hash'])
const LANES = /\b(host_bridge_local|container_bridge_to_host)\b/g
const MADE_IDS = /\b(req|trace|term|host|ses|ask|apr|srv)_[0-9a-f]{32}\b/g
const CHOSEN_IDS = /:(\d+):(local|container)\b/g
const PIDS = /\bpid \d+\b/g

export function normalise(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return HASHES.has(key) || TIMES.has(key)
      ? `<${key}>`
      : value
          .replaceAll(MADE_IDS, '<$1>')
          .replaceAll(CHOSEN_IDS, ':$1:<side>')
          .replaceAll(LANES, '<lane>')
          .replaceAll(PIDS, 'pid <pid>')
  if (key === 'survivors' && Array.isArray(value)) return `<${value.length} pids>`
  if (Array.isArray(value)) return value.map(each => normalise(each, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      // An answer has it only where the command was not quick: a busy machine decides that, not the side it ran on.
      Object.entries(value).flatMap(([name, each]) => (name === QUICK ? [] : [[name, normalise(each, name)]])),
    )
  return typeof value === 'number' && TIMES.has(key) ? `<${key}>` : value
}
