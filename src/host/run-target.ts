import type { CommandRequest } from '../contract/host-frames.ts'
import { invalidPayload } from '../contract/issues.ts'
import type { Wanted } from './interactive-gate.ts'
import { placeIn, type RunPlace, realDirectory } from './run-place.ts'
import { directoryOf } from './shell-run.ts'
import { shellBusy, unsendable } from './shell-send.ts'
import type { Terminal, Terminals } from './terminals.ts'

type Target = Pick<Wanted, 'how' | 'place' | 'terminal'>

/** Which terminal, and where in it. Throws what is wrong with that, before anything is written down. */
export function whereTo(
  frame: CommandRequest,
  requester: string,
  deps: { readonly terminals: Terminals; readonly home: string },
): Target {
  const { terminals } = deps
  const target = terminals.targetOf(requester, frame)
  const home = realDirectory(frame.workspace_path ?? deps.home) ?? deps.home
  const workspaceId = frame.workspace_id ?? null
  if (frame.intent === 'open_only') {
    if (target) throw invalidPayload([{ field: 'target', problem: 'is not allowed when a terminal is opened' }])
    const place = placeIn({ cwd: home, home }, frame)
    const key = { requester, workspaceId, home: place.cwd, profile: frame.terminal_profile ?? 'system' }
    return { how: 'open', place, terminal: terminals.create(key, 'shell') }
  }
  if (target?.kind === 'shell') return { how: 'send', place: placeOfLine(target, frame), terminal: target }
  const key = { requester, workspaceId, home, profile: frame.terminal_profile ?? 'bash' }
  const found = target ?? terminals.free(key)
  if (found) terminals.needRoomIn(found)
  const place = placeIn(found ?? { cwd: home, home }, frame)
  return { how: 'run', place, terminal: found ?? terminals.create(key) }
}

/** A new shell in a terminal that is there. */
export const reopened = (terminal: Terminal): Target => ({
  how: 'open',
  place: { cwd: realDirectory(terminal.cwd) ?? terminal.home, venv: null, workspaceDirectory: null },
  terminal,
})

/** A line in the person's shell: nothing but the line, and only when the shell waits for one. */
function placeOfLine(terminal: Terminal, frame: CommandRequest): RunPlace {
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
  return { cwd: directoryOf(terminal), venv: null, workspaceDirectory: null }
}
