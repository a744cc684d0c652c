import { homedir } from 'node:os'
import type { Clock } from '../../base/clock.ts'
import { EDITOR_ACTIONS, EDITOR_WAIT_MS, type EditorRequest, parseEditor } from '../../contract/tool/editor-request.ts'
import type { EditorResponse } from '../../contract/tool/editor-response.ts'
import { errorBody, fallbackFor, TermError } from '../../contract/tool/errors.ts'
import type { Editor } from '../editor.ts'
import type { HeldPermit, HostTalk } from '../host/host-talk.ts'
import type { EditorTerminals, TrackedTerminal } from '../terminals/editor-terminals.ts'
import { type LineEnd, shellIntegration, typeLine } from '../terminals/typed-line.ts'

export interface EditorToolDeps {
  readonly editor: Editor
  readonly clock: Clock
  readonly host: Pick<HostTalk, 'permit' | 'use'>
  readonly terminals: EditorTerminals
  /** Somebody will be asked: whoever answers in this editor should be connected. */
  readonly aboutToAsk: () => void
}

type TabAnswer = Omit<EditorResponse, 'success' | 'action' | 'error' | 'fallback'>
const plain = (terminal_id: string | null): TabAnswer => ({
  status: 'completed',
  terminal_id,
  warnings: [],
  note: null,
})

/** memory_terminal_vscode: terminals of the editor, in which a line is typed only under the host's permit. */
export class EditorTool {
  readonly #deps: EditorToolDeps

  constructor(deps: EditorToolDeps) {
    this.#deps = deps
  }

  /** Always answers; what went wrong is in the answer. */
  async call(payload: unknown, signal: AbortSignal): Promise<EditorResponse> {
    const { action: asked, terminal_id: named } = (payload ?? {}) as Record<string, unknown>
    const action = EDITOR_ACTIONS.find(each => each === asked) ?? null
    try {
      const request = parseEditor(payload)
      const answer = await this.#answer(request, signal)
      return { success: true, action: request.action, ...answer, error: null }
    } catch (cause) {
      const error = cause instanceof TermError ? cause : failed(cause)
      return {
        success: false,
        action,
        status: 'failed',
        terminal_id: typeof named === 'string' ? named : null,
        warnings: [],
        note: null,
        error: errorBody(error),
        fallback: fallbackFor(error.code, error.details),
      }
    }
  }

