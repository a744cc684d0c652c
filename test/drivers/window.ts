import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { type FromWindow, ToWindow } from '../../src/contract/window/window-frames.ts'
import { type OutputPiece, readOutput } from '../../src/contract/window/window-output.ts'
import { hostText, pageText, sessionText, ticketOf } from '../../src/contract/window/window-proof.ts'
import type { Question, ToApprover } from '../../src/contract/wire/approver-frames.ts'
import type { WindowParts } from '../../src/host/open-approvers.ts'
import { readWebFiles } from '../../src/host/window/files.ts'
import type { Browser } from '../../src/host/window/opener.ts'
import { Heard, type LiveHost, openLiveHost, readQuestion } from './live-host.ts'
import { eventually } from './mcp-client.ts'
import { PRODUCT } from './place.ts'

const WEB = join(PRODUCT, '../web')

/** The window's files as they were built. */
export function builtFiles() {
  const entries = readdirSync(WEB, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const list = entries.map(entry => {
    const file = join(entry.parentPath, entry.name)
    return [relative(WEB, file), createHash('sha256').update(readFileSync(file)).digest('hex')]
  })
  return readWebFiles(WEB, Object.fromEntries(list))
}

export interface Credential {
  readonly kind: 'ticket' | 'session'
  readonly id: string
  readonly secret: string
}

/** What a browser that was started with this page would find in it. */
export function ticketIn(page: { readonly url: string }): Credential {
  const address = /url=([^"]+)"/.exec(readFileSync(fileURLToPath(page.url), 'utf8'))?.[1] ?? ''
  const ticket = ticketOf(new URL(address).hash)
  if (!ticket) throw new Error(`no ticket in ${address}`)
  return { kind: 'ticket', ...ticket }
}

/** A host whose browser is the test: what it was asked to open is in `opened`. */
export async function openWindowHost(
  options: { env?: Record<string, string>; browser?: Browser; inContainer?: true; notOurs?: true } = {},
) {
  const opened: { readonly url: string; readonly directory: string }[] = []
  const links: string[] = []
  const window: WindowParts = {
    files: builtFiles(),
    openLink: async url => void links.push(url),
    entries: [{ client: 'Claude Code', kind: 'shell', where: null, text: 'claude mcp add …' }],
    browser: async page => {
      opened.push(page)
      // Whoever comes from this process, or from a browser that it has started, is the browser that the host has started.
      if (!options.notOurs) page.started({ pid: process.pid, end() {}, onEnd() {} })
      else page.notOurs()
      return (await options.browser?.(page)) ?? null
    },
  }
  const live = await openLiveHost({
    ...(options.env && { env: options.env }),
    ...(options.inContainer && { inContainer: true }),
    window,
  })
  return { live, opened, links }
}

const hmac = (secret: string, text: string) =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex')

/** A page on the feed, without a browser around it. */
export class FakeWindow {
  readonly heard = new Heard<ToWindow>()
  readonly output: OutputPiece[] = []
  readonly socket: WebSocket
  readonly origin: string
  closed: number | null = null
  session: Credential | null = null

  private constructor(socket: WebSocket, origin: string) {
    this.socket = socket
    this.origin = origin
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) {
        const frame = ToWindow.parse(JSON.parse(data.toString('utf8')))
        this.heard.add(frame)
      } else {
        const piece = readOutput(Uint8Array.from(data).buffer)
        if (piece) this.output.push(piece)
      }
    })
    socket.on('close', code => {
      this.closed = code
    })
    socket.on('error', () => {})
    const beat = setInterval(() => {
      if (this.session?.id) this.send({ type: 'heartbeat' })
    }, 2000)
    beat.unref()
    socket.on('close', () => clearInterval(beat))
  }

  /** Resolves when the feed is open; rejects with the HTTP status when it is refused. */
  static connect(port: number, headers: Record<string, string> = {}, path = '/feed'): Promise<FakeWindow> {
    const origin = `http://localhost:${port}`
    const all = { host: `localhost:${port}`, origin, ...headers }
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: all, perMessageDeflate: false })
    const window = new FakeWindow(socket, origin)
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(window))
      socket.once('unexpected-response', (_request, response) => {
        response.resume()
        reject(new Error(`refused with ${response.statusCode}`))
      })
      socket.once('error', reject)
    })
  }

  send(frame: FromWindow): void {
    this.socket.send(JSON.stringify(frame))
  }

  /** As the page does it: checks the host, proves itself, works out the secret to come back with. */
  async prove(credential: Credential, how: { secret?: string } = {}): Promise<void> {
    const { kind, id } = credential
    const pageNonce = randomBytes(32).toString('hex')
    this.send({ type: 'window_hello', protocol_version: 1, credential: { kind, id }, nonce: pageNonce })
    await eventually('the host answers', () => this.heard.all.length > 0)
    const [first] = this.heard.all
    if (first?.type === 'refused') throw new Error(first.reason)
    const { nonce, proof } = await this.heard.next('window_challenge')
    const over = { credentialId: id, pageNonce, hostNonce: nonce, origin: this.origin }
    if (proof !== hmac(credential.secret, hostText(over))) throw new Error('this is not the host')
    this.send({ type: 'window_prove', proof: hmac(how.secret ?? credential.secret, pageText(over)) })
    this.session = { kind: 'session', id: '', secret: hmac(credential.secret, sessionText(over)) }
  }

  async admitted(credential: Credential): Promise<this> {
    await this.prove(credential)
    const { approver_id } = await this.heard.next('admitted')
    this.session = { kind: 'session', id: approver_id, secret: this.session?.secret ?? '' }
    this.send({ type: 'visibility', visible: true })
    return this
  }

  question(fits: (question: Question) => boolean = () => true): Promise<Question> {
    // A window is told all that an approver is.
    return readQuestion({ heard: this.heard as unknown as Heard<ToApprover>, send: frame => this.send(frame) }, fits)
  }

  approve({ ask_id, plan_hash }: Question): void {
    this.send({ type: 'answer', ask_id, plan_hash, decision: { kind: 'approve', scope: { kind: 'once' } } })
  }

  close(): void {
    this.socket.terminate()
  }
}

const taken = new Set<string>()

/** The page that a browser was just sent to, if no test has it yet. The host may have opened it by itself. */
export function freshPage<Page extends { readonly url: string }>(opened: readonly Page[]): Page | null {
  const page = opened.at(-1)
  if (!page || taken.has(page.url) || !existsSync(fileURLToPath(page.url))) return null
  taken.add(page.url)
  return page
}

/** Opens a window as the host would, and lets it in. */
export async function openWindow(live: LiveHost, opened: readonly { readonly url: string }[]): Promise<FakeWindow> {
  let showing = live.host.showWindow()
  let page = freshPage(opened)
  // One that was closed a moment ago may still count as open.
  await eventually('a window is opened', () => {
    page ??= freshPage(opened)
    if (!page) showing = live.host.showWindow()
    return page !== null
  })
  if (!page) throw new Error('no window was opened')
  const credential = ticketIn(page)
  const window = await (await FakeWindow.connect(live.host.approverPort)).admitted(credential)
  await showing
  return window
}
