import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'

export interface DoorOptions {
  readonly port: number
  readonly clock: Clock
  /** TLS with a pre-shared key: approvers in terminals. */
  readonly onTls: (socket: Socket) => void
  /** Anything else is taken for HTTP: the window. */
  readonly onHttp: (socket: Socket) => void
}

export interface ApproverDoor {
  readonly port: number
  /** Who else would answer for http://localhost:<port>, so that no window may be opened there; null: nobody. */
  readonly squatter: string | null
  close(): Promise<void>
}

const TLS_HANDSHAKE = 0x16
/** As patient as the handshake behind it. */
const FIRST_BYTE_WITHIN_MS = 10_000
const MOST_SILENT = 64
const MOST_TRIES = 20

/**
 * One port for everybody who may answer, on 127.0.0.1 and, where the machine has it, ::1: a browser takes `localhost` for
 * either. The first byte tells TLS from HTTP.
 */
export async function openApproverDoor(options: DoorOptions): Promise<ApproverDoor> {
  const silent = new Set<Socket>()
  const sort = (socket: Socket) => {
    silent.add(socket)
    const [oldest] = silent
    if (silent.size > MOST_SILENT) oldest?.destroy()
    const tooLate = options.clock.after(FIRST_BYTE_WITHIN_MS, () => socket.destroy())
    const ready = () => {
      tooLate.dispose()
      silent.delete(socket)
    }

    socket.on('error', () => socket.destroy())
    socket.once('close', ready)
    socket.once('data', first => {
      ready()
      socket.pause()
      socket.unshift(first)
      // TLS takes what was read already by itself; HTTP waits for it to flow.
      if (first[0] === TLS_HANDSHAKE) options.onTls(socket)
      else {
        options.onHttp(socket)
        socket.resume()
      }
    })
  }

  const { servers, port, squatter } = await bindBoth(options.port, sort)
  return {
    port,
    squatter,
    async close() {
      for (const socket of silent) socket.destroy()
      await Promise.all(servers.map(server => new Promise<void>(done => server.close(() => done()))))
    },
  }
}

async function bindBoth(wanted: number, sort: (socket: Socket) => void) {
  for (let tries = 1; ; tries++) {
    const four = await bind('127.0.0.1', wanted, sort)
    const { port } = four.address() as AddressInfo
    try {
      return { servers: [four, await bind('::1', port, sort)], port, squatter: null }
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // No IPv6 here: then a browser has nowhere else to go.
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return { servers: [four], port, squatter: null }
      if (wanted !== 0 || tries >= MOST_TRIES)
        return { servers: [four], port, squatter: `another program holds [::1]:${port} (${code})` }
      // Any free port will do: one that is free on both.
      await new Promise<void>(done => four.close(() => done()))
    }
  }
}

function bind(host: string, port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true, ipv6Only: true }, () => {
      server.off('error', reject)
      server.on('error', () => {}) // one connection that could not be accepted; the next one may
      resolve(server)
    })
  })
}
