import type { Ids } from '../../base/ids.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { noTerminal } from '../../contract/tool/no-terminal.ts'
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
import { folderOf } from './terminal-name.ts'

/** A terminal whose tab was closed because nothing happened in it. */
export interface AwayTerminal {
  readonly terminal: RunsTerminal
  readonly at: number
}

const MOST_TERMINALS = 256
const MOST_AWAY = 100

/** Explicit target, else the default of (requester, workspace), else another one (docs/spec.md §3.4, D23). */
export class Terminals {
  readonly #ids: Ids
  readonly #all = new Map<string, Terminal>()
  readonly #away = new Map<string, AwayTerminal>()

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
    const terminal = this.known(id)
    if (terminal?.requester === requester) return terminal
    throw noTerminal(id)
  }

  /** Also one that is put away. */
  known(id: string): Terminal | null {
    return this.#all.get(id) ?? this.#away.get(id)?.terminal ?? null
  }

  ofRun(requester: string, runId: string): Terminal | null {
    return this.#known(requester).find(terminal => terminal.runs.includes(runId)) ?? null
  }

  /** The terminal a request names, itself or by a run that was in it; null when it names none. */
  targetOf(
    requester: string,
    target: { readonly terminal_id?: string | undefined; readonly session_id?: string | undefined },
  ): Terminal | null {
    if (target.terminal_id !== undefined) return this.#inSight(this.find(requester, target.terminal_id))
    if (target.session_id === undefined) return null
    const terminal = this.ofRun(requester, target.session_id)
    if (terminal) return this.#inSight(terminal)
    throw new TermError('PM_TERM_NOT_FOUND', `There is no run ${target.session_id} in any terminal.`)
  }

  /** The default of this place of work if it is free, else another free one of it, also one that was put away. */
  free(key: TerminalKey): RunsTerminal | null {
    const free = this.#at(key).filter(({ isFree }) => isFree)
    const found = free.find(({ isDefault }) => isDefault) ?? free.find(({ id }) => this.#all.has(id)) ?? free[0]
    return found ? this.#inSight(found) : null
  }

  create(key: TerminalKey): RunsTerminal {
    return this.#add(runsTerminal(this.#new(key)))
  }

  createShell(key: TerminalKey): ShellTerminal {
    return this.#add(shellTerminal(this.#new(key)))
  }

  /** A directory has become a workspace: its terminals go on as those of it. */
  adopt({ id, directory }: { readonly id: string; readonly directory: string }): void {
    for (const terminal of [...this.#all.values(), ...this.#awayTerminals])
      if (terminal.workspaceId === null && isInside(directory, terminal.home)) terminal.adopt(id)
  }

  /** The terminal that a run of an earlier host was in. */
  restore({ requester, workspaceId, cwd, interactive }: RunRequest): Terminal {
    const { terminalId: id = '', terminal } = interactive ?? {}
    const known = this.#all.get(id)
    if (known) return known
    const { profile = 'bash', home = cwd, kind = 'runs' } = (terminal ?? {}) as Partial<Terminal>
    const key = { requester, workspaceId, profile, home }
    const made = { ...key, isDefault: this.#isFirst(key), id, cwd }
    return this.#add(kind === 'runs' ? runsTerminal(made) : shellTerminal(made))
  }

  /** It is gone at once; what waits in it never begins. Who runs in it is the caller's to end. */
  close(terminal: Terminal): void {
    this.#all.delete(terminal.id)
    this.#away.delete(terminal.id)
    terminal.close()
  }

  /** Its tab goes, and nothing else: whoever names it, or needs one like it, has it back as it was. `at`: the time of day. */
  putAway(terminal: RunsTerminal, at: number): void {
    if (!terminal.isFree || !this.#all.delete(terminal.id)) return
    this.#away.set(terminal.id, { terminal, at })
    const [oldest] = this.#away.keys()
    if (this.#away.size > MOST_AWAY && oldest !== undefined) this.#away.delete(oldest)
  }

  /** Those that were put away, the latest first. */
  get away(): readonly AwayTerminal[] {
    return [...this.#away.values()].reverse()
  }

  bringBack(id: string): Terminal | null {
    const terminal = this.known(id)
    return terminal && this.#inSight(terminal)
  }

  #inSight<T extends Terminal>(terminal: T): T {
    if (this.#away.delete(terminal.id)) {
      this.#makeRoom()
      this.#all.set(terminal.id, terminal)
    }
    return terminal
  }

  /** From now on it is called after whoever runs there, unless a person has named it; no two of a folder have one number. */
  use(terminal: Terminal, asker: string, folder: string): void {
    const { folder: before, number } = terminal.usedBy
    const stays = number > 0 && folderOf(before) === folderOf(folder)
    const others = [...this.#all.values(), ...this.#awayTerminals].filter(each => each !== terminal)
    const taken = new Set(
      others.flatMap(({ usedBy }) => (folderOf(usedBy.folder) === folderOf(folder) ? [usedBy.number] : [])),
    )
    terminal.nowUsedBy({ asker, folder, number: stays ? number : firstFree(taken) })
  }

  #new(key: TerminalKey): NewTerminal {
    this.#makeRoom()
    return { ...key, isDefault: this.#isFirst(key), id: this.#ids.make('term'), cwd: key.home }
  }

  #isFirst(key: TerminalKey): boolean {
    return !this.#at(key).some(each => each.isDefault)
  }

  #add<T extends Terminal>(terminal: T): T {
    this.#all.set(terminal.id, terminal)
    return terminal
  }

  #at({ requester, workspaceId, home, profile }: TerminalKey): RunsTerminal[] {
    return this.#known(requester).filter(
      (terminal): terminal is RunsTerminal =>
        terminal.kind === 'runs' &&
        terminal.workspaceId === workspaceId &&
        terminal.home === home &&
        terminal.profile === profile,
    )
  }

  get #awayTerminals(): Terminal[] {
    return [...this.#away.values()].map(({ terminal }) => terminal)
  }

  /** Those of one requester, also what was put away. */
  #known(requester: string): Terminal[] {
    return [...this.of(requester), ...this.#awayTerminals.filter(terminal => terminal.requester === requester)]
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

function firstFree(taken: ReadonlySet<number>): number {
  let number = 1
  while (taken.has(number)) number += 1
  return number
}
