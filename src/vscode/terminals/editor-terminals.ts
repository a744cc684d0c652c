import type { Event, Terminal, TerminalShellExecution } from 'vscode'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { EditorTerminalItem } from '../../contract/tool/editor-response.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Editor } from '../editor.ts'

/** A terminal of the editor that an agent has opened: the person sees it, types in it, and may close it at any time. */
export interface TrackedTerminal {
  readonly id: string
  readonly name: string
  readonly terminal: Terminal
  /** Where it began. */
  readonly cwd: string
  /** What runs in it now, as its shell says; null: it shows its prompt, or says nothing. */
  running: TerminalShellExecution | null
  /** Something was typed for an agent and nobody can say whether it is over. */
  lastCommand: string | null
  lastExitCode: number | undefined
  closedBy: EditorTerminalItem['closed_by'] | null
}

export interface NewTab {
  readonly name: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** TabNumbers of terminals are given once in the life of a workspace: an id that a model remembers never means another one. */
export interface TabNumbers {
  last(): number
  keep(last: number): void
}

/** In the environment of our terminals: after the extension host was restarted, it tells them from others. */
export const MARK = 'INTERACTIVE_TERMINAL_TAB'
const MOST_REMEMBERED = 50

export class EditorTerminals implements Disposable {
  readonly #editor: Editor
  readonly #numbers: TabNumbers
  readonly #all = new Map<string, TrackedTerminal>()
  readonly #life = new Disposables()

  constructor(editor: Editor, numbers: TabNumbers) {
    this.#editor = editor
    this.#numbers = numbers
    const { window } = editor
    const hear = <T>(event: Event<T>, then: (news: T) => void) => this.#life.add(event(then))
    hear(window.onDidCloseTerminal, terminal => this.#closed(terminal))
    hear(window.onDidStartTerminalShellExecution, ({ terminal, execution }) => {
      const known = this.#of(terminal)
      if (known) known.running = execution
    })
    hear(window.onDidEndTerminalShellExecution, ({ terminal, execution, exitCode }) => {
      const known = this.#of(terminal)
      if (!known) return
      if (known.running === execution) known.running = null
      known.lastExitCode = exitCode
    })
    for (const terminal of window.terminals) this.#adopt(terminal)
  }

  /** The id that the next one will have: it is on the card before there is a terminal. */
  reserve(name: string): string {
    const next = this.#numbers.last() + 1
    this.#numbers.keep(next)
    return `term_${next}_${slug(name)}`
  }

  open(id: string, { name, cwd, env }: NewTab): TrackedTerminal {
    const terminal = this.#editor.window.createTerminal({
      name,
      cwd,
      env: { ...env, [MARK]: id },
      // The window may be loaded anew: what an agent has opened does not come back by itself.
      isTransient: true,
      iconPath: new this.#editor.ThemeIcon('terminal'),
    })
    terminal.show(true)
    return this.#track({ id, name, terminal, cwd })
  }

  /** Throws, in words that say what became of it. */
  need(id: string): TrackedTerminal {
    const known = this.#all.get(id)
    if (known === undefined) throw notFound(id, `There is no terminal ${id} of this tool.${elsewhere(id)}`)
    if (known.closedBy !== null) throw notFound(id, closedWords(known))
    return known
  }

  async close(known: TrackedTerminal): Promise<void> {
    known.closedBy = 'agent'
    const gone = new Promise<void>(resolve => {
      const listening = this.#editor.window.onDidCloseTerminal(terminal => {
        if (terminal !== known.terminal) return
        listening.dispose()
        resolve()
      })
    })
    known.terminal.dispose()
    await gone
  }

  list(): EditorTerminalItem[] {
    return [...this.#all.values()].map(known => {
      const cwd = known.terminal.shellIntegration?.cwd?.fsPath
      return {
        terminal_id: known.id,
        name: known.name,
        state: known.closedBy !== null ? 'closed' : known.running === null ? 'open' : 'busy',
        ...(cwd !== undefined && known.closedBy === null && { cwd }),
        shell_integration: known.terminal.shellIntegration !== undefined,
        ...(known.lastCommand !== null && { last_command: known.lastCommand }),
        ...(known.lastExitCode !== undefined && { last_exit_code: known.lastExitCode }),
        ...(known.closedBy !== null && { closed_by: known.closedBy }),
      }
    })
  }

  /** All that agents have opened ends with the extension. */
  dispose(): void {
    this.#life.dispose()
    for (const { terminal, closedBy } of this.#all.values()) if (closedBy === null) terminal.dispose()
    this.#all.clear()
  }

  #of(terminal: Terminal): TrackedTerminal | undefined {
    return [...this.#all.values()].find(known => known.terminal === terminal)
  }

  #track(of: Pick<TrackedTerminal, 'id' | 'name' | 'terminal' | 'cwd'>): TrackedTerminal {
    const known: TrackedTerminal = { ...of, running: null, lastCommand: null, lastExitCode: undefined, closedBy: null }
    this.#all.set(of.id, known)
    const closed = [...this.#all.values()].filter(({ closedBy }) => closedBy !== null)
    for (const { id } of closed.slice(0, Math.max(0, this.#all.size - MOST_REMEMBERED))) this.#all.delete(id)
    return known
  }

  /** Opened before the extension host was started anew: it is still the same terminal. */
  #adopt(terminal: Terminal): void {
    const { creationOptions } = terminal
    if (!('env' in creationOptions)) return
    const id = creationOptions.env?.[MARK]
    const { cwd = '' } = creationOptions
    if (typeof id !== 'string' || this.#all.has(id) || terminal.exitStatus !== undefined) return
    this.#track({ id, name: terminal.name, terminal, cwd: typeof cwd === 'string' ? cwd : cwd.fsPath })
  }

  #closed(terminal: Terminal): void {
    const known = this.#of(terminal)
    if (!known) return
    known.running = null
    known.lastExitCode = terminal.exitStatus?.code ?? known.lastExitCode
    known.closedBy ??= terminal.exitStatus?.reason === SHELL_ENDED ? 'shell' : 'person'
  }
}

/** TerminalExitReason.Process: its shell has ended by itself. */
const SHELL_ENDED = 2

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24) || 'terminal'

const elsewhere = (id: string): string =>
  /^term_[0-9a-f]{32}$/.test(id) ? ' It may be one of memory_terminal_interactive.' : ''

const notFound = (id: string, why: string): TermError =>
  new TermError('PM_TERM_NOT_FOUND', `${why} Nothing was typed. Create one.`, { details: { terminal_id: id } })

function closedWords({ id, closedBy }: TrackedTerminal): string {
  if (closedBy === 'agent') return `The terminal ${id} was closed by this tool.`
  return closedBy === 'shell' ? `The shell in ${id} has ended.` : `A person closed the terminal ${id}.`
}
