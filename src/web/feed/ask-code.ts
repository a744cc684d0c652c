import type { OfCodePage, ToCodePage } from '../../contract/window/window-code.ts'
import {
  bindingText,
  CODE_PAGE_VERSION,
  checkText,
  commitmentText,
  enteredText,
  ticketText,
} from '../../contract/window/window-code-proof.ts'
import { bytesOf, type Credential, encoded, freshNonce, hex, sign } from './prove.ts'

/** How far this page is with being admitted by a code. */
export type CodeState =
  | { readonly at: 'asking' }
  | { readonly at: 'shown'; readonly until: number; readonly problem: string | null; readonly busy: boolean }
  | { readonly at: 'over'; readonly why: string }
  /** This host admits no page by a code. */
  | { readonly at: 'never' }

interface Deps {
  readonly now: () => number
  readonly onState: (state: CodeState) => void
  readonly admitted: (ticket: Credential) => void
}

type Over = Extract<ToCodePage, { type: 'window_code_over' }>['why']
const WHY: Readonly<Record<Over, string>> = {
  expired: 'The code has expired.',
  refused: 'It was refused in the host’s terminal.',
  wrong: 'That was not the code, three times. No code is shown for a minute now.',
  nobody: 'No terminal is open that could show a code. Run “npm start -- approve” in its folder, where the host runs.',
  later: 'No code can be shown just now. Try again in a minute.',
}
const LOST = 'The host does not answer. It may have ended, or the port is not forwarded any more.'
const NOT_FOR_HERE =
  'That code does not belong to this page; nothing was sent. Look at it again. If it is typed right, somebody is in between.'
const MOST_WRONG_CHECKS = 3

/** The page's end of contract/window/window-code.ts, once. It ends with a ticket, whose secret was never sent. */
export class CodeAsking {
  readonly #deps: Deps
  readonly #opening = freshNonce()
  #socket: WebSocket | null = null
  #check = ''
  #secret = ''
  #until = 0
  #wrongChecks = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async begin(): Promise<void> {
    this.#deps.onState({ at: 'asking' })
    const own = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
    const pageKey = hex(new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey)))
    const commitment = await sha256(commitmentText(this.#opening))

    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/feed`)
    this.#socket = socket
    let heard = false
    socket.onopen = () =>
      this.#write({ type: 'window_ask_code', protocol_version: CODE_PAGE_VERSION, public_key: pageKey, commitment })

    let line: Promise<void> = Promise.resolve()
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const frame = JSON.parse(data) as ToCodePage | { type: 'refused' }
      // Whoever has proved nothing puts no words on this screen.
      if (frame.type === 'refused') this.#end({ at: 'never' })
      else {
        heard = true
        line = line.then(() => this.#receive(frame, own.privateKey, pageKey)).catch(() => this.#over(LOST))
      }
    }

    socket.onclose = () => {
      if (this.#socket === socket) this.#end(heard ? { at: 'over', why: LOST } : { at: 'never' })
    }
  }

  /** What the person typed. Compared here first: nothing is sent for a code of another connection. */
  async enter(typed: string): Promise<void> {
    const digits = typed.replaceAll(/[\s-]/g, '')
    if (!/^\d{9}$/.test(digits)) this.#shown('A code has nine digits.')
    else if (digits.slice(6) === this.#check) {
      this.#shown(null, true)
      this.#write({ type: 'window_enter_code', proof: await sign(this.#secret, enteredText(digits.slice(0, 6))) })
    } else {
      this.#wrongChecks += 1
      if (this.#wrongChecks >= MOST_WRONG_CHECKS) this.#over(NOT_FOR_HERE)
      else this.#shown(NOT_FOR_HERE)
    }
  }

  async #receive(frame: ToCodePage, own: CryptoKey, pageKey: string): Promise<void> {
    switch (frame.type) {
      case 'window_code_nonce': {
        const host = await crypto.subtle.importKey(
          'raw',
          bytesOf(frame.public_key),
          { name: 'ECDH', namedCurve: 'P-256' },
          false,
          [],
        )
        this.#secret = hex(new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: host }, own, 256)))
        const binding = await sign(this.#secret, bindingText(location.origin, pageKey, frame.public_key))
        const hashed = await sha256(checkText(frame.nonce, this.#opening, binding))
        this.#check = String(Number.parseInt(hashed.slice(0, 12), 16) % 1000).padStart(3, '0')
        this.#write({ type: 'window_open_code', opening: this.#opening })
        return
      }

      case 'window_code_shown':
        this.#until = this.#deps.now() + frame.expires_in_ms
        this.#shown(frame.problem === 'wrong' ? 'That was not the code.' : null)
        return
      case 'window_code_over':
        this.#over(WHY[frame.why])
        return

      case 'window_code_right': {
        const id = frame.ticket_id
        const secret = await sign(this.#secret, ticketText(id, location.origin))
        this.#leave()
        this.#deps.admitted({ kind: 'ticket', id, secret })
      }
    }
  }

  #shown(problem: string | null, busy = false): void {
    this.#deps.onState({ at: 'shown', until: this.#until, problem, busy })
  }

  #over(why: string): void {
    this.#end({ at: 'over', why })
  }

  #end(state: CodeState): void {
    this.#leave()
    this.#deps.onState(state)
  }

  #leave(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  #write(frame: OfCodePage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }
}

const sha256 = async (text: string): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoded(text))))
