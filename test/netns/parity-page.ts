import type { AnyResponse } from '../../src/contract/tool/response.ts'
import type { Scenario } from './scenarios.ts'

export interface Seen {
  readonly scenario: Scenario
  /** What both sides saw, after ids and times were taken out. */
  readonly observed: readonly unknown[]
}

/** docs/parity.md: what was done on both sides, and what the agent saw on both. */
export function parityPage(seen: readonly Seen[]): string {
  const rows = seen.map(({ scenario, observed }) => [
    scenario.lane,
    scenario.name,
    observed.map(inWords).filter(unique).join(' · '),
  ])
  return `<!-- Made by \`npm run parity\`. A test checks that it is what the suite sees. -->
# The same from a container

Every row was done twice: by an MCP server beside the host, and by one in a container that reached the same host over the bridge.
The answers were compared field by field after ids, times and process ids were taken out; the names of lane and adapter are the
only difference. Run with a real container (podman, rootful, bridge network); \`npm run parity\` does it again. Without an engine
the same table runs over network namespaces.

| Lane | What happens | What the agent sees, on both sides |
| --- | --- | --- |
${rows.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')}
`
}

function inWords(each: unknown): string {
  if (typeof each === 'object' && each !== null && 'bytes' in each && 'lines' in each)
    return `${each.bytes} bytes in ${each.lines} lines, the same`
  const { status, error, result } = (typeof each === 'object' && each !== null ? each : {}) as Partial<AnyResponse>
  if (result === undefined || status === undefined) return ''
  if (error) return `\`${error.code}\``
  const { state, exit_code, authorization } = result
  const how = authorization === undefined ? '' : `, ${authorization}`
  return `${status}${state === undefined ? '' : `, ${state}`}${typeof exit_code === 'number' ? ` ${exit_code}` : ''}${how}`
}

const unique = (text: string, at: number, all: readonly string[]): boolean => text !== '' && all.indexOf(text) === at
