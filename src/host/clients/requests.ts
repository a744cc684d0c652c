import type * as z from 'zod'
import { Disposables } from '../../base/disposable.ts'
import { until } from '../../base/until.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import { type WantedWait, wantedWait } from '../../contract/tool/wait.ts'
import type { CommandRequest, List, ReadOutput, RunReport } from '../../contract/wire/host-frames.ts'
import { tooSlow } from '../../runs/output/read-output.ts'
import { listItem } from '../../runs/run/run-result.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { Woke } from '../../runs/wait/finder.ts'
import { UNTIL_EXIT, waitFor } from '../../runs/wait/wait.ts'
import { withWoke } from '../../runs/wait/with-woke.ts'
import { LOCAL } from '../names.ts'
import { askForRules, type RulesDeps } from '../questions/ask-rules.ts'
import { askForSetup } from '../questions/ask-setup.ts'
import type { Requester } from '../questions/requester.ts'
import type { LeftRuns } from '../runs/left-runs.ts'
import { type ProgressReport, reportProgress } from '../runs/progress.ts'
import { reportOf } from '../runs/report.ts'
import type { Terminals } from '../terminals/terminals.ts'
import { askForPairing, type PairingDeps } from './ask-pairing.ts'
import { addressOf, type Caller, type ClientRequest } from './caller.ts'
import { type HostStatusDeps, hostStatus } from './host-status.ts'
import { findRun, type KillDeps, killRun } from './kill-run.ts'
import { askPermit, type PermitRequestDeps, usePermit } from './permit-requests.ts'
import { type ReceiptDeps, readReceipt } from './read-receipt.ts'
import { reportAsking } from './report-asking.ts'
import { type TypeInputDeps, typeInput } from './type-input.ts'
import { keepOwning, RequestWaits } from './waits.ts'

export interface RequestDeps
  extends RulesDeps,
    PairingDeps,
    HostStatusDeps,
    KillDeps,
    TypeInputDeps,
    PermitRequestDeps,
    ReceiptDeps {
  readonly terminals: Terminals
  readonly left: LeftRuns
  /** Opens a window, or says why there is none. */
  readonly showWindow: () => Promise<{ readonly shown: boolean; readonly message: string }>
}

const FOREVER_MS = 2 ** 31 - 1
const MOST_LISTED = 50

/** What an MCP server may ask of the host. Nothing here can answer a question. */
export class ClientRequests {
  readonly #deps: RequestDeps
  readonly #waits = new RequestWaits()

  constructor(deps: RequestDeps) {
    this.#deps = deps
  }

