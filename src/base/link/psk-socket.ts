import { constants, randomBytes } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer, type Server, type TLSSocket } from 'node:tls'
import type { Clock } from '../clock.ts'
import { Disposables, onAbort } from '../disposable.ts'
import type { Link } from './link.ts'
import { LINK_LIMITS, type LinkLimits, TlsLink } from './tls-link.ts'

/**
 * Authenticated sockets: TLS 1.3 with a pre-shared key. Both ends prove they hold the key, nobody sends it, and a
 * recorded conversation is worth nothing.
 */
const TLS = {
  // The one suite whose hash fits a key without a named hash of its own.
  ciphers: 'TLS_AES_128_GCM_SHA256',
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  // With tickets a client whose key was revoked could come back without the key.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const

/** An address of the network, or a socket file. */
export type Address = { readonly host: string; readonly port: number } | { readonly path: string }
/** What somebody else, the system for example, has opened for us already. */
export type Inherited = { readonly fd: number }

export const addressText = (at: Address): string => ('path' in at ? at.path : `${at.host}:${at.port}`)

export interface PskDoorOptions {
  readonly clock: Clock
  /** The key of a client, or null for a name nobody knows. */
  readonly keyFor: (identity: string) => Buffer | null
  readonly onLink: (link: Link, peer: { readonly port: number }) => void
  /** What is sent to somebody who has proved who they are and has `most` connections already, before this one ends. */
  readonly refusal: (most: number) => object
  readonly limits?: Partial<PskListenerLimits>
}

export type PskListenerOptions = (Address | Inherited) & PskDoorOptions

export interface PskListenerLimits extends LinkLimits {
  readonly handshakeMs: number
  /** Connections that have not proved anything yet. Beyond it the oldest goes, so that a crowd cannot lock others out. */
  readonly strangers: number
  readonly linksPerIdentity: number
}

/** Takes sockets that somebody else accepted. */
export interface PskDoor {
  take(socket: Socket): void
  /** Ends the links of an identity whose key is no longer good. */
  cut(identity: string): void
  /** Ends every link whose key is not the one it was made with any more: revoked, or replaced. */
  recheck(): void
  close(): void
}

export interface PskListener extends Pick<PskDoor, 'cut' | 'recheck'> {
  /** 0 for a socket file. */
  readonly port: number
  close(): Promise<void>
}

/** Patient: a disk that syncs for seconds holds both ends up, and the cap on strangers is what keeps a crowd out. */
const LISTENER_LIMITS: PskListenerLimits = { ...LINK_LIMITS, handshakeMs: 10_000, strangers: 64, linksPerIdentity: 64 }

/** A door behind a listener of its own. Rejects with the system's error when the port is taken. */
export function listenPsk(options: PskListenerOptions): Promise<PskListener> {
  const { server, door } = openDoor(options)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...placeOf(options), exclusive: true }, () => {
      server.off('error', reject)
      server.on('error', () => {}) // one connection that could not be accepted; the next one may
      resolve({
        port: (server.address() as AddressInfo).port ?? 0,
        cut: door.cut,
        recheck: door.recheck,
        close() {
          door.close()
          return new Promise(done => server.close(() => done()))
        },
      })
    })
  })
}

/** A door without a listener: for a port that has other guests, too. */
export const pskDoor = (options: PskDoorOptions): PskDoor => openDoor(options).door

