import { createHash } from 'node:crypto'
import { basename, isAbsolute } from 'node:path'
import { Watchers } from '../../base/watchers.ts'
import { PROFILES, type Profile } from '../../contract/profiles.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import type { PermitRequest } from '../../contract/wire/input-frames.ts'
import { programOn } from '../../runs/plan/program-on.ts'
import type { AskedRun } from '../../runs/run/approver.ts'
import type { HostWorld } from '../gate/gate.ts'
import type { EditorTab } from '../gate/prepared-request.ts'
import { shellFor } from '../terminals/shell-profile.ts'

export type PermitWorld = Pick<HostWorld, 'env' | 'shell' | 'platform'>

/** A line that the editor wants to type, as a question sees a run: it waits, and then it was used or never will be. */
export class AskedTab implements AskedRun {
  readonly request: AskedRun['request']
  note: string | null = null
  #state: AskedRun['state'] = { at: 'awaiting_approval', since: 0 }
  readonly #watchers = new Watchers()

  constructor(frame: PermitRequest, by: { readonly requester: string; readonly client: string }, cwd: string) {
    this.request = {
      id: frame.request_id,
      idIs: 'given',
      traceId: frame.trace_id,
      clientRequestId: null,
      requester: by.requester,
      client: by.client,
      command: frame.command ?? '',
      args: null,
      env: frame.env ?? {},
      cwd,
      workspaceId: null,
      killAfterMs: null,
      payloadHash: '',
    }
  }

  get state(): AskedRun['state'] {
    return this.#state
  }

  watch(listener: () => void) {
    return this.#watchers.add(listener)
  }

  /** Whoever approved it hears which. */
  over(how: 'used' | 'never_used'): void {
    this.#state =
      how === 'used'
        ? { at: 'running', pid: 0, pidStart: null, startedAt: 0 }
        : { at: 'failed', problem: 'the editor did not type it', fault: 'ours', endedAt: 0 }
    this.#watchers.notify()
  }
}

/** The same words as a request for a run: what the gate reads of it. */
export const asCommand = (frame: PermitRequest): CommandRequest => ({
  type: 'command_request',
  request_id: frame.request_id,
  trace_id: frame.trace_id,
  intent: frame.intent,
  ...(frame.command !== undefined && { command: frame.command }),
  ...(frame.env !== undefined && { env: frame.env }),
  ...(frame.context !== undefined && { context: frame.context }),
  ...(frame.approval_timeout_ms !== undefined && { approval_timeout_ms: frame.approval_timeout_ms }),
  caller_surface: 'extension',
  working_directory: frame.working_directory,
})

/** What the editor says of its terminal. A shell that it does not name is the person's own. */
export function tabOf(frame: PermitRequest, editor: string, cwd: string, world: PermitWorld): EditorTab {
  const named = frame.shell !== undefined && isAbsolute(frame.shell) ? frame.shell : null
  const own = named ?? world.shell
  const name = basename(own).replace(/\.exe$/, '')
  const profile: Profile = PROFILES.find(each => each === name && each !== 'system') ?? 'system'
  const { program } = shellFor(profile, world)
  const found = named ?? programOn(world.env.PATH ?? '', program, cwd, world.platform) ?? world.shell
  const { terminal_id: id, terminal_name, opens, directory_known: directoryKnown } = frame
  return { id, name: terminal_name, editor, profile, program: found, env: {}, opens, directoryKnown }
}

/** Those that take what follows a "!" from their history, as a rule. */
export const expandsHistory = ({ program }: EditorTab): boolean =>
  /^(?:ba|z|k|mk|c|tc)?sh(?:\.exe)?$/.test(basename(program))

/** What the journal keeps of a request. Values of variables are nobody's business later. */
export function permitBody(
  frame: PermitRequest,
  by: { readonly client: string },
  cwd: string,
): Record<string, unknown> {
  const env = Object.entries(frame.env ?? {}).sort()
  return {
    trace_id: frame.trace_id,
    client: by.client,
    caller_surface: 'extension',
    intent: frame.intent,
    terminal_id: frame.terminal_id,
    terminal_name: frame.terminal_name,
    opens: frame.opens,
    command: frame.command ?? '',
    cwd,
    context: frame.context ?? null,
    env_names: env.map(([each]) => each),
    env_hash: env.length === 0 ? null : createHash('sha256').update(JSON.stringify(env)).digest('hex'),
  }
}