  async answer(frame: ClientRequest, caller: Caller): Promise<void> {
    switch (frame.type) {
      case 'command_request':
        return this.#command(frame, caller)
      case 'input_request':
        return typeInput(this.#deps, frame, caller, this.#waits)
      case 'permit_request':
        return askPermit(this.#deps, frame, caller, this.#waits)
      case 'permit_use':
        return usePermit(this.#deps, frame, caller)
      case 'read_output':
        return this.#read(frame, caller)
      case 'read_receipt':
        return readReceipt(this.#deps, frame, caller)
      case 'kill':
        return killRun(this.#deps, frame, caller)
      case 'list':
        return this.#list(frame, caller)
      case 'cancel':
        this.#cancel(caller, frame.request_id)
        return

      case 'allowlist_update':
        return this.#ask(frame, caller, (by, signal) => askForRules(this.#deps, frame, by, signal))
      case 'pairing_request':
        return this.#ask(frame, caller, (by, signal) => askForPairing(this.#deps, frame, by, signal))
      case 'setup_request':
        return this.#ask(frame, caller, (by, signal) => askForSetup(this.#deps, frame, by, signal))

      case 'show_window':
        caller.reply({ type: 'window_shown', ...addressOf(frame), ...(await this.#deps.showWindow()) })
        return
      case 'status':
        if (caller.requester !== LOCAL)
          throw new TermError('PM_TERM_INVALID_MODE', "Only the person's own programs hear how the host is doing.")
        caller.reply({ type: 'status_answered', ...addressOf(frame), ...hostStatus(this.#deps, caller) })
    }
  }

  /** Its client has called again without a word about this question. */
  goneOn({ requester }: Caller, requestId: string): void {
    this.#deps.queue.goneOn(requester, requestId)
  }

  /** Not started yet: it never will, and whoever waits hears so. Already running: the waiting ends, the command lives on. */
  #cancel(caller: Caller, requestId: string): void {
    const active = this.#deps.lane.find(caller.requester, requestId)
    if (active && active.view.status().state.at !== 'running') active.withdraw('cancelled')
    else {
      if (active) this.#deps.left.leave(active.view, caller, 'cancelled')
      this.#waits.cancel(caller, requestId)
    }
  }

  async #command(frame: CommandRequest, caller: Caller): Promise<void> {
    const opens = frame.intent === 'open_only'
    if (frame.command === undefined && !opens)
      throw invalidPayload([
        { field: 'execution.command', problem: 'is required when invocation.intent is "execute_command"' },
      ])

    const { lane, sessions, clock } = this.#deps
    const active = lane.start(frame, { requester: caller.requester, client: caller.client })
    const address = addressOf(frame)
    const { id } = active.view.opened
    caller.reply({ type: 'accepted', ...address, session_id: id, terminal_id: active.terminalId }, 'soon')

    const life = new Disposables()
    const wait = this.#waits.begin(caller, frame.request_id, life)
    const gone = () => {
      active.withdraw('asker_gone')
      // A shell is the person's own from the start.
      if (!opens) this.#deps.left.leave(active.view, caller, 'asker_gone')
    }
    this.#deps.left.attended(caller.requester, id)
    life.add(sessions.owns(caller, gone))
    const onProgress = (progress: ProgressReport) => caller.reply({ type: 'progress', ...address, ...progress }, 'soon')
    life.add(reportProgress(active, { ...this.#deps, requester: caller.requester }, onProgress))

    let woke: Woke | null = null
    try {
      const wanted = wantedWait(frame.output ?? {}, { until: 'exit', timeoutMs: FOREVER_MS })
      const isForExit = (wanted?.until ?? 'exit') === 'exit'
      // A shell is there for as long as it is wanted: that it runs is the answer. Nor is anything else looked for before it runs.
      if (opens || !isForExit) await until(() => !waitsToStart(active.view), active.view, { signal: wait })
      if (wanted && !isForExit)
        woke = await this.#wait(active.view, wanted, caller, { ms: FOREVER_MS, signal: wait, cursor: 0 })
      else if (!opens) await waitFor(active.view, UNTIL_EXIT, { clock, ms: FOREVER_MS, signal: wait })
    } finally {
      // Its question lives on with the session when only the socket is gone.
      if (caller.signal.aborted) keepOwning(sessions, caller, active.view, gone)
      life.dispose()
    }

    const report = await this.#report(active.view, frame.output ?? {}, caller, { woke })
    caller.reply({ type: 'command_response', ...address, ...report })
  }

  async #read(frame: z.output<typeof ReadOutput>, caller: Caller): Promise<void> {
    const view = findRun(this.#deps, frame, caller)
    if (!frame.looks_on) this.#deps.left.attended(caller.requester, view.opened.id)
    const options = frame.output ?? {}
    const address = addressOf(frame)
    const { id, terminal_id } = view.opened
    const wanted = wantedWait(options, null)
    if (wanted === null) {
      const report = await this.#report(view, options, caller, { looksOn: frame.looks_on })
      caller.reply({ type: 'output', ...address, ...report })
      return
    }
    caller.reply({ type: 'accepted', ...address, session_id: id, terminal_id: terminal_id ?? null })
    const life = new Disposables()
    const signal = this.#waits.begin(caller, frame.request_id, life)
    const { timeoutMs: ms } = wanted
    const woke = await this.#wait(view, wanted, caller, {
      ms,
      signal,
      cursor: options.cursor,
      ...(!frame.looks_on && { input: 'ends_it' }),
    }).finally(() => life.dispose())
    const report = await this.#report(view, options, caller, { woke, looksOn: frame.looks_on })
    caller.reply({ type: 'output', ...address, ...report })
  }

  #wait(
    view: RunView,
    wanted: WantedWait,
    { requester }: Caller,
    patience: {
      readonly ms: number
      readonly signal: AbortSignal
      readonly cursor: number | undefined
      readonly input?: 'ends_it'
    },
  ): Promise<Woke> {
    const { clock, runs } = this.#deps
    const processes = () => runs.of(requester).registry.processesOf(view.opened.id)
    const machine = { platform: process.platform, processes }
    return waitFor(view, wanted, { clock, machine, ...patience }).catch(tooSlow('wait.match'))
  }

  /** Where the run stands, on the screen of its terminal if that is wanted, and whether somebody is there to decide. */
  async #report(
    view: RunView,
    options: OutputOptions,
    { requester }: Caller,
    { woke = null, looksOn = false }: { readonly woke?: Woke | null; readonly looksOn?: boolean | undefined } = {},
  ): Promise<RunReport> {
    const { clock, terminals, presence, desk, redactor } = this.#deps
    const terminal = terminals.known(view.opened.terminal_id ?? '')
    const size = terminal?.requester === requester && { cols: terminal.cols, rows: terminal.rows }
    const report = await reportOf(view, options, { clock, redactor, ...(size && { size }) }, looksOn)
    const whole = { ...report, human: presence.human(desk.typedAt) }
    return woke === null ? whole : withWoke(whole, woke, { view, redactor })
  }

  #list(frame: z.output<typeof List>, caller: Caller): void {
    const { runs, terminals, presence, desk } = this.#deps
    const { views, more } = runs.of(caller.requester).registry.list(MOST_LISTED)
    const here = views.filter(
      ({ opened }) =>
        opened.lane === 'interactive' &&
        (frame.workspace_id === undefined || opened.workspace_id === frame.workspace_id),
    )

    caller.reply({
      type: 'listed',
      ...addressOf(frame),
      items: here.map(listItem),
      omitted_items: more,
      terminals: terminals
        .of(caller.requester)
        .filter(({ workspaceId }) => frame.workspace_id === undefined || workspaceId === frame.workspace_id)
        .map(({ id, name, kind, workspaceId, profile, cwd, isDefault, busyWith, waiting }) => ({
          terminal_id: id,
          name,
          kind,
          workspace_id: workspaceId,
          profile,
          cwd,
          is_default: isDefault,
          busy_with: busyWith,
          waiting: [...waiting],
        })),
      approvers: presence.count,
      human: presence.human(desk.typedAt),
    })
  }

  /** A question that is no command: withdrawn on cancel and with its session, not with its connection. */
  async #ask(
    frame: ClientRequest,
    caller: Caller,
    question: (
      by: Requester,
      signal: AbortSignal,
    ) => ReturnType<typeof askForRules | typeof askForPairing | typeof askForSetup>,
  ): Promise<void> {
    caller.reply({ type: 'accepted', ...addressOf(frame), session_id: null, terminal_id: null })
    const life = new Disposables()
    const withdrawn = new AbortController()
    const cancelled = this.#waits.begin(caller, frame.request_id, life, 'cancel_only')
    cancelled.addEventListener('abort', () => withdrawn.abort('cancelled'))
    life.add(this.#deps.sessions.owns(caller, () => withdrawn.abort('asker_gone')))
    const by = { requester: caller.requester, client: caller.client }
    life.add(reportAsking(this.#deps, frame, caller, 'this change'))
    this.#deps.presence.call()
    try {
      caller.reply({ ...addressOf(frame), ...(await question(by, withdrawn.signal)) })
    } finally {
      life.dispose()
    }
  }
}

const waitsToStart = (view: RunView): boolean => ['received', 'awaiting_approval'].includes(view.status().state.at)
