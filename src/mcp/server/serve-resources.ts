import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Asker } from '../../contract/wire/asker.ts'
import { RESOURCE_TEMPLATES, type ResourceFront } from './resource-front.ts'
import type { ResourceWatches } from './resource-watches.ts'

/** Answers what a client asks about resources. `watches`: null where each request is on its own. */
export function serveResources(
  server: Server,
  resources: ResourceFront,
  { askerOf, watches }: { askerOf: (ctx: ServerContext) => Asker; watches: ResourceWatches | null },
): void {
  const callerOf = (ctx: ServerContext) => ({ asker: askerOf(ctx), signal: ctx.mcpReq.signal })

  server.setRequestHandler('resources/list', async ({ params }, ctx) => {
    const page = await resources.list(params?.cursor, callerOf(ctx)).catch(invalidParams)
    watches?.looked()
    return page as never
  })
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const contents = await resources.read(uri, callerOf(ctx)).catch(notFound(uri))
    return { contents } as never
  })

  if (watches === null) return
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, ctx) => {
    await watches.add(server, uri, askerOf(ctx)).catch(notFound(uri))
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    watches.remove(server, uri)
    return {}
  })
}

// By its code: a part that was loaded by itself has classes of its own.
const codeOf = (cause: unknown): unknown => (cause as { code?: unknown } | null)?.code

const notFound =
  (uri: string) =>
  (cause: unknown): never => {
    if (codeOf(cause) === 'PM_TERM_NOT_FOUND') throw new ResourceNotFoundError(uri, (cause as Error).message)
    return invalidParams(cause)
  }

function invalidParams(cause: unknown): never {
  const code =
    codeOf(cause) === 'PM_TERM_INVALID_PAYLOAD' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  throw new ProtocolError(code, cause instanceof Error ? cause.message : String(cause))
}
