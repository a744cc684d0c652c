import { createECDH, createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { checkDigits, commitmentTo } from '../../base/keys/admission-code.ts'
import type { Log } from '../../base/log.ts'
import type { Peer } from '../../base/process/peer-process.ts'
import { OfCodePage, type ToCodePage } from '../../contract/window/window-code.ts'
import { bindingText, CODE_PAGE_VERSION, enteredText, ticketText } from '../../contract/window/window-code-proof.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { ApproverAdmissions, Newcomer, ShownCode } from '../approvers/admissions.ts'
import type { Presence } from '../questions/presence.ts'
import type { WebLink } from './link.ts'
import type { WindowTickets } from './tickets.ts'

export interface CodeEntranceDeps {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Journal
  readonly tickets: WindowTickets
  readonly admissions: ApproverAdmissions
  readonly presence: Pick<Presence, 'count'>
}

/** Where a page comes from, as the host sees it. */
export interface PageAt {
  readonly origin: string
  readonly process: Peer['process']
}

/** Longer than a code lives: whoever asks and then says nothing is not waited for. */
const OVER_AFTER_MS = 120_000

/** A page that has no ticket, while it is admitted by a code (contract/window/window-code.ts). It ends with a ticket, or not at all. */
export class WebCodeEntrance implements Disposable {
  readonly #deps: CodeEntranceDeps
  readonly #link: WebLink
  readonly #page: PageAt
  readonly #life = new Disposables()
  readonly #newcomer: Newcomer
  #asked: {
    readonly commitment: string
    readonly nonce: string
    readonly binding: string
    readonly key: Buffer
  } | null = null
  #code: ShownCode | null = null

  constructor(deps: CodeEntranceDeps, link: WebLink, page: PageAt) {
    this.#deps = deps
    this.#link = link
    this.#page = page
    this.#newcomer = { name: `a page on ${page.origin}`, surface: 'window', process: page.process }
    this.#life.add(deps.clock.after(OVER_AFTER_MS, () => this.#over('expired')))
    this.#life.add(deps.admissions.enter(() => this.#over('later')))
    this.#life.defer(() => this.#code?.leave())
  }

  dispose(): void {
    this.#life.dispose()
  }

  receive(raw: object): void {
    const parsed = OfCodePage.safeParse(raw)
    const frame = parsed.success ? parsed.data : null
    if (frame?.type === 'window_ask_code' && this.#asked === null) this.#ask(frame)
    else if (frame?.type === 'window_open_code' && this.#asked && this.#code === null) this.#open(frame.opening)
    else if (frame?.type === 'window_enter_code' && this.#code) this.#enter(frame.proof, this.#code)
    else this.#link.refuse('A page that asks for a code says one thing after the other.')
  }

  #ask({ protocol_version, public_key, commitment }: Extract<OfCodePage, { type: 'window_ask_code' }>): void {
    if (protocol_version !== CODE_PAGE_VERSION) {
      this.#link.refuse('The host speaks another version. Load the page again.')
      return
    }
    const own = createECDH('prime256v1')
    const hostKey = own.generateKeys('hex')
    let key: Buffer
    try {
      key = own.computeSecret(Buffer.from(public_key, 'hex'))
    } catch {
      this.#link.refuse('That is no public key.') // not a point of the curve
      return
    }
    const nonce = randomBytes(32).toString('hex')
    const binding = sign(key, bindingText(this.#page.origin, public_key, hostKey))
    this.#asked = { commitment, nonce, binding, key }
    this.#send({ type: 'window_code_nonce', nonce, public_key: hostKey })
  }

  #open(opening: string): void {
    const asked = this.#asked
    if (!asked || commitmentTo(opening) !== asked.commitment) {
      this.#link.refuse('That is not what the page committed to.')
      return
    }
    if (this.#deps.presence.count === 0) {
      this.#over('nobody')
      return
    }
    const { nonce, binding, key } = asked
    const check = checkDigits({ nonce, opening, binding })
    this.#code = this.#deps.admissions.show(
      this.#newcomer,
      check,
      outcome => {
        this.#code = null
        if (outcome === 'refused') this.#record('refused by a person')
        this.#over(outcome === 'refused' ? 'refused' : 'expired')
      },
      secret => sign(key, enteredText(secret)),
    )
    if (this.#code) this.#sendShown(this.#code, null)
    else this.#over('later')
  }

  #enter(proof: string, code: ShownCode): void {
    const entered = code.enter(proof)
    if (entered === 'wrong') {
      this.#sendShown(code, 'wrong')
      return
    }
    this.#code = null
    if (entered === 'right') this.#letIn()
    else {
      this.#record('three wrong codes')
      this.#over('wrong')
    }
  }

  /** From here on the page does what every page does, with a ticket whose secret was never sent. */
  #letIn(): void {
    const { key } = this.#asked ?? {}
    if (!key) return
    const { origin } = this.#page
    const ticket_id = this.#deps.tickets.mintFor(origin, id => sign(key, ticketText(id, origin)))
    this.#send({ type: 'window_code_right', ticket_id })
    this.#link.close('it has a ticket now')
  }

  #sendShown(code: ShownCode, problem: 'wrong' | null): void {
    this.#send({ type: 'window_code_shown', expires_in_ms: code.remainingMs, problem })
  }

  #over(why: Extract<ToCodePage, { type: 'window_code_over' }>['why']): void {
    this.#send({ type: 'window_code_over', why })
    this.#link.close(`no code: ${why}`)
  }

  #record(why: string): void {
    const { journal, log } = this.#deps
    const { name, surface, process } = this.#newcomer
    log.warn('a page was not admitted', { name, process, why })
    const body = { name, surface, process, how: 'code', why }
    journal.append({ kind: 'approver_refused', requester: null, runId: null, body })
  }

  #send(frame: ToCodePage): void {
    if (this.#link.open) this.#link.send(frame)
  }
}

const sign = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex')
