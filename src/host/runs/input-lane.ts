import type { Clock } from '../../base/clock.ts'
import { lastLine, plainText } from '../../base/output/last-line.ts'
import { readRange } from '../../base/output/output-segments.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { inputBytes } from '../../contract/tool/input.ts'
import type { InputRequest } from '../../contract/wire/input-frames.ts'
import { textOf } from '../../runs/output/output-text.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { RunWait } from '../../runs/run/wait-watch.ts'
import { type AskInputDeps, askInput, judgeInput, type PreparedInput } from '../gate/ask-input.ts'
import { runsInput } from '../gate/input-reader.ts'
import type { Requester } from '../questions/requester.ts'
import { leftLocked } from '../terminals/left-locked.ts'
import type { Terminal } from '../terminals/terminal.ts'
import type { Terminals } from '../terminals/terminals.ts'
import { activeRunKey } from './active-run.ts'
import { idTaken } from './identity.ts'
import {
  movedOn,
  noTerminal,
  nothingRuns,
  notRunning,
  ownShell,
  personTypes,
  secretPrompt,
  typedBefore,
} from './input-refusals.ts'
import type { RequesterRuns } from './requester-runs.ts'

export interface InputDeps extends AskInputDeps {
  readonly clock: Clock
  readonly runs: RequesterRuns
  readonly terminals: Terminals
}

export interface InputTarget {
  readonly run: Run
  readonly view: RunView
  readonly terminal: Terminal
}

const PRINTED_BYTES = 4096
const PRINTED_LINES = 12
/** Where a program that draws the whole screen says how it wants its cursor keys. */
const MODES_BYTES = 64 * 1024
/** The person types: an approved input waits for so long at most. */
const LEASE_WITHIN_MS = 15_000
/** A program that waits is woken for a moment by a resize or a timer of its own: it is looked at again before it counts as busy. */
const LOOKS = 4
const BETWEEN_LOOKS_MS = 40

/** What agents type into programs that run: gated like a command, and never against the person's own hands. */
export class InputLane {
  readonly #deps: InputDeps
  /** Approved for the rest of a run: which program read it then. */
  readonly #standing = new Map<string, string>()
  readonly #typing = new Map<string, { readonly payload: string; readonly typed: Promise<number> }>()

  constructor(deps: InputDeps) {
    this.#deps = deps
  }

  /** The run that a request names by itself or by its terminal, and that can be typed into. Throws what is wrong with that. */
  target(frame: InputRequest, requester: string): InputTarget {
    const { runs, terminals } = this.#deps
    const named = frame.terminal_id === undefined ? null : terminals.find(requester, frame.terminal_id)
    const id = frame.session_id ?? named?.busyWith
    if (id === undefined || id === null) throw named?.kind === 'shell' ? ownShell() : nothingRuns()

    const { registry } = runs.of(requester)
    const view = registry.find(id)
    if (view === null)
      throw new TermError('PM_TERM_NOT_FOUND', `There is no run ${id}.`, { details: { session_id: id } })
    if (view.opened.lane === 'headless') throw noTerminal(id)
    const run = registry.own(id)
    const terminal = terminals.ofRun(requester, id)
    if (run === null || run.state.at !== 'running' || terminal === null) throw notRunning(id, view.status().state.at)
    if (terminal.kind === 'shell' && terminal.shellRun === id) throw ownShell()
    return { run, view, terminal }
  }

  /** Resolves when it was typed, with where the output was then; throws when it was not. The same request types once. */
  type(frame: InputRequest, target: InputTarget, by: Requester, signal: AbortSignal): Promise<number> {
    const key = activeRunKey(by.requester, frame.request_id)
    const payload = JSON.stringify([target.run.request.id, frame.input])
    const before = this.#typing.get(key)
    if (before && before.payload !== payload) throw idTaken(frame.request_id)
    if (before) return before.typed
    for (const { requester, kind } of this.#deps.journal.rowsOf(frame.request_id)) {
      if (requester === by.requester && kind === 'agent_input') throw typedBefore(frame.request_id)
      if (requester === by.requester && kind === 'received') throw idTaken(frame.request_id)
    }

    const typed = this.#type(frame, target, by, signal)
    this.#typing.set(key, { payload, typed })
    typed.catch(() => {}) // whoever waits hears it
    // As long as its run can be asked about, so can it.
    const watching = target.run.watch(() => {
      if (!target.run.over) return
      watching.dispose()
      this.#typing.delete(key)
      this.#standing.delete(standingKey(target.run))
    })
    return typed
  }

