import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inputRequired, inputResponse, type Root, type Server, type ServerContext } from '@modelcontextprotocol/server'

/**
 * Where the caller's project is, when many clients share one server: what the client says its root is, never where the
 * server happened to be started. Null would be a guess, so there is none: either a directory or why there is not.
 */
export type CallerDirectory = { readonly path: string } | { readonly problem: string }

const KEY = 'roots'
const ANSWER_WITHIN_MS = 5000
const NEEDS_A_DIRECTORY = new Set(['run', 'execute', 'create', 'send', 'get_allowlist', 'update_allowlist'])
const NOT_SAID = 'this server does not know where the project is'

/** The protocol's own way of asking the client, to be returned instead of an answer. */
export interface AskFirst {
  readonly ask: ReturnType<typeof inputRequired>
}

export async function callerDirectory(
  server: Server,
  ctx: ServerContext,
  args: unknown,
): Promise<CallerDirectory | AskFirst> {
  const { action } = (args ?? {}) as { action?: unknown }
  if (!NEEDS_A_DIRECTORY.has(String(action)) || !server.getClientCapabilities()?.roots) return { problem: NOT_SAID }
  const { mcpReq } = ctx
  // Requests of 2026-07-28 carry an envelope; there the client is asked by an answer, and calls again.
  if (mcpReq.envelope !== undefined) {
    const said = inputResponse(mcpReq.inputResponses, KEY)
    if (said.kind === 'roots') return chosen(said.roots)
    if (mcpReq.requestState() === KEY) return { problem: NOT_SAID }
    return { ask: inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() }, requestState: KEY }) }
  }
  try {
    const { roots } = await mcpReq.send({ method: 'roots/list' }, { timeout: ANSWER_WITHIN_MS, signal: mcpReq.signal })
    return chosen(roots)
  } catch {
    return { problem: `${NOT_SAID}, and the client did not say` }
  }
}

/** Two would be a choice, and it is not ours. */
function chosen(roots: readonly Pick<Root, 'uri'>[]): CallerDirectory {
  const paths = roots.slice(0, 16).flatMap(({ uri }) => pathOf(uri) ?? [])
  const [path, ...others] = [...new Set(paths)]
  if (path === undefined) return { problem: NOT_SAID }
  if (others.length > 0) return { problem: `the client names more than one root: ${[path, ...others].join(', ')}` }
  if (!isDirectory(path)) return { problem: `the client's root ${path} is not a directory on this machine` }
  return { path }
}

function pathOf(uri: unknown): string | null {
  try {
    const path = fileURLToPath(String(uri))
    return isAbsolute(path) && !path.includes('\0') ? path : null
  } catch {
    return null // not a file
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
