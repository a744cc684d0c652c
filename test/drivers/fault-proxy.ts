import { connect, createServer, type Socket } from 'node:net'

interface Faults {
  /** Milliseconds each piece waits before it goes on. */
  readonly latencyMs: number
  /** Bytes per piece; 0: as they come. */
  readonly slice: number
  /** Nothing goes on, nothing is closed: a cable pulled out. */
  readonly hold: boolean
  /** New connections are taken and cut at once. */
  readonly down: boolean
}

export interface FaultProxy {
  readonly port: number
  set(faults: Partial<Faults>): void
  /** Cuts what is connected, in the middle of whatever it was saying. */
  cut(): void
  readonly connections: number
  readonly bytes: number
  close(): Promise<void>
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** A network that does what a test says, between a client and whoever it dials. Order of bytes is always kept. */
export async function faultProxy(
  to: { readonly host: string; readonly port: number },
  listen: { readonly host: string; readonly port: number } = { host: '127.0.0.1', port: 0 },
): Promise<FaultProxy> {
  let faults: Faults = { latencyMs: 0, slice: 0, hold: false, down: false }
  const live = new Set<Socket>()
  let connections = 0
  let bytes = 0

  const carry = (from: Socket, into: Socket) => {
    let last = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      from.pause()
      last = last.then(() => pass(chunk, from, into)).finally(() => from.resume())
    })
    from.on('end', () => void last.then(() => into.end()))
    from.on('error', () => into.destroy())
    from.on('close', () => {
      live.delete(from)
      void last.then(() => into.destroy())
    })
  }
  const pass = async (chunk: Buffer, from: Socket, into: Socket) => {
    while (faults.hold && !from.destroyed) await pause(10)
    if (faults.latencyMs > 0) await pause(faults.latencyMs)
    const size = faults.slice || chunk.length
    for (let at = 0; at < chunk.length && !into.destroyed; at += size) {
      const piece = chunk.subarray(at, at + size)
      bytes += piece.length
      if (!into.write(piece)) await new Promise<void>(go => into.once('drain', go).once('close', go))
      if (faults.slice > 0) await new Promise(setImmediate)
    }
  }

  const server = createServer({ noDelay: true }, socket => {
    connections += 1
    if (faults.down) {
      socket.resetAndDestroy()
      return
    }
    const onward = connect({ ...to, noDelay: true })
    for (const each of [socket, onward]) live.add(each)
    carry(socket, onward)
    carry(onward, socket)
  })
  await new Promise<void>(resolve => server.listen(listen.port, listen.host, resolve))
  return {
    port: (server.address() as { port: number }).port,
    set: more => {
      faults = { ...faults, ...more }
    },
    cut: () => {
      for (const socket of [...live]) socket.resetAndDestroy()
    },
    get connections() {
      return connections
    },
    get bytes() {
      return bytes
    },
    close() {
      for (const socket of [...live]) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