  async #type(frame: InputRequest, target: InputTarget, by: Requester, signal: AbortSignal): Promise<number> {
    const { run, terminal } = target
    const { request_id } = frame
    const about = { requester: by.requester, runId: request_id }
    try {
      const shown = await this.#prepare(frame, target)
      if (terminal.keyboard.personForMs(this.#deps.clock.elapsed()) > 0) throw personTypes()
      const judged = judgeInput(this.#deps.gate, shown)

      if (!this.#stands(run, shown.waits)) {
        run.input = { request_id, state: 'awaiting_approval' }
        const scope = await askInput(this.#deps, shown, judged, by, signal)
        if (scope === 'run' && shown.waits?.program) this.#stand(target, shown.waits.program)
      }

      await this.#untilPersonRests(terminal, signal)
      // Whoever reads it now must be who was on the card.
      const now = await this.#prepare(frame, target)
      if (shown.waits !== null && shown.waits.state !== 'none') needSame(shown, now)

      return this.#write(now, about)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      run.input = { request_id, state: 'not_typed', reason }
      throw cause
    }
  }

  /** Written down first: what cannot be written down is not typed. */
  #write({ frame, run, terminal }: PreparedInput, about: { requester: string; runId: string }): number {
    const { live } = terminal
    if (live === null) throw notRunning(run.request.id, run.state.at)
    const body = { input_for: run.request.id, terminal_id: terminal.id, input: frame.input }
    this.#deps.journal.append({ kind: 'agent_input', ...about, body })

    const { size } = run.output
    const bytes = Buffer.from(inputBytes(frame.input, cursorKeys(run)))
    terminal.keyboard.agentTyped(bytes, this.#deps.clock.elapsed())
    run.input = { request_id: frame.request_id, state: 'typed' }
    live.write(bytes)
    run.grown()
    return size
  }

  /** As things are now. Throws where nothing may be typed at all. */
  async #prepare(frame: InputRequest, { run, terminal }: InputTarget): Promise<PreparedInput> {
    const waits = await this.#waitOf(run)
    if (run.state.at !== 'running' || terminal.live === null) throw notRunning(run.request.id, run.state.at)
    if (terminal.live.locked) throw leftLocked()
    if (waits?.state === 'secret') throw secretPrompt()
    const source = { directory: run.directory, size: run.output.size, over: false }
    const printed = plainText(textOf(source, 'tail', PRINTED_BYTES).stdout)
      .trimEnd()
      .split('\n')
    return { frame, run, terminal, waits, printed: printed.slice(-PRINTED_LINES).join('\n') }
  }

  async #waitOf({ waiting }: Run): Promise<RunWait | null> {
    let waits = (await waiting?.lookNow()) ?? null
    for (let look = 1; look < LOOKS && waits?.state === 'none'; look++) {
      await new Promise<void>(resolve => void this.#deps.clock.after(BETWEEN_LOOKS_MS, resolve))
      waits = (await waiting?.lookNow()) ?? null
    }
    return waits
  }

  #stand({ run, terminal }: InputTarget, program: string): void {
    const key = standingKey(run)
    this.#standing.set(key, program)
    // The person takes the keyboard back by using it.
    const listening = terminal.keyboard.onPerson(() => {
      this.#standing.delete(key)
      listening.dispose()
    })
  }

  #stands(run: Run, waits: RunWait | null): boolean {
    const program = this.#standing.get(standingKey(run))
    return (
      program !== undefined && waits?.program === program && waits.state !== 'none' && runsInput(waits.program) === null
    )
  }

  async #untilPersonRests({ keyboard }: Terminal, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    const giveUpAt = clock.elapsed() + LEASE_WITHIN_MS
    for (let left = keyboard.personForMs(clock.elapsed()); left > 0; left = keyboard.personForMs(clock.elapsed())) {
      if (signal.aborted || clock.elapsed() >= giveUpAt) throw personTypes()
      await new Promise<void>(resolve => void clock.after(left, resolve))
    }
  }
}

const standingKey = (run: Run): string => activeRunKey(run.request.requester, run.request.id)

/** The program may have gone on while somebody read the card: then the answer is for another question. */
function needSame(shown: PreparedInput, now: PreparedInput): void {
  const [before, after] = [shown.waits, now.waits]
  if (after?.program !== before?.program || after?.state !== before?.state)
    throw movedOn(after === null || after.state === 'none' ? 'it no longer waits for input.' : `${after.evidence}.`)
  // What is drawn key by key changes all the time; a line that was asked for does not.
  if (before?.state === 'line' && lastLine(shown.printed) !== lastLine(now.printed))
    throw movedOn('it has printed something else since.')
}

function cursorKeys({ directory, output: { size } }: Run): 'normal' | 'application' {
  const { pieces } = readRange(directory, Math.max(0, size - MODES_BYTES), MODES_BYTES)
  const printed = Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1')
  return printed.lastIndexOf('\x1b[?1h') > printed.lastIndexOf('\x1b[?1l') ? 'application' : 'normal'
}
