import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import type { Permit, PermitRequest, PermitUse } from '../../contract/wire/input-frames.ts'
import { claimWarning } from '../../policy/files/workspace-claim.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { JudgedRun } from '../../runs/run/approver.ts'
import type { ApprovalPort } from '../gate/approval-port.ts'
import type { InteractiveGate } from '../gate/gate.ts'
import { placeOf } from '../gate/place.ts'
import type { JudgedRequest } from '../gate/prepared-request.ts'
import { LOCAL } from '../names.ts'
import { unsendable } from '../terminals/shell-send.ts'
import { AskedTab, asCommand, expandsHistory, type PermitWorld, permitBody, tabOf } from './asked-tab.ts'
import {
  changedSince,
  nobodyThere,
  notGood,
  onlyOwnPrograms,
  permitIssues,
  refusedLine,
  tooMany,
  usedBefore,
  whyNoPermit,
} from './permit-refusals.ts'

export interface PermitDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly journal: Journal
  readonly gate: InteractiveGate
  readonly approvals: ApprovalPort
  readonly world: PermitWorld
}

/** Who asks, and in which session: a permit is nobody else's. */
export interface PermitHolder {
  readonly requester: string
  readonly client: string
  readonly session: string
}

export interface GivenPermit {
  readonly permit: Permit
  readonly authorization: 'allowed' | 'allowed_with_warning'
  readonly warnings: string[]
}

interface OpenPermit {
  readonly permit: Permit
  readonly session: string
  readonly about: { readonly requester: string; readonly runId: string }
  /** Of the same line, with the files as they are now. */
  readonly hashNow: () => string
  readonly over: (how: 'used' | 'never_used') => void
}

/** How long an editor has from the approval to typing it: it waits for nothing any more. */
const GOOD_FOR_MS = 10_000
const MOST_OPEN = 64

/**
 * What an editor may do in a terminal of its own (ADR 86). The host judges the line, asks the person, and gives a permit for exactly that:
 * good once, for seconds, for whoever asked. Nothing is typed before the permit was handed back, and then it is in the journal.
 */
export class Permits {
  readonly #deps: PermitDeps
  readonly #open = new Map<string, OpenPermit>()

  constructor(deps: PermitDeps) {
    this.#deps = deps
  }

  /** Resolves with a permit; throws why there is none. */
  async ask(frame: PermitRequest, by: PermitHolder, signal: AbortSignal): Promise<GivenPermit> {
    const { journal, gate, approvals } = this.#deps
    const { prepared, asked } = this.#prepare(frame, by)
    const { place, terminal } = prepared
    const about = { requester: by.requester, runId: frame.request_id }
    const judged = gate.judge(prepared, asked, undefined)
    const { verdict, why } = judged.verdict
    const refused = verdict === 'destructive' || verdict === 'blocked'
    const plan_hash = refused ? null : judged.plan().hash
    const body = { ...permitBody(frame, by, place.cwd), verdict, why, plan_hash }
    journal.append({ kind: 'permit_asked', ...about, body })
    if (refused) throw refusedLine(why)

    let given: { readonly judged: JudgedRun; readonly command: string | undefined } = { judged, command: undefined }
    if (verdict === 'auto') {
      if (!(await approvals.present(signal))) throw nobodyThere(approvals.absence())
    } else {
      const answer = await approvals.ask(prepared, { run: asked, ...judged, changed: [] }, by, signal)
      const no = whyNoPermit(answer, approvals.absence())
      if (no !== null) throw no
      if (answer.kind === 'approved' && answer.instead !== null)
        given = { judged: answer.instead, command: answer.instead.command }
    }

    const command = frame.intent === 'open_only' ? null : (given.command ?? frame.command ?? '')
    // The person may have written it: what cannot be typed as one line is not.
    if (command !== null) needTypable(command, prepared)
    const { hash } = given.judged.plan()
    const hashNow = () => gate.judge(prepared, asked, given.command).plan().hash
    const permit = this.#give({
      permit: { plan_hash: hash, terminal_id: terminal.id, command },
      by,
      about,
      asked,
      hashNow,
    })
    return {
      permit,
      authorization: verdict === 'auto' ? 'allowed' : 'allowed_with_warning',
      warnings: this.#warnings(frame, prepared, asked),
    }
  }

  /** It is about to be done. Throws when it must not be; a second time it must not. */
  use({ permit_id, plan_hash, terminal_id }: PermitUse, { session }: PermitHolder): void {
    const open = this.#open.get(permit_id)
    if (open === undefined || open.session !== session) throw notGood()
    // From here on it is gone, whatever comes.
    this.#open.delete(permit_id)
    try {
      if (open.permit.plan_hash !== plan_hash || open.permit.terminal_id !== terminal_id) throw notGood()
      if (open.hashNow() !== plan_hash) throw changedSince()
      const body = { permit_id, plan_hash, terminal_id, command: open.permit.command }
      this.#deps.journal.append({ kind: 'permit_used', ...open.about, body })
    } catch (cause) {
      open.over('never_used')
      throw cause
    }
    open.over('used')
  }

  #prepare(frame: PermitRequest, by: PermitHolder) {
    const { journal, world } = this.#deps
    if (by.requester !== LOCAL) throw onlyOwnPrograms()
    const issues = permitIssues(frame)
    if (issues.length > 0) throw invalidPayload(issues)
    if (journal.rowsOf(frame.request_id).some(({ requester }) => requester === by.requester))
      throw usedBefore(frame.request_id)
    if (this.#open.size >= MOST_OPEN) throw tooMany(MOST_OPEN)

    const command = asCommand(frame)
    const place = placeOf(command, frame.working_directory)
    const terminal = tabOf(frame, by.client, place.cwd, world)
    const { requester } = by
    const prepared = { how: 'permit', frame: command, place, terminal, requester, marks: [] } as const
    if (frame.command !== undefined) needTypable(frame.command, prepared)
    return { prepared, asked: new AskedTab(frame, by, place.cwd) }
  }

  #give(of: {
    readonly permit: Pick<Permit, 'plan_hash' | 'terminal_id' | 'command'>
    readonly by: PermitHolder
    readonly about: OpenPermit['about']
    readonly asked: AskedTab
    readonly hashNow: () => string
  }): Permit {
    const { clock, ids, journal } = this.#deps
    const { by, about, asked, hashNow } = of
    const permit: Permit = { permit_id: ids.make('permit'), ...of.permit, expires_in_ms: GOOD_FOR_MS }
    journal.append({ kind: 'permit_granted', ...about, body: { ...permit } })

    let late: Disposable = { dispose() {} }
    const over = (how: 'used' | 'never_used') => {
      late.dispose()
      asked.over(how)
    }
    this.#open.set(permit.permit_id, { permit, session: by.session, about, hashNow, over })
    late = clock.after(GOOD_FOR_MS, () => {
      if (this.#open.delete(permit.permit_id)) over('never_used')
    })
    return permit
  }

  #warnings(frame: PermitRequest, { place }: JudgedRequest, { note }: AskedTab): string[] {
    const claimed = claimWarning(frame.workspace_id, this.#deps.gate.workspaceAt(place.cwd), place.cwd)
    return [claimed, note].filter(each => each !== null)
  }
}

function needTypable(line: string, { terminal }: JudgedRequest): void {
  const shell = { expandsHistory: 'editor' in terminal && expandsHistory(terminal) }
  const problem = unsendable(line, shell)
  if (problem !== null) throw invalidPayload([{ field: 'command', problem }])
}
