import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

/** Who may speak to the HTTP listener: exact Host and Origin (no page of any other site), and the bearer token. */
export function httpGuard(options: {
  readonly token: string
  readonly port: number
  /** Further names with their port, under which a person has published it. */
  readonly hosts?: readonly string[]
}): (request: IncomingMessage) => Refusal | null {
  const hosts = [`127.0.0.1:${options.port}`, `localhost:${options.port}`, ...(options.hosts ?? [])]
  const origins = hosts.map(host => `http://${host}`)
  const expected = digest(options.token)
  return request => {
    const { host, origin, authorization } = request.headers
    if (host === undefined || !hosts.includes(host))
      return { status: 403, message: 'This host name is not served here.' }
    if (origin !== undefined && !origins.includes(origin))
      return { status: 403, message: 'This origin is not allowed.' }
    const bearer = /^Bearer (\S{1,256})$/.exec(authorization ?? '')?.[1]
    // Digests have one length, so that comparing takes the same time for every guess.
    if (bearer === undefined || !timingSafeEqual(digest(bearer), expected))
      return { status: 401, message: 'A bearer token is needed. It is in the http-token file of the state directory.' }
    return null
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
