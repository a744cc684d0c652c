import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectPlain, createServer as createPlain, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import type { Link } from './link.ts'
import { dialPsk, listenPsk, type PskListener, type PskListenerLimits } from './psk-socket.ts'

const KEYS: Record<string, Buffer> = { local: randomBytes(32), box: randomBytes(32) }
const never = new AbortController().signal
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function listen(
  limits: Partial<PskListenerLimits> = {},
  keys: Record<string, Buffer> = KEYS,
): Promise<{ listener: PskListener; links: Link[]; frames: object[]; closed: string[] }> {
  const seen = { links: [] as Link[], frames: [] as object[], closed: [] as string[] }
  const listener = await listenPsk({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    keyFor: identity => keys[identity] ?? null,
    limits,
    refusal: most => ({ type: 'full', most }),
    onLink: link => {
      seen.links.push(link)
      link.onFrame(frame => seen.frames.push(frame))
      link.onClose(reason => seen.closed.push(reason))
    },
  })
  opened.push(listener)
  return { listener, ...seen }
}

const dial = (port: number, identity = 'local', key = KEYS[identity] ?? randomBytes(32), timeoutMs = 2000) =>
  dialPsk({ host: '127.0.0.1', port, identity, key, timeoutMs, clock: systemClock, signal: never })

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (let i = 0; i < 300; i++) {
    if (isSo()) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`never: ${what}`)
}

/** An end that holds the key but sends whatever bytes it likes. */
function raw(port: number, bytes: Buffer | string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls(
      {
        host: '127.0.0.1',
        port,
        ciphers: 'TLS_AES_128_GCM_SHA256',
        minVersion: 'TLSv1.3',
        pskCallback: () => ({ identity: 'local', psk: KEYS.local as Buffer }),
        checkServerIdentity: () => undefined,
      },
      () => {
        socket.write(bytes)
        resolve(socket)
      },
    )
    opened.push({ close: () => socket.destroy() })
    socket.on('error', reject)
  })
}

test('frames go both ways between two ends that hold the same key, and each knows who the other is', async () => {
  const { listener, links, frames } = await listen()
  const link = await dial(listener.port, 'box')
  const heard: object[] = []
  link.onFrame(frame => heard.push(frame))
  link.send({ type: 'hello', text: 'ü\n' })
  await until('the frame', () => frames.length === 1)
  links[0]?.send({ type: 'ack' })
  await until('the answer', () => heard.length === 1)
  expect({ frames, heard, identity: links[0]?.identity }).toEqual({
    frames: [{ type: 'hello', text: 'ü\n' }],
    heard: [{ type: 'ack' }],
    identity: 'box',
  })
  expect(links[0]?.binding).toBe(link.binding)
})

test('what can wait goes with what cannot, in order and in one write; alone it goes a little later', async () => {
  const { listener, frames, links } = await listen()
  const link = await dial(listener.port)
  await until('the link', () => links.length === 1)
  const writes: string[] = []
  const write = Socket.prototype.write
  Socket.prototype.write = function (this: Socket, ...given: Parameters<typeof write>) {
    writes.push(String(given[0]))
    return write.apply(this, given)
  } as typeof write
  opened.push({ close: () => Object.assign(Socket.prototype, { write }) })
  link.send({ n: 1 }, 'soon')
  link.send({ n: 2 }, 'soon')
  expect(writes).toEqual([])
  link.send({ n: 3 })
  expect(writes).toEqual(['{"n":1}\n{"n":2}\n{"n":3}\n'])
  await until('the three', () => frames.length === 3)
  link.send({ n: 4 }, 'soon')
  await until('the fourth', () => frames.length === 4)
  link.send({ n: 5 }, 'soon')
  link.close('what was said before still goes out')
  await until('the fifth', () => frames.length === 5)
  expect(frames).toEqual([1, 2, 3, 4, 5].map(n => ({ n })))
})

