import { type Admission, type AdmissionPrompts, seekAdmission } from '../../admission/seek-admission.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { ensureKeyFile } from '../../base/keys/key-file.ts'
import { type KeptAlive, keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import { dialPsk } from '../../base/link/psk-socket.ts'

export interface ApproverDial {
  readonly port: number
  readonly localKeyFile: string
  /** How other approvers see this editor. */
  readonly name: string
  readonly prompts: AdmissionPrompts
  readonly clock: Clock
}

export interface ApproverEvents {
  /** Every frame from `admitted` on, as it came. */
  readonly frame: (frame: object) => void
  /** The connection has ended, after it was admitted. */
  readonly lost: (reason: string) => void
}

const CONNECTS_WITHIN_MS = 3000

/**
 * The editor's connection as an approver, admitted by the person for as long as it lives. It hands frames on in both directions and makes
 * none of its own that a person presses: what decides comes from the page.
 */
export class EditorApprover implements Disposable {
  readonly #link: Link
  readonly #alive: KeptAlive

  private constructor(link: Link, alive: KeptAlive) {
    this.#link = link
    this.#alive = alive
  }

  static async admit(dial: ApproverDial, events: ApproverEvents): Promise<EditorApprover | Admission> {
    const { clock } = dial
    const link = await dialPsk({
      host: '127.0.0.1',
      port: dial.port,
      identity: 'approver',
      key: ensureKeyFile(dial.localKeyFile),
      timeoutMs: CONNECTS_WITHIN_MS,
      clock,
      signal: new AbortController().signal,
    })

    let alive: KeptAlive | null = null
    const admission = await seekAdmission({
      link,
      name: dial.name,
      surface: 'vscode',
      prompts: dial.prompts,
      // An editor seals nothing: its extensions share one process.
      isHost: () => false,
      onFrame: frame => {
        if (frame.type !== 'admitted') return
        alive = keepAlive(link, { clock, intervalMs: frame.heartbeat_interval_ms })
        events.frame(frame)
      },
      relay: raw => {
        alive?.received()
        events.frame(raw)
        return true
      },
    })

    const kept = alive as KeptAlive | null
    if (kept === null) {
      link.close('not admitted')
      return admission
    }

    link.onClose(reason => {
      kept.dispose()
      events.lost(reason)
    })
    return new EditorApprover(link, kept)
  }

  /** What the page sent, or that it comes or goes. */
  send(frame: { readonly type: string }): void {
    if (this.#link.open) this.#link.send(frame)
  }

  dispose(): void {
    this.#alive.dispose()
    this.send({ type: 'detach' })
    this.#link.close('the editor has ended')
  }
}
