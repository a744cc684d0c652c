import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { Watchers } from '../../base/watchers.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { KeptDecline } from '../../contract/window/decline-frames.ts'
import { isSameCommand, type PlainReading } from '../../policy/judge/same-command.ts'
import { isInside } from '../../policy/model/inside.ts'

/** A command on its way to the person. */
export interface AskedCommand {
  readonly reading: PlainReading
  readonly requester: string
  readonly client: string
}

interface Kept extends Omit<KeptDecline, 'refused'> {
  readonly reading: PlainReading
  /** On the clock that only grows. */
  readonly endsAt: number
  refused: number
}

/** More than a person says in a day. */
const MOST = 500

/**
 * What the person declined for the rest of the day: in memory, as approvals that hold for a while are, and gone on restart. It only ever
 * makes the gate stricter: what it covers is refused without a question, whatever a rule says.
 */
export class KeptDeclines {
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #watchers = new Watchers()
  #kept: Kept[] = []

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock
    this.#ids = ids
  }

  get isEmpty(): boolean {
    return this.#kept.length === 0
  }

  /** Throws when as many are kept as may: then the answer does not count, and the person hears why. */
  keep(asked: AskedCommand, about: Pick<KeptDecline, 'covers' | 'command' | 'directory' | 'reason'>): void {
    this.#forgetOver()
    if (this.#kept.length >= MOST)
      throw new TermError('PM_TERM_INVALID_MODE', `${MOST} commands are declined for today already. Decline this once.`)
    const since = this.#clock.now()
    const until = endOfDay(since)
    const { reading, requester, client } = asked
    const endsAt = this.#clock.elapsed() + (until - since)
    this.#kept.push({
      ...about,
      decline_id: this.#ids.make('decline'),
      reading,
      requester,
      client,
      since,
      until,
      endsAt,
      refused: 0,
    })
    this.#clock.after(until - since, () => this.#watchers.notify())
    this.#watchers.notify()
  }

  /** The one that this command falls under; null: the person may be asked. */
  find(asked: AskedCommand): KeptDecline | null {
    this.#forgetOver()
    return this.#kept.find(kept => covers(kept, asked) && isSameCommand(kept.reading, asked.reading)) ?? null
  }

  /** It was refused once more. */
  count(declineId: string): void {
    const kept = this.#kept.find(({ decline_id }) => decline_id === declineId)
    if (!kept) return
    kept.refused += 1
    this.#watchers.notify()
  }

  list(): KeptDecline[] {
    this.#forgetOver()
    return this.#kept.map(({ reading: _, endsAt: __, ...shown }) => shown)
  }

  /** The person wants to be asked again. Null: it was over already. */
  revoke(declineId: string): KeptDecline | null {
    const kept = this.list().find(({ decline_id }) => decline_id === declineId) ?? null
    this.#kept = this.#kept.filter(({ decline_id }) => decline_id !== declineId)
    this.#watchers.notify()
    return kept
  }

  watch(watcher: () => void): { dispose(): void } {
    return this.#watchers.add(watcher)
  }

  #forgetOver(): void {
    const now = this.#clock.elapsed()
    this.#kept = this.#kept.filter(({ endsAt }) => endsAt > now)
  }
}

/** An agent is its credential and the name it gives itself: under another name it is asked about again, and runs nothing by that. */
function covers(kept: Kept, { reading, requester, client }: AskedCommand): boolean {
  if (kept.covers === 'project') return [reading, ...reading.steps].some(({ cwd }) => isInside(kept.directory, cwd))
  return kept.requester === requester && kept.client === client
}

/** Midnight, where this machine is. */
function endOfDay(now: number): number {
  const day = new Date(now)
  day.setHours(24, 0, 0, 0)
  return day.getTime()
}
