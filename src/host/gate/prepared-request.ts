import type { Profile } from '../../contract/profiles.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import type { PermitRequest } from '../../contract/wire/input-frames.ts'
import type { CarriedEnv } from '../terminals/carry.ts'
import type { RunsTerminal, ShellTerminal } from '../terminals/terminal.ts'
import type { RunPlace } from './place.ts'

/** run: in a process of its own · open: the person's own shell · send: typed into that. */
export type RunTarget =
  | { readonly how: 'run'; readonly terminal: RunsTerminal; readonly place: RunPlace }
  | { readonly how: 'open' | 'send'; readonly terminal: ShellTerminal; readonly place: RunPlace }

/** A terminal that an editor owns: what it says about it. */
export interface EditorTab {
  readonly id: string
  readonly name: string
  readonly editor: string
  readonly profile: Profile
  readonly program: string
  readonly env: CarriedEnv
  readonly opens: boolean
  readonly directoryKnown: PermitRequest['directory_known']
}

/** Not ours to start: the editor opens the terminal and types the line, once it may. */
export interface PermitTarget {
  readonly how: 'permit'
  readonly terminal: EditorTab
  readonly place: RunPlace
}

interface Asked {
  readonly frame: CommandRequest
  readonly requester: string
  readonly marks: readonly string[]
}

/** A request with everything that was found out about it before it is judged. */
export type PreparedRequest = RunTarget & Asked
/** What the gate judges and a person is asked about: what the host would run, and what an editor would type. */
export type JudgedRequest = (RunTarget | PermitTarget) & Asked
