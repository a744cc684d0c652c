import type { IncomingHttpHeaders } from 'node:http'

export interface Refusal {
  readonly status: 400 | 403 | 404 | 405 | 421
  readonly message: string
}

export interface Asked {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** How often each of these stands there: two would be one for us and one for somebody before us. */
  readonly rawHeaders: readonly string[]
}

const ONCE = ['host', 'origin', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']

/**
 * Whether a request comes from our own page in a person's browser: exact Host (a name that was bent to 127.0.0.1 is another),
 * exact Origin, and what browsers say about why they ask (Sec-Fetch). Null: it does.
 */
export function webGuard(port: number): {
  readonly origin: string
  page(asked: Asked): Refusal | null
  part(asked: Asked, dests: readonly string[]): Refusal | null
  upgrade(asked: Asked): Refusal | null
} {
  const host = `localhost:${port}`
  const origin = `http://${host}`
  const common = ({ method, headers, rawHeaders }: Asked): Refusal | null => {
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase())
    if (ONCE.some(name => names.filter(each => each === name).length > 1))
      return { status: 400, message: 'A header stands there twice.' }
    if (headers.host !== host) return { status: 421, message: 'This host name is not served here.' }
    if (headers.origin !== undefined && headers.origin !== origin)
      return { status: 403, message: 'This origin is not allowed.' }
    if (method !== 'GET') return { status: 405, message: 'Only GET: whatever changes something goes over the feed.' }
    return null
  }
  return {
    origin,
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
      const fits = headers.origin === origin && (site === undefined || site === 'same-origin')
      return common(asked) ?? (fits ? null : { status: 403, message: 'Only our own page opens the feed.' })
    },
  }
}
