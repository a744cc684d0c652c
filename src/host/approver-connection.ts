import { randomBytes } from 'node:crypto'
import { admissionMessage, isSignedByApprover } from '../base/approver-key.ts'
import type { Clock } from '../base/clock.ts'
import { type Disposable, Disposables } from '../base/disposable.ts'
import { keepAlive } from '../base/heartbeat.ts'
import type { Ids } from '../base/ids.ts'
import type { Link } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import {
  type AnswerFrame,
  APPROVER_PROTOCOL_VERSION,
  FromApprover,
  type ToApprover,
} from '../contract/approver-frames.ts'
import type { Journal } from '../runs/journal.ts'
import type { ApprovalQueue } from './approval-queue.ts'
import type { ApproverRecordFile } from './approver-record.ts'
import { GRAVE_TEXT } from './ask-person.ts'
import type { InteractiveLane } from './interactive-lane.ts'
import type { Presence } from './presence.ts'
import { protectionOn } from './protection.ts'

export interface ApproverDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly queue: ApprovalQueue
  readonly presence: Presence
  readonly journal: Journal
  readonly record: ApproverRecordFile
  readonly lane: Pick<InteractiveLane, 'count' | 'watch'>
  readonly heartbeatMs: number
  readonly armingMs: number
  readonly instanceId: string
}

/** challenge: anybody who connects · own_terminal: the terminal this host was started in · window: proved with a ticket. */
export type Admission = 'challenge' | 'own_terminal' | 'window'

const PROVE_WITHIN_MS = 120_000
const MOST_TRIES = 3

/** Somebody who may answer: proves it first, then sees every open question and may answer each. */
export class ApproverConnection implements Disposable {
  readonly #deps: ApproverDeps
  readonly #link: Link
  readonly #admission: Admission
  readonly #life = new Disposables()
  /** A person may need a while for the passphrase, so signs of life are wanted from admission on. */
  #alive: { heard(): void } = { heard() {} }
  #nonce: string | null = null
  #name = 'approver'
  #id: string | null = null
  #tries = 0

  constructor(deps: ApproverDeps, link: Link, admission: Admission) {
    this.#deps = deps
    this.#link = link
    this.#admission = admission
    this.#life.add(deps.clock.after(PROVE_WITHIN_MS, () => this.#id ?? link.close('not proved in time')))
    link.onClose(() => this.dispose())
    link.onFrame(frame => this.#receive(frame))
  }

  dispose(): void {
    this.#life.dispose()
  }

  #receive(raw: object): void {
    this.#alive.heard()
    const parsed = FromApprover.safeParse(raw)
    if (!parsed.success) {
      this.#refuse('The host does not know this frame.')
      return
    }
    const frame = parsed.data
    switch (frame.type) {
      case 'attach':
        this.#name = frame.name
        if (frame.protocol_version !== APPROVER_PROTOCOL_VERSION)
          this.#refuse(`The host speaks approver protocol ${APPROVER_PROTOCOL_VERSION}. Update the older one.`)
        else if (this.#admission !== 'challenge') this.#admit()
        else this.#challenge(null)
        return
      case 'prove':
        this.#prove(frame.signature)
        return
      case 'shown':
        if (this.#id) this.#deps.queue.shown(frame.ask_id, this.#id)
        return
      case 'answer':
        this.#answer(frame)
        return
      case 'detach':
        this.#link.close('detached')
        return
      case 'heartbeat':
        return
    }
  }

  #challenge(problem: string | null): void {
    this.#nonce = randomBytes(32).toString('hex')
    const record = this.#deps.record.current()
    this.#send({
      type: 'challenge',
      nonce: this.#nonce,
      passphrase: record && { salt: record.salt, cost: record.cost },
      problem,
    })
  }

  #prove(signature: string): void {
    if (this.#id !== null) return
    const record = this.#deps.record.current()
    const nonce = this.#nonce
    // A challenge is good for one try.
    this.#nonce = null
    const message = admissionMessage(nonce ?? '', this.#link.binding)
    if (nonce !== null && record && isSignedByApprover(record, message, signature)) {
      this.#admit()
      return
    }
    this.#tries += 1
    this.#deps.journal.append({ kind: 'approver_refused', requester: null, runId: null, body: { name: this.#name } })
    if (this.#tries >= MOST_TRIES) this.#refuse('That was not the passphrase.')
    else this.#challenge('That was not the passphrase.')
  }

  #admit(): void {
    if (this.#id !== null) return
    const { ids, journal, queue, presence, heartbeatMs, armingMs, instanceId } = this.#deps
    const id = ids.make('apr')
    const body = { approver_id: id, name: this.#name, admission: this.#admission }
    journal.append({ kind: 'approver_admitted', requester: null, runId: null, body })
    this.#id = id
    this.#alive = this.#life.add(keepAlive(this.#link, { clock: this.#deps.clock, intervalMs: heartbeatMs }))
    this.#send({
      type: 'admitted',
      protocol_version: APPROVER_PROTOCOL_VERSION,
      approver_id: id,
      instance_id: instanceId,
      heartbeat_interval_ms: heartbeatMs,
      grave_text: GRAVE_TEXT,
      arming_ms: armingMs,
    })
    this.#life.add(
      queue.listen({
        asked: question => {
          this.#send(question)
          this.#tellPresence()
        },
        answered: (ask_id, outcome, by) => {
          this.#send({ type: 'answered', ask_id, outcome, by, yours: by === this.#signature() })
          this.#tellPresence()
        },
        withdrawn: (ask_id, why) => {
          this.#send({ type: 'withdrawn', ask_id, why })
          this.#tellPresence()
        },
      }),
    )
    presence.add(id, this.#name)
    this.#life.defer(() => presence.remove(id))
    for (const question of queue.pending) this.#send(question)
    this.#life.add(presence.watch(() => this.#tellPresence()))
    this.#life.add(this.#deps.lane.watch(() => this.#tellPresence()))
    this.#tellPresence()
  }

  #answer(frame: AnswerFrame): void {
    const { ask_id } = frame
    if (this.#id === null) {
      this.#refuse('Only an admitted approver answers.')
      return
    }
    const result = this.#deps.queue.answer(frame, { id: this.#id, name: this.#signature() })
    if ('problem' in result) this.#send({ type: 'answer_refused', ask_id, problem: result.problem, open: result.open })
  }

  /** Under which name an answer is written down: two approvers may call themselves the same. */
  #signature(): string {
    return `${this.#name} (${this.#id})`
  }

  #tellPresence(): void {
    const { presence, queue, lane } = this.#deps
    const { level, detail } = protectionOn(process.platform)
    this.#send({
      type: 'presence',
      approvers: presence.count,
      pending: queue.pending.length,
      running: lane.count,
      protection: `${level}: ${detail}`,
    })
  }

  #refuse(reason: string): void {
    this.#send({ type: 'refused', reason })
    this.#link.close(reason)
  }

  #send(frame: ToApprover): void {
    if (this.#link.open) this.#link.send(frame)
  }
}
