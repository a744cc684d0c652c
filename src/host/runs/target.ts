import { TermError } from '../../contract/tool/errors.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { realDirectory } from '../../runs/plan/virtual-env.ts'
import type { InteractiveGate } from '../gate/gate.ts'
import { placeIn, placeOf, type RunPlace } from '../gate/place.ts'
import type { PreparedRequest, RunTarget } from '../gate/prepared-request.ts'
import { notForShell } from '../gate/shell-gate.ts'
import { adapterOf, PERSON } from '../names.ts'
import { shellBusy, unsendable } from '../terminals/shell-send.ts'
import type { ShellTerminal } from '../terminals/terminal.ts'
import type { Terminals } from '../terminals/terminals.ts'

/** Which terminal, and where in it. Throws what is wrong with that, before anything is written down. */
export function whereTo(
  frame: CommandRequest,
  requester: string,
  deps: { readonly terminals: Terminals; readonly home: string; readonly gate: Pick<InteractiveGate, 'workspaceAt'> },
): RunTarget {
  const { terminals } = deps
  const target = terminals.targetOf(requester, frame)
  if (!target && adapterOf(requester) === 'container_bridge_to_host') needPlaceHere(frame)
  const home = realDirectory(frame.workspace_path ?? deps.home) ?? deps.home
  const workspaceId = deps.gate.workspaceAt(realDirectory(frame.working_directory ?? home) ?? home)?.id ?? null
  if (frame.intent === 'open_only') {
    // A person may choose it: nobody else's word is shown to them then.
    const issues = requester === PERSON ? [] : notForShell(frame)
    if (target) issues.push({ field: 'target', problem: 'is not allowed when a terminal is opened' })
    if (issues.length > 0) throw invalidPayload(issues)
    const place = placeOf(frame, home)
    const key = { requester, workspaceId, home: place.cwd, profile: frame.terminal_profile ?? 'system' }
    const terminal = terminals.createShell(key)
    terminal.standsIn(place)
    return { how: 'open', place, terminal }
  }
  if (target?.kind === 'shell') return { how: 'send', place: placeOfLine(target, frame), terminal: target }
  const key = { requester, workspaceId, home, profile: frame.terminal_profile ?? 'bash' }
  const found = target ?? terminals.free(key)
  found?.needRoom()
  const place = found ? placeIn(found, frame) : placeOf(frame, home)
  return { how: 'run', place, terminal: found ?? terminals.create(key) }
}

/** The same request where its directory leads now. */
export function preparedNow(prepared: PreparedRequest): PreparedRequest {
  const { how, frame, terminal, place } = prepared
  const cwd = how === 'send' ? terminal.directory : realDirectory(place.cwd)
  if (cwd === null) throw new TermError('PM_TERM_INVALID_PAYLOAD', `${place.cwd} is gone. Nothing ran.`)
  return { ...prepared, place: how === 'run' ? placeIn(terminal, frame) : { ...place, cwd } }
}

/** A container is elsewhere: its directory means something here only if it is mounted at its own path. */
function needPlaceHere({ working_directory, workspace_path }: CommandRequest): void {
  const directory = working_directory ?? workspace_path
  if (directory === undefined || (directory !== '/' && realDirectory(directory) !== null)) return
  if (directory === '/' && working_directory !== undefined) return
  const problem = `is ${directory} in the container, which is no project on this machine, where it would run. Start the container with -v "$PWD":"$PWD" -w "$PWD" in the project, or send a directory that is here`
  throw invalidPayload([{ field: 'runtime.cwd', problem }])
}

/** A new shell in a terminal that is there. */
export const reopened = (terminal: ShellTerminal): RunTarget => ({
  how: 'open',
  place: { cwd: realDirectory(terminal.cwd) ?? terminal.home, venv: terminal.venv, workspaceDirectory: null },
  terminal,
})

/** A line in the person's shell: nothing but the line, and only when the shell waits for one. */
function placeOfLine(terminal: ShellTerminal, frame: CommandRequest): RunPlace {
  const { shell } = terminal
  const alone = 'is not allowed here: the line is typed into a shell that is already there'
  const problem = shell && unsendable(frame.command ?? '', shell)
  const issues = [
    ...(problem === null ? [] : [{ field: 'execution.command', problem }]),
    ...(frame.args === undefined ? [] : [{ field: 'execution.args', problem: alone }]),
    ...(Object.keys(frame.env ?? {}).length === 0 ? [] : [{ field: 'execution.env', problem: alone }]),
    ...(frame.working_directory === undefined ? [] : [{ field: 'runtime.cwd', problem: alone }]),
    ...(frame.venv_path === undefined && frame.activate_venv !== true
      ? []
      : [{ field: 'runtime.venv_path', problem: alone }]),
  ]
  if (issues.length > 0) throw invalidPayload(issues)
  const busy = shell === null ? 'the shell has ended' : terminal.busyWith === null ? shell.occupied : null
  if (busy !== null) throw shellBusy(busy)
  return { cwd: terminal.directory, venv: null, workspaceDirectory: null }
}