test('whoever dialed hears a host out that has much to tell', async () => {
  const { listener, links } = await listen()
  const link = await dial(listener.port)
  const heard: object[] = []
  link.onFrame(frame => heard.push(frame))
  await until('the link', () => links.length === 1)
  for (let n = 0; n < 5000; n++) links[0]?.send({ n })
  await until('all of it', () => heard.length === 5000)
})

test.each([
  ['the wrong key', 'local', randomBytes(32)],
  ['a name nobody knows', 'stranger', randomBytes(32)],
])('%s does not get in', async (_, identity, key) => {
  const { listener, links } = await listen()
  await expect(dial(listener.port, identity, key)).rejects.toMatchObject({ problem: 'wrong_key' })
  expect(links).toEqual([])
})

test('a squatter that does not hold the key learns nothing', async () => {
  const heard: Buffer[] = []
  const squatter = createPlain(socket => socket.on('data', chunk => heard.push(chunk)))
  await new Promise<void>(resolve => squatter.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => squatter.close() })
  const { port } = squatter.address() as { port: number }
  await expect(dial(port, 'local', KEYS.local, 300)).rejects.toMatchObject({ problem: 'timeout' })
  const said = Buffer.concat(heard)
  expect([said.includes(KEYS.local as Buffer), said.includes('hello')]).toEqual([false, false])
})

test('nothing that listens is told apart from a wrong key', async () => {
  const { listener } = await listen()
  await listener.close()
  await expect(dial(listener.port)).rejects.toMatchObject({ problem: 'refused' })
})

test.each([
  ['plain text', 'GET / HTTP/1.1\r\n\r\n'],
  ['a frame without TLS', '{"type":"hello"}\n'],
  ['garbage', createHash('sha512').update('x').digest()],
])('%s ends the connection before anything is read', async (_, bytes) => {
  const { listener, links } = await listen()
  const socket = connectPlain(listener.port, '127.0.0.1', () => socket.write(bytes))
  socket.on('error', () => {})
  await new Promise<void>(resolve => socket.once('close', () => resolve()))
  expect(links).toEqual([])
})

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x0a]), 'not_utf8'],
  ['something that is no JSON', '{"type": \n', 'not_json'],
  ['another protocol', 'GET / HTTP/1.1\r\n', 'not_our_protocol'],
  ['a frame that never ends', Buffer.alloc(70_000, '{'), 'frame_too_long'],
])('§5: with the right key, %s ends the connection', async (_, bytes, reason) => {
  const { listener, closed } = await listen({ longestFrame: 65_536 })
  await raw(listener.port, bytes)
  await until('closed', () => closed.length === 1)
  expect(closed).toEqual([reason])
})

test('a frame of a gibibyte is cut off after the first few bytes too many', async () => {
  const { listener, closed } = await listen({ longestFrame: 65_536 })
  const before = process.memoryUsage().rss
  const socket = await raw(listener.port, '{"a":"')
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  socket.on('error', () => {})
  let sent = 0
  while (sent < 1024 && !socket.destroyed && closed.length === 0) {
    sent += 1
    if (!socket.write(chunk)) await new Promise(resolve => setTimeout(resolve, 1))
  }
  await until('closed', () => closed.length === 1)
  expect({ early: sent < 100, small: process.memoryUsage().rss - before < 200e6 }).toEqual({ early: true, small: true })
})

test('half a frame is not a frame', async () => {
  const { listener, frames, closed } = await listen()
  const socket = await raw(listener.port, '{"type":"hello","x":')
  socket.end()
  await until('closed', () => closed.length === 1)
  expect(frames).toEqual([])
})

test('who sends too fast is cut off', async () => {
  const { listener, frames, closed } = await listen({ burst: 10, framesPerSecond: 1 })
  await raw(listener.port, '{"type":"x"}\n'.repeat(50))
  await until('closed', () => closed.length === 1)
  expect({ closed, frames: frames.length }).toEqual({ closed: ['too many frames'], frames: 10 })
})

