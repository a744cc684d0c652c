import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { codeToShow, isSameSecret, newSecret } from '../../base/keys/admission-code.ts'
import type { AdmissionAsked, AdmissionOver, ApproverJoined, Surface } from '../../contract/wire/admission-frames.ts'

export type Newcomer = Pick<AdmissionAsked, 'name' | 'surface' | 'process'>
export type AdmissionNews =
  | AdmissionAsked
  | AdmissionOver
  | ApproverJoined
  | { readonly type: 'alarm'; readonly message: string }

/** A code that is on the screens of those who are admitted. */
export interface ShownCode {
  readonly remainingMs: number
  /** Right at most once. Wrong too often: it is over, and those who are admitted hear an alarm. `typed`: as `sealed` makes it. */
  enter(typed: string): 'right' | 'wrong' | 'cut'
  /** Whoever asked is gone. */
  leave(): void
}

interface Pending {
  readonly asked: AdmissionAsked
  readonly until: number
  readonly ended: (outcome: AdmissionOver['outcome']) => void
  readonly timer: Disposable
}

export const CODE_LIVES_MS = 60_000
const MOST_TRIES = 3
const MOST_AT_ONCE = 4
/** After a failed or refused one no code is shown for so long: guessing is slow, and nobody can fill the screens. */
const QUIET_MS = 60_000
const MOST_UNPROVED = 32
const MOST_ALARMS = 16

/** Who asks to be admitted while somebody is admitted: codes, what became of them, and who hears of it. */
export class ApproverAdmissions {
  readonly #deps: { readonly clock: Clock; readonly ids: Ids }
  readonly #pending = new Map<string, Pending>()
  readonly #listeners = new Map<(news: AdmissionNews) => void, Surface>()
  /** Alarms that no window has shown yet. */
  readonly #alarms = new Set<string>()
  readonly #unproved = new Set<() => void>()
  #quietUntil = 0

  constructor(deps: { readonly clock: Clock; readonly ids: Ids }) {
    this.#deps = deps
  }

  /** The codes that are on screens now. */
  get codes(): readonly string[] {
    return [...this.#pending.values()].map(({ asked }) => asked.code)
  }

  /** Called for every admission and alarm; of those that are open or that no window has shown, at once. */
  listen(listener: (news: AdmissionNews) => void, surface: Surface): Disposable {
    this.#listeners.set(listener, surface)
    for (const { asked, until } of this.#pending.values())
      listener({ ...asked, expires_in_ms: Math.round(until - this.#deps.clock.elapsed()) })
    for (const message of this.#alarms) listener({ type: 'alarm', message })
    if (surface === 'window') this.#alarms.clear()
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  /** Everybody who is here hears it, and whoever comes, until one of them is a window. */
  alarm(message: string): void {
    if (![...this.#listeners.values()].includes('window')) this.#alarms.add(message)
    if (this.#alarms.size > MOST_ALARMS) for (const oldest of [...this.#alarms].slice(0, 1)) this.#alarms.delete(oldest)
    this.notify({ type: 'alarm', message })
  }

  notify(news: AdmissionNews): void {
    for (const listener of [...this.#listeners.keys()]) listener(news)
  }

  /** One more who has proved nothing yet. Beyond so many the oldest is cut, so that a crowd locks nobody out. */
  enter(cut: () => void): Disposable {
    this.#unproved.add(cut)
    const [oldest] = this.#unproved
    if (this.#unproved.size > MOST_UNPROVED) oldest?.()
    return { dispose: () => void this.#unproved.delete(cut) }
  }

  /** Shows a code. null: not now, too many ask or somebody just guessed. `ended` reports an end that `enter` did not. */
  show(
    newcomer: Newcomer,
    check: string,
    ended: Pending['ended'],
    sealed: (secret: string) => string = secret => secret,
  ): ShownCode | null {
    const { clock, ids } = this.#deps
    if (this.#pending.size >= MOST_AT_ONCE || clock.elapsed() < this.#quietUntil) return null

    const secret = newSecret()
    const admission_id = ids.make('adm')
    const code = codeToShow(secret, check)
    const asked = { type: 'admission_asked', admission_id, ...newcomer, code, expires_in_ms: CODE_LIVES_MS } as const
    const until = clock.elapsed() + CODE_LIVES_MS
    const timer = clock.after(CODE_LIVES_MS, () => this.#end(admission_id, 'expired')?.ended('expired'))
    this.#pending.set(admission_id, { asked, until, ended, timer })
    this.notify(asked)

    let tries = 0
    return {
      get remainingMs() {
        return Math.max(0, Math.round(until - clock.elapsed()))
      },
      enter: typed => {
        if (!this.#pending.has(admission_id)) return 'cut'
        tries += 1
        if (isSameSecret(typed, sealed(secret))) {
          this.#end(admission_id, 'admitted')
          return 'right'
        }
        if (tries < MOST_TRIES) return 'wrong'
        this.#end(admission_id, 'failed')
        this.#quiet()
        this.alarm(`Three wrong codes: ${whoIs(newcomer)} tried to be admitted as an approver, and was cut off.`)
        return 'cut'
      },
      leave: () => void this.#end(admission_id, 'left'),
    }
  }

  /** A person who is admitted says: that is not me. */
  refuse(admissionId: string): void {
    const pending = this.#end(admissionId, 'refused')
    if (!pending) return
    this.#quiet()
    pending.ended('refused')
  }

  #end(admission_id: string, outcome: AdmissionOver['outcome']): Pending | null {
    const pending = this.#pending.get(admission_id)
    if (!pending) return null
    this.#pending.delete(admission_id)
    pending.timer.dispose()
    this.notify({ type: 'admission_over', admission_id, outcome })
    return pending
  }

  #quiet(): void {
    this.#quietUntil = this.#deps.clock.elapsed() + QUIET_MS
  }
}

export const whoIs = ({ name, process }: Newcomer): string =>
  process === null ? `“${name}”` : `“${name}” (pid ${process.pid}, ${process.program})`
