import type { IncomingHttpHeaders } from 'node:http'

export interface PageRefusal {
  readonly status: 400 | 403 | 404 | 405 | 421
  readonly message: string
}

export interface PageRequest {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** How often each of these is there: two would be one for us and one for somebody before us. */
  readonly rawHeaders: readonly string[]
}

/** Which addresses of the page are served. forwarded: a person forwards the port, so it may have another number at their end. */
export type Served = 'own_port' | 'forwarded'

const ONCE = ['host', 'origin', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']
/** Names that no name server decides about: they always mean the machine of whoever asks. */
const LOOPBACK = /^(localhost|127\.0\.0\.1):([1-9]\d{0,4})$/

/**
 * Whether a request comes from our own page in a person's browser: exact Host (a name that was bent to 127.0.0.1 is another),
 * exact Origin, and what browsers say about why they ask (Sec-Fetch). Null: it does.
 */
export function webGuard(
  port: number,
  served: Served = 'own_port',
): {
  readonly origin: string
  page(asked: PageRequest): PageRefusal | null
  part(asked: PageRequest, dests: readonly string[]): PageRefusal | null
  upgrade(asked: PageRequest): PageRefusal | null
} {
  const own = `localhost:${port}`
  const isServed = (host: string | undefined): boolean =>
    host !== undefined && (host === own || (served === 'forwarded' && isForwarded(host)))
  const otherwise = served === 'forwarded' ? ` ${howToForward(port)}` : ''
  const common = ({ method, headers, rawHeaders }: PageRequest): PageRefusal | null => {
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase())
    if (ONCE.some(name => names.filter(each => each === name).length > 1))
      return { status: 400, message: 'A header is there twice.' }
    if (!isServed(headers.host)) return { status: 421, message: `This host name is not served here.${otherwise}` }
    if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
      return { status: 403, message: `This origin is not allowed.${otherwise}` }
    if (method !== 'GET') return { status: 405, message: 'Only GET: whatever changes something goes over the feed.' }
    return null
  }
  return {
    origin: `http://${own}`,
    /** Anybody may send a person here; without a ticket the page can do nothing. But never into a frame. */
    page(asked) {
      const { headers } = asked
      const fits = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
      return common(asked) ?? (fits ? null : { status: 403, message: 'This page is for a browser window of its own.' })
    },
    part(asked, dests) {
      const { headers } = asked
      const fits = headers['sec-fetch-site'] === 'same-origin' && dests.includes(String(headers['sec-fetch-dest']))
      return common(asked) ?? (fits ? null : { status: 403, message: 'Only our own page loads this.' })
    },
    upgrade(asked) {
      const { headers } = asked
      const site = headers['sec-fetch-site']
      // Not every browser says this about a WebSocket; what it says must be right.
      const fits = headers.origin !== undefined && (site === undefined || site === 'same-origin')
      return common(asked) ?? (fits ? null : { status: 403, message: 'Only our own page opens the feed.' })
    },
  }
}

const isForwarded = (host: string): boolean => Number(LOOPBACK.exec(host)?.[2] ?? 65_536) < 65_536

const howToForward = (port: number): string =>
  `Forward the port and use localhost: ssh -L ${port}:localhost:${port} <this machine>, then open http://localhost:${port}`