function openDoor(options: PskDoorOptions): { readonly server: Server; readonly door: PskDoor } {
  const limits = { ...LISTENER_LIMITS, ...options.limits }
  const proven = new WeakMap<TLSSocket, { readonly identity: string; readonly key: Buffer }>()
  const strangers = new Set<Socket>()
  const links = new Map<TlsLink, Buffer>()
  const isGood = (identity: string, key: Buffer): boolean => options.keyFor(identity)?.equals(key) === true
  const pskCallback = (socket: TLSSocket, identity: string): Buffer => {
    const key = options.keyFor(identity)
    if (key) proven.set(socket, { identity, key })
    // A key nobody holds: an unknown name fails exactly as a wrong key does, so nobody learns which names there are.
    return key ?? randomBytes(32)
  }
  const server = createServer({ ...TLS, pskCallback, handshakeTimeout: limits.handshakeMs })
  server.on('connection', (socket: Socket) => {
    strangers.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => strangers.delete(socket))
    const [oldest] = strangers
    if (strangers.size > limits.strangers) oldest?.destroy()
  })
  server.on('tlsClientError', (_cause, socket) => socket.destroy())
  server.on('secureConnection', socket => {
    const proof = proven.get(socket)
    for (const stranger of strangers)
      if (stranger.remotePort === socket.remotePort) {
        strangers.delete(stranger)
        break // connections over a socket file have no port: one of them is as good as another
      }
    // Checked once more: the key may have been revoked during the handshake.
    const stillGood = proof !== undefined && isGood(proof.identity, proof.key)
    const already = [...links.keys()].filter(link => link.identity === proof?.identity).length
    if (!stillGood) {
      socket.destroy()
      return
    }
    const { identity, key } = proof
    const link = new TlsLink(socket, { identity, limits, clock: options.clock })
    if (already >= limits.linksPerIdentity) {
      link.send(options.refusal(limits.linksPerIdentity))
      link.close('too many connections')
      return
    }
    links.set(link, key)
    link.onClose(() => links.delete(link))
    options.onLink(link, { port: socket.remotePort ?? 0 })
  })
  return {
    server,
    door: {
      take: socket => void server.emit('connection', socket),
      cut(identity) {
        for (const link of [...links.keys()]) if (link.identity === identity) link.close('the key was revoked')
      },
      recheck() {
        for (const [link, key] of [...links]) if (!isGood(link.identity, key)) link.close('the key was revoked')
      },
      close() {
        for (const link of [...links.keys()]) link.close('the listener ends')
        for (const stranger of [...strangers]) stranger.destroy()
      },
    },
  }
}

const placeOf = (at: Address | Inherited) =>
  'fd' in at ? { fd: at.fd } : 'path' in at ? { path: at.path } : { host: at.host, port: at.port }

/** Whoever dials has chosen the other end: a host that does much has much to send. */
const DIAL_LIMITS = { burst: 20_000, framesPerSecond: 10_000 }

export type PskDialOptions = Address & {
  readonly identity: string
  readonly key: Buffer
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly limits?: Partial<LinkLimits>
}

/** Why there is no link. late: nobody took the call; timeout: somebody did, and then kept silent. */
export type DialProblem = 'refused' | 'unreachable' | 'late' | 'wrong_key' | 'cut' | 'timeout' | 'aborted'

export class DialError extends Error {
  override readonly name = 'DialError'
  readonly problem: DialProblem

  constructor(problem: DialProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.problem = problem
  }
}

/** A link to whoever listens there, if it holds the same key. */
export function dialPsk(options: PskDialOptions): Promise<Link> {
  const at = addressText(options)

  return new Promise((resolve, reject) => {
    const life = new Disposables()
    let connected = false
    const socket = connect({
      ...TLS,
      ...('path' in options ? { path: options.path } : { host: options.host, port: options.port }),
      pskCallback: () => ({ identity: options.identity, psk: options.key }),
      // Called only when the other end shows a certificate instead of the key.
      checkServerIdentity: () => new Error('the other end does not hold the key'),
    })

    const fail = (error: DialError) => {
      life.dispose()
      socket.destroy()
      reject(error)
    }

    life.add(
      options.clock.after(options.timeoutMs, () =>
        fail(new DialError(connected ? 'timeout' : 'late', `${at} did not answer within ${options.timeoutMs} ms.`)),
      ),
    )
    life.add(onAbort(options.signal, () => fail(new DialError('aborted', `The call to ${at} was given up.`))))

    socket.once('connect', () => {
      connected = true
    })
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ECONNREFUSED' || cause.code === 'ENOENT')
        fail(new DialError('refused', `Nothing listens on ${at}.`, cause))
      else if (connected && cause.code === 'ECONNRESET')
        fail(new DialError('cut', `${at} ended the connection during the handshake.`, cause))
      else if (connected) fail(new DialError('wrong_key', `${at} does not hold the same key.`, cause))
      else fail(new DialError('unreachable', `${at} cannot be reached: ${cause.message}.`, cause))
    })
    socket.once('close', () => fail(new DialError('cut', `${at} closed the connection.`)))

    socket.once('secureConnect', () => {
      // In TLS 1.3 a session that came from a pre-shared key counts as reused; one with a certificate does not.
      if (!socket.isSessionReused()) return fail(new DialError('wrong_key', `${at} does not hold the key.`))
      life.dispose()
      socket.removeAllListeners('error')
      socket.removeAllListeners('close')
      const limits = { ...LINK_LIMITS, ...DIAL_LIMITS, ...options.limits }
      resolve(new TlsLink(socket, { identity: options.identity, limits, clock: options.clock }))
    })
  })
}