  async #answer(request: EditorRequest, signal: AbortSignal): Promise<TabAnswer> {
    const { terminals } = this.#deps
    switch (request.action) {
      case 'create':
        return this.#create(request, signal)
      case 'send':
        return this.#send(request, signal)
      case 'list':
        return { ...plain(null), terminals: terminals.list() }
      case 'close': {
        const known = terminals.need(request.terminal_id ?? '')
        const ran = known.running?.commandLine.value
        await terminals.close(known)
        const warnings = ran === undefined ? [] : [`What still ran in it ended with it: ${ran}`]
        return { ...plain(known.id), warnings }
      }
    }
  }

  async #create(request: EditorRequest, signal: AbortSignal): Promise<TabAnswer> {
    const { editor, clock, host, terminals } = this.#deps
    const cwd = request.cwd ?? editor.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir()
    const { command, env = {} } = request
    const name = request.name ?? 'agent'
    const id = terminals.reserve(name)
    const about = { ...this.#about(request), terminal_id: id, terminal_name: name, opens: true, env }
    const given = await this.#permit({ ...about, working_directory: cwd, directory_known: 'where_it_began' }, signal)
    await host.use(given.permit)

    const known = terminals.open(id, { name, cwd, env })
    const integration = await shellIntegration(editor, known, clock)
    const answer = { ...plain(id), authorization: given.authorization, warnings: [...given.warnings] }
    if (command === undefined || given.permit.command === null)
      return { ...answer, note: integration === null ? NO_INTEGRATION : null }
    if (known.closedBy !== null)
      return {
        ...answer,
        status: 'failed',
        note: 'The terminal was closed before the line was typed. Nothing was typed.',
      }
    return this.#type(known, given, request, signal)
  }

  async #send(request: EditorRequest, signal: AbortSignal): Promise<TabAnswer> {
    const { host, terminals } = this.#deps
    const known = terminals.need(request.terminal_id ?? '')
    needIdle(known)
    const said = known.terminal.shellIntegration?.cwd?.fsPath
    const given = await this.#permit(
      {
        ...this.#about(request),
        terminal_id: known.id,
        terminal_name: known.name,
        opens: false,
        working_directory: said ?? known.cwd,
        directory_known: said === undefined ? 'where_it_began' : 'told_by_shell',
      },
      signal,
    )

    // While the person read the card they may have closed it, walked elsewhere, or started something.
    terminals.need(known.id)
    needIdle(known)
    if (known.terminal.shellIntegration?.cwd?.fsPath !== said) throw movedAway()
    await host.use(given.permit)
    terminals.need(known.id)
    return this.#type(known, given, request, signal)
  }

  /** From here on it is typed, once; whatever comes is told and not tried again. */
  async #type(
    known: TrackedTerminal,
    given: HeldPermit,
    request: EditorRequest,
    signal: AbortSignal,
  ): Promise<TabAnswer> {
    const { editor, clock } = this.#deps
    const { permit, authorization, warnings } = given
    const line = permit.command ?? ''
    const end = await typeLine(editor, known, line, { clock, waitMs: request.timeout_ms ?? EDITOR_WAIT_MS, signal })
    const changed = line === request.command ? [] : [`The person changed the line. This ran: ${line}`]
    const other = end.otherLine === null ? [] : [`Its shell says that it ran another line: ${end.otherLine}`]
    return {
      status: end.running === false && !end.closed ? 'completed' : 'accepted',
      terminal_id: known.id,
      command: line,
      authorization,
      ...(end.running !== null && { running: end.running }),
      ...(end.exitCode !== undefined && { exit_code: end.exitCode }),
      ...(end.output !== null && { output: end.output }),
      ...(end.omittedBytes > 0 && { omitted_bytes: end.omittedBytes }),
      warnings: [...warnings, ...changed, ...other],
      note: noteOf(end),
    }
  }

  #permit(wanted: Parameters<HostTalk['permit']>[0], signal: AbortSignal): Promise<HeldPermit> {
    this.#deps.aboutToAsk()
    return this.#deps.host.permit(wanted, signal)
  }

  #about({ command, context, workspace_id }: EditorRequest) {
    const { shell } = this.#deps.editor.env
    return {
      intent: command === undefined ? ('open_only' as const) : ('execute_command' as const),
      ...(command !== undefined && { command }),
      ...(context !== undefined && { context }),
      ...(workspace_id !== undefined && { workspace_id }),
      ...(shell !== '' && { shell }),
    }
  }
}

const NO_INTEGRATION =
  'This terminal has no shell integration: what is printed there and how a line ends is not known to this tool. memory_terminal_interactive knows both.'

function noteOf({ running, exitCode, closed }: LineEnd): string | null {
  if (closed) return 'The terminal was closed while the line ran. It is not typed again.'
  if (running === null) return NO_INTEGRATION
  if (running) return 'It still runs, in sight of the person. Do not send it again; list says when it is over.'
  return exitCode === undefined ? 'Its shell did not say with which exit code it ended.' : null
}

function needIdle({ running, id }: TrackedTerminal): void {
  if (running === null) return
  const what = running.commandLine.value.slice(0, 200)
  throw new TermError(
    'PM_TERM_INVALID_MODE',
    `Nothing was typed: ${id} still runs: ${what}. Wait, or create another.`,
    {
      details: { reason: 'shell_busy', terminal_id: id },
    },
  )
}

const movedAway = (): TermError =>
  new TermError(
    'PM_TERM_INVALID_MODE',
    'Nothing was typed: its shell is in another directory than on the card by now.',
    {
      details: { reason: 'moved_on' },
    },
  )

const failed = (cause: unknown): TermError =>
  new TermError('PM_TERM_INTERNAL', `The extension failed: ${cause instanceof Error ? cause.message : String(cause)}`)
