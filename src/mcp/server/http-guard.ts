import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface HttpRefusal {
  readonly status: 400 | 401 | 403
  readonly message: string
}

export interface HttpGuard {
  /** Whether it was sent to us and by no page of another site. */
  readonly place: (request: IncomingMessage) => HttpRefusal | null
  /** The same, and with the token. */
  readonly whole: (request: IncomingMessage) => HttpRefusal | null
}

/** A second one would be one for us and one for somebody before us. */
const ONCE = ['host', 'origin', 'authorization']

/** Who may speak to the HTTP listener: exact Host and Origin (no page of any other site), and the bearer token. */
export function httpGuard(options: {
  readonly token: string
  readonly port: number
  /** Further names with their port, under which a person has published it. */
  readonly hosts?: readonly string[]
}): HttpGuard {
  const hosts = [`127.0.0.1:${options.port}`, `localhost:${options.port}`, ...(options.hosts ?? [])]
  const origins = hosts.map(host => `http://${host}`)
  const expected = digest(options.token)
  const place = ({ headers, rawHeaders }: IncomingMessage): HttpRefusal | null => {
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase())
    if (ONCE.some(name => names.filter(each => each === name).length > 1))
      return { status: 400, message: 'A header is given twice.' }
    const { host, origin } = headers
    if (host === undefined || !hosts.includes(host))
      return { status: 403, message: 'This host name is not served here.' }
    if (origin !== undefined && !origins.includes(origin))
      return { status: 403, message: 'This origin is not allowed.' }
    return null
  }
  const token = ({ headers }: IncomingMessage): HttpRefusal | null => {
    // The name of the scheme is the same in any case of letters (RFC 7235).
    const bearer = /^bearer (\S{1,256})$/i.exec(headers.authorization ?? '')?.[1]
    // Digests have one length, so that comparing takes the same time for every guess.
    if (bearer !== undefined && timingSafeEqual(digest(bearer), expected)) return null
    return { status: 401, message: 'A bearer token is needed. It is in the http-token file of the state directory.' }
  }
  return { place, whole: request => place(request) ?? token(request) }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
