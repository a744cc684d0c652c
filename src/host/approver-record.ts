import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { ApproverRecord } from '../base/approver-key.ts'
import type { Log } from '../base/log.ts'

const Stored = z.object({
  v: z.literal(1),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  cost: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  public_key: z.string().regex(/^[0-9a-f]{88}$/),
})

/**
 * The public half of the approver passphrase. The first one seen is kept for the life of this host: a command that
 * replaces the file does not replace the person.
 */
export class ApproverRecordFile {
  readonly #file: string
  readonly #log: Log
  #pinned: ApproverRecord | null = null

  constructor(file: string, log: Log) {
    this.#file = file
    this.#log = log
    this.current()
  }

  /** The one that counts, without looking for another: while somebody is admitted, a file that comes up makes nobody an approver. */
  get pinned(): ApproverRecord | null {
    return this.#pinned
  }

  current(): ApproverRecord | null {
    const onDisk = this.#read()
    if (this.#pinned && onDisk && onDisk.public_key !== this.#pinned.public_key)
      this.#log.warn(
        'the approver passphrase was changed while the host runs; the old one counts until it is restarted',
      )
    this.#pinned ??= onDisk
    return this.#pinned
  }

  #read(): ApproverRecord | null {
    try {
      return Stored.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      return null // never set, or unreadable: nobody is admitted with it
    }
  }
}