test('§5: who connects and says nothing is let go, and never keeps others out', async () => {
  const { listener, links } = await listen({ handshakeMs: 300, strangers: 8 })
  const silent = Array.from({ length: 100 }, () => {
    const socket = connectPlain(listener.port, '127.0.0.1')
    socket.on('error', () => {})
    return socket
  })
  opened.push({ close: () => silent.forEach(socket => void socket.destroy()) })
  const link = await dial(listener.port)
  await until('the link', () => links.length === 1)
  await until('all silent ones are gone', () => silent.every(socket => socket.closed))
  expect(link.open).toBe(true)
})

test('§5: one client cannot take all the room, and hears why', async () => {
  const { listener, links } = await listen({ linksPerIdentity: 3 })
  const dialled: Link[] = []
  const heard: object[] = []
  for (let i = 0; i < 5; i++) {
    const link = await dial(listener.port)
    link.onFrame(frame => heard.push(frame))
    dialled.push(link)
  }
  await until('the surplus is closed', () => dialled.filter(link => link.open).length === 3)
  expect(heard).toEqual([
    { type: 'full', most: 3 },
    { type: 'full', most: 3 },
  ])
  expect((await dial(listener.port, 'box')).open).toBe(true)
  await until('the link of the other', () => links.length === 4)
})

test('a revoked key cuts what is connected and lets nobody in again', async () => {
  const keys = { ...KEYS }
  const { listener } = await listen({}, keys)
  const link = await dial(listener.port, 'box')
  let gone = ''
  link.onClose(reason => {
    gone = reason
  })
  delete keys.box
  listener.cut('box')
  await until('cut', () => gone !== '')
  await expect(dial(listener.port, 'box')).rejects.toMatchObject({ problem: 'wrong_key' })
})

test('§5: a name nobody knows fails exactly as a wrong key does, so nobody learns which names there are', async () => {
  const { listener } = await listen()
  const told = async (identity: string) =>
    dial(listener.port, identity, randomBytes(32)).catch(({ problem, message, cause }: Error & { problem: string }) => [
      problem,
      message,
      (cause as { code: string }).code,
    ])
  expect(await told('stranger')).toEqual(await told('local'))
})

test('a key that was replaced is as good as revoked: what it opened is cut, and nobody else', async () => {
  const keys: Record<string, Buffer> = { ...KEYS }
  const { listener, closed } = await listen({}, keys)
  const box = await dial(listener.port, 'box')
  const local = await dial(listener.port, 'local')
  listener.recheck()
  keys.box = randomBytes(32)
  listener.recheck()
  await until('it is cut', () => !box.open)
  expect({ closed, local: local.open }).toEqual({ closed: ['the key was revoked'], local: true })
})

test('a socket file carries frames where there is no network, and asks for the key all the same', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'it-sock-'))
  opened.push({ close: () => rmSync(directory, { recursive: true }) })
  const path = join(directory, 'host.sock')
  const frames: object[] = []
  const listener = await listenPsk({
    path,
    clock: systemClock,
    keyFor: identity => KEYS[identity] ?? null,
    onLink: link => link.onFrame(frame => frames.push(frame)),
    refusal: () => ({}),
  })
  opened.push(listener)
  const over = (key: Buffer) =>
    dialPsk({ path, identity: 'box', key, timeoutMs: 2000, clock: systemClock, signal: never })
  await expect(over(randomBytes(32))).rejects.toMatchObject({ problem: 'wrong_key' })
  const link = await over(KEYS.box as Buffer)
  link.send({ type: 'hello' })
  await until('the frame', () => frames.length === 1)
  const nowhere = { path: join(directory, 'none.sock'), identity: 'box', key: KEYS.box as Buffer }
  await expect(dialPsk({ ...nowhere, timeoutMs: 2000, clock: systemClock, signal: never })).rejects.toMatchObject({
    problem: 'refused',
  })
})

test('somebody who takes the call and hangs up during the handshake is not taken for a wrong key', async () => {
  const rude = createPlain(socket => socket.once('data', () => socket.destroy()))
  await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => rude.close() })
  const { port } = rude.address() as { port: number }
  await expect(dial(port)).rejects.toMatchObject({ problem: 'cut' })
})
