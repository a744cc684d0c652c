import { createECDH, createHmac } from 'node:crypto'
import { WebSocket } from 'ws'
import { checkDigits, commitmentTo, newOpening } from '../../src/base/keys/admission-code.ts'
import { type OfCodePage, ToCodePage } from '../../src/contract/window/window-code.ts'
import { bindingText, enteredText, ticketText } from '../../src/contract/window/window-code-proof.ts'
import { Heard } from './live-host.ts'
import type { Credential } from './window.ts'

/** A page without a ticket that asks for a code, without a browser around it. */
export class FakeCodePage {
  readonly heard = new Heard<ToCodePage>()
  /** What the host said that is no frame of the code: that it lets nobody in so. */
  refused: string | null = null
  readonly #socket: WebSocket
  readonly #origin: string
  readonly #own = createECDH('prime256v1')
  readonly #opening = newOpening()
  #key: Buffer = Buffer.alloc(0)
  /** The last digits of the code, as this end works them out. */
  check = ''

  private constructor(socket: WebSocket, origin: string) {
    this.#socket = socket
    this.#origin = origin
    socket.on('message', (data: Buffer) => {
      const raw = JSON.parse(data.toString('utf8')) as { type: string; reason?: string }
      if (raw.type === 'refused') this.refused = raw.reason ?? ''
      else this.heard.add(ToCodePage.parse(raw))
    })
    socket.on('error', () => {})
  }

  /** `forwarded`: the port that the person's browser has it on. */
  static connect(port: number, forwarded = port): Promise<FakeCodePage> {
    const origin = `http://localhost:${forwarded}`
    const headers = { host: `localhost:${forwarded}`, origin }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/feed`, { headers, perMessageDeflate: false })
    const page = new FakeCodePage(socket, origin)
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(page))
      socket.once('error', reject)
    })
  }

  ask(): void {
    const public_key = this.#own.generateKeys('hex')
    this.send({ type: 'window_ask_code', protocol_version: 1, public_key, commitment: commitmentTo(this.#opening) })
  }

  /** Opens what it committed to; from then on the code is shown. */
  async open(opening = this.#opening): Promise<void> {
    const { nonce, public_key } = await this.heard.next('window_code_nonce')
    this.#key = this.#own.computeSecret(Buffer.from(public_key, 'hex'))
    const binding = this.#sign(bindingText(this.#origin, this.#own.getPublicKey('hex'), public_key))
    this.check = checkDigits({ nonce, opening: this.#opening, binding })
    this.send({ type: 'window_open_code', opening })
  }

  enter(secret: string): void {
    this.send({ type: 'window_enter_code', proof: this.#sign(enteredText(secret)) })
  }

  async ticket(): Promise<Credential> {
    const { ticket_id: id } = await this.heard.next('window_code_right')
    return { kind: 'ticket', id, secret: this.#sign(ticketText(id, this.#origin)) }
  }

  send(frame: OfCodePage): void {
    this.#socket.send(JSON.stringify(frame))
  }

  close(): void {
    this.#socket.close()
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex')
  }
}
