import type { Ids } from '../../base/ids.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { isInside } from '../../policy/judge/decide.ts'
import type { RunRequest } from '../../runs/run/run-request.ts'
import {
  type NewTerminal,
  type RunsTerminal,
  runsTerminal,
  type ShellTerminal,
  shellTerminal,
  type Terminal,
  type TerminalKey,
} from './terminal.ts'

const MOST_TERMINALS = 256

/** Explicit target, else the default of (requester, workspace), else another one (docs/spec.md §3.4, D23). */
export class Terminals {
  readonly #ids: Ids
  readonly #all = new Map<string, Terminal>()
  #made = 0

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Those of one requester; unknown and others' ids are the same to everybody else. */
  of(requester: string): Terminal[] {
    return [...this.#all.values()].filter(terminal => terminal.requester === requester)
  }

  /** Everybody's: the person sees all. */
  get all(): Terminal[] {
    return [...this.#all.values()]
  }

  find(requester: string, id: string): Terminal {
    const terminal = this.#all.get(id)
    if (terminal?.requester === requester) return terminal
    throw new TermError('PM_TERM_NOT_FOUND', `There is no terminal ${id}.`, { details: { terminal_id: id } })
  }

  ofRun(requester: string, runId: string): Terminal | null {
    return this.of(requester).find(terminal => terminal.runs.includes(runId)) ?? null
  }

  /** The terminal a request names, itself or by a run that was in it; null when it names none. */
  targetOf(
    requester: string,
    target: { readonly terminal_id?: string | undefined; readonly session_id?: string | undefined },
  ): Terminal | null {
    if (target.terminal_id !== undefined) return this.find(requester, target.terminal_id)
    if (target.session_id === undefined) return null
    const terminal = this.ofRun(requester, target.session_id)
    if (terminal) return terminal
    throw new TermError('PM_TERM_NOT_FOUND', `There is no run ${target.session_id} in any terminal.`)
  }

  /** The default of this place of work if it is free, else another free one of it. */
  free(key: TerminalKey): RunsTerminal | null {
    const free = this.#at(key).filter(({ isFree }) => isFree)
    return free.find(({ isDefault }) => isDefault) ?? free[0] ?? null
  }

  create(key: TerminalKey): RunsTerminal {
    return this.#add(runsTerminal(this.#new(key)))
  }

  createShell(key: TerminalKey): ShellTerminal {
    return this.#add(shellTerminal(this.#new(key)))
  }

  /** A directory has become a workspace: its terminals go on as those of it. */
  adopt({ id, directory }: { readonly id: string; readonly directory: string }): void {
    for (const terminal of this.#all.values())
      if (terminal.workspaceId === null && isInside(directory, terminal.home)) terminal.adopt(id)
  }

  /** The terminal that a run of an earlier host was in. */
  restore({ requester, workspaceId, cwd, interactive }: RunRequest): Terminal {
    const { terminalId: id = '', terminal } = interactive ?? {}
    const known = this.#all.get(id)
    if (known) return known
    const { profile = 'bash', home = cwd, kind = 'runs' } = (terminal ?? {}) as Partial<Terminal>
    const made = { ...this.#named({ requester, workspaceId, profile, home }), id, cwd }
    return this.#add(kind === 'runs' ? runsTerminal(made) : shellTerminal(made))
  }

  /** It is gone at once; what waits in it never begins. Who runs in it is the caller's to end. */
  close(terminal: Terminal): void {
    this.#all.delete(terminal.id)
    terminal.close()
  }

  #new(key: TerminalKey): NewTerminal {
    this.#makeRoom()
    return { ...this.#named(key), id: this.#ids.make('term'), cwd: key.home }
  }

  #named(key: TerminalKey): Omit<NewTerminal, 'id' | 'cwd'> {
    this.#made += 1
    const isDefault = !this.#at(key).some(each => each.isDefault)
    return { ...key, name: `${key.profile} ${this.#made}`, isDefault }
  }

  #add<T extends Terminal>(terminal: T): T {
    this.#all.set(terminal.id, terminal)
    return terminal
  }

  #at({ requester, workspaceId, home, profile }: TerminalKey): RunsTerminal[] {
    return this.of(requester).filter(
      (terminal): terminal is RunsTerminal =>
        terminal.kind === 'runs' &&
        terminal.workspaceId === workspaceId &&
        terminal.home === home &&
        terminal.profile === profile,
    )
  }

  /** The oldest tab in which nothing happens goes first. */
  #makeRoom(): void {
    if (this.#all.size < MOST_TERMINALS) return
    const idle = this.all.find(({ isFree }) => isFree)
    if (!idle)
      throw new TermError('PM_TERM_INTERNAL', `${MOST_TERMINALS} terminals are busy. Nothing ran.`, {
        details: { reason: 'too_many_terminals' },
      })
    this.close(idle)
  }
}
