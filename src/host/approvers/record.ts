import * as z from 'zod'
import { writeAtomically } from '../../base/atomic-file.ts'
import { readJsonFile } from '../../base/json-file.ts'
import {
  type ApproverRecord,
  approverSigner,
  isSignedByApprover,
  makeApproverRecord,
} from '../../base/keys/approver-key.ts'
import type { Log } from '../../base/log.ts'
import type { CountingApprover, SessionSeal } from '../../runs/journal/decisions-seal.ts'
import type { Journal } from '../../runs/journal/journal.ts'

const Stored = z.object({
  v: z.literal(1),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  cost: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  public_key: z.string().regex(/^[0-9a-f]{88}$/),
})

export interface RecordDeps {
  readonly file: string
  readonly log: Log
  readonly journal: Pick<Journal, 'append' | 'newest'>
  readonly alarm: (message: string) => void
  /** Another one counts now. */
  readonly onChange: () => void
  /** Whoever gives the passphrase here lets this host seal what is decided. */
  readonly seal: Pick<SessionSeal, 'certify' | 'message'>
}

/**
 * The public half of the approver passphrase. What counts is what the journal knows as a person's act: set in an approver who is
 * admitted or in the terminal the host was started in. The file is only where it lies for others to see; one that appears or
 * changes by itself counts for nobody, and those who are admitted hear of it. What the first host finds is taken as it is.
 */
export class ApproverRecordFile {
  readonly #deps: RecordDeps
  readonly #reported = new Set<string>()
  /** What counted by the journal before this host looked for one. */
  readonly before: CountingApprover
  #counts: ApproverRecord | null = null

  constructor(deps: RecordDeps) {
    this.#deps = deps
    this.before = approverIn(deps.journal)
    const onDisk = this.#read()
    if (this.before !== 'no_host_yet') this.#counts = this.before
    else if (onDisk !== 'broken') {
      this.#counts = onDisk
      this.#write(onDisk, 'found by the first host')
    }
    this.#look(onDisk)
  }

  /** The one that counts; null: none was set by a person. */
  get current(): ApproverRecord | null {
    this.#look(this.#read())
    return this.#counts
  }

  get isSet(): boolean {
    return this.#counts !== null
  }

  fits(passphrase: string): boolean {
    return this.signed(passphrase, 'here') !== null
  }

  /** What stands for the passphrase has signed it; null: that is not the one that counts. */
  signed(passphrase: string, message: string): string | null {
    const record = this.#counts
    if (record === null) return null
    const signer = approverSigner(passphrase, record)
    const signature = signer(message)
    if (!isSignedByApprover(record, message, signature)) return null
    this.#deps.seal.certify(record, signer(this.#deps.seal.message))
    return signature
  }

  /** A person's act, in a place that the host vouches for. Throws when it cannot be written down: then it does not count. */
  set(passphrase: string, by: string): void {
    const record = makeApproverRecord(passphrase)
    this.#write(record, by)
    this.#counts = record
    this.#deps.onChange()
    this.#deps.seal.certify(record, approverSigner(passphrase, record)(this.#deps.seal.message))
    writeAtomically(this.#deps.file, `${JSON.stringify(record)}\n`)
  }

  #write(record: ApproverRecord | null, by: string): void {
    this.#deps.journal.append({ kind: 'passphrase_changed', requester: null, runId: null, body: { record, by } })
  }

  #look(onDisk: ApproverRecord | null | 'broken'): void {
    if (onDisk === 'broken' || onDisk === null) return
    const key = onDisk.public_key
    if (key === this.#counts?.public_key || this.#reported.has(key)) return
    this.#reported.add(key)
    const { file, log, alarm } = this.#deps
    const counts = this.#counts ? 'The one that you set before counts' : 'No passphrase counts'
    log.warn('the approver passphrase was changed by something else than a person in front of this host', { file })
    alarm(
      `Something wrote a passphrase of its own into ${file}. ${counts}; that one admits nobody. If it was you: set it in the window, under the shield.`,
    )
  }

  #read(): ApproverRecord | null | 'broken' {
    const read = readJsonFile(this.#deps.file, Stored)
    if ('content' in read) return read.content
    if (!('problem' in read)) return null
    this.#deps.log.warn('the approver passphrase cannot be checked', { file: this.#deps.file, ...read })
    return 'broken'
  }
}

/** What a person set, as the journal knows it. */
export function approverIn(journal: Pick<Journal, 'newest'>): CountingApprover {
  const [row] = journal.newest('passphrase_changed', 1)
  return row ? (Stored.nullable().safeParse(row.body.record).data ?? null) : 'no_host_yet'
}

/** What is wrong with the file; null: nothing, or no passphrase was ever set. */
export function approverRecordProblem(file: string): string | null {
  const read = readJsonFile(file, Stored)
  return 'problem' in read ? read.problem : null
}

/** Whether one lies there that can be read. */
export const hasApproverRecord = (file: string): boolean => 'content' in readJsonFile(file, Stored)
