import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { WebFiles } from './files.ts'
import { type PageRefusal, type Served, webGuard } from './guard.ts'
import { LONGEST_MESSAGE } from './link.ts'

export interface WebServerOptions {
  readonly port: number
  readonly clock: Clock
  readonly files: WebFiles
  readonly served: Served
  /** `at`: the page's origin, and its end of the connection. */
  readonly onFeed: (socket: WebSocket, at: { readonly origin: string; readonly peerPort: number }) => void
  /** Whether a command that runs here is at the other end. */
  readonly isInsideRun: (peerPort: number) => boolean
}

export interface WebServer {
  readonly origin: string
  take(socket: Socket): void
  close(): void
}

const MOST_CONNECTIONS = 64
const HEADERS_WITHIN_MS = 5000
const IDLE_CONNECTION_MS = 10_000
const FEED = '/feed'

/** The window's files, and the upgrade to its feed. Nothing here changes anything: that goes over the feed. */
export function webServer(options: WebServerOptions): WebServer {
  const guard = webGuard(options.port, options.served)
  /** Each connection with its deadline: a listener would see to it, but ours is shared. */
  const sockets = new Map<Socket, Disposable>()
  const wait = (socket: Socket, ms: number) => {
    sockets.get(socket)?.dispose()
    sockets.set(
      socket,
      options.clock.after(ms, () => socket.destroy()),
    )
  }
  const feeds = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LONGEST_MESSAGE,
    clientTracking: false,
  })
  const server = createServer({ maxHeaderSize: 16 * 1024, requireHostHeader: false, insecureHTTPParser: false })

  server.on('request', (request, response) => {
    wait(request.socket, IDLE_CONNECTION_MS)
    // The address as it is: no decoding, no dots, nothing to be clever about.
    const file = options.files.get(request.url ?? '')
    const refusal =
      request.url === '/'
        ? guard.page(request)
        : (guard.part(request, file?.dests ?? []) ??
          (file ? null : ({ status: 404, message: 'There is nothing here.' } as const)))
    if (refusal) refuse(response, refusal)
    else if (!file) refuse(response, { status: 404, message: 'The window was not built. Run: npm run build' })
    else {
      // The guard has seen to it that this is an address of ours.
      const headers = headersFor(request.headers.host ?? '')
      response.writeHead(200, { ...headers, 'content-type': file.type, 'content-length': file.bytes.length })
      response.end(file.bytes)
    }
  })

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const refusal: PageRefusal | null =
      guard.upgrade(request) ?? (request.url === FEED ? null : { status: 404, message: 'The feed is at /feed.' })
    if (refusal ?? options.isInsideRun(socket.remotePort ?? 0)) {
      const { status, message } = refusal ?? { status: 403, message: 'A command that runs here cannot answer.' }
      socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n${message}\n`)
      return
    }
    sockets.get(socket)?.dispose()
    const at = { origin: `http://${request.headers.host}`, peerPort: socket.remotePort ?? 0 }
    feeds.handleUpgrade(request, socket, head, feed => options.onFeed(feed, at))
  })
  server.on('clientError', (_cause, socket) => socket.destroy())

  function refuse(response: ServerResponse, { status, message }: PageRefusal): void {
    response.writeHead(status, {
      ...headersFor(`localhost:${options.port}`),
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    })
    response.end(`${message}\n`)
  }

  return {
    origin: guard.origin,
    take(socket) {
      wait(socket, HEADERS_WITHIN_MS)
      socket.once('close', () => {
        sockets.get(socket)?.dispose()
        sockets.delete(socket)
      })
      const [oldest] = sockets.keys()
      if (sockets.size > MOST_CONNECTIONS) oldest?.destroy()
      server.emit('connection', socket)
    },
    close() {
      for (const socket of [...sockets.keys()]) socket.destroy()
      server.close()
      feeds.close()
    },
  }
}

function headersFor(host: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // A picture drawn by the page: the count in the tab.
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The one place that may name a script by address: the worker that carries a session over a reload.
    'trusted-types keeper',
  ].join('; ')

  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=()',
  }
}
