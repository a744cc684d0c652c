import type { Event, Terminal, TerminalOptions, TerminalShellExecution } from 'vscode'
import type { Editor } from '../../src/vscode/editor.ts'

/** Somebody who can be told, as the editor tells. */
class Told<News> {
  readonly #listeners = new Set<(news: News) => unknown>()
  readonly event: Event<News> = listener => {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }
  tell(news: News): void {
    for (const listener of [...this.#listeners]) listener(news)
  }
}

/** What a shell with the editor's script makes of a line: when it ends, with what. */
export interface Ran {
  readonly output: string
  readonly exitCode: number | undefined
  /** Until then it runs. */
  readonly until?: Promise<void>
}

export interface FakeTerminal extends Terminal {
  readonly typed: string[]
  shown: boolean
}

/** The part of an editor that terminals need, played by hand: no module is replaced, it is passed in. */
export class FakeEditor {
  readonly terminals: FakeTerminal[] = []
  readonly #closed = new Told<Terminal>()
  readonly #started = new Told<{ terminal: Terminal; execution: TerminalShellExecution }>()
  readonly #ended = new Told<{ terminal: Terminal; execution: TerminalShellExecution; exitCode: number | undefined }>()
  readonly #integrated = new Told<{ terminal: Terminal; shellIntegration: unknown }>()
  /** Whether shells of new terminals tell where commands begin and end. */
  integrates = true
  /** Where such a shell says it is. */
  cwd: string | null = null
  /** What comes of a line. */
  runs: (line: string) => Ran = () => ({ output: '', exitCode: 0 })
  folder = '/'

  get editor(): Editor {
    const fake = this
    return {
      version: '1.104.0',
      env: { appName: 'Fake Editor', shell: '/bin/bash', remoteName: undefined },
      ThemeIcon: class {},
      workspace: {
        get workspaceFolders() {
          return [{ uri: { fsPath: fake.folder } }]
        },
      },
      window: {
        get terminals() {
          return fake.terminals
        },
        createTerminal: (options: TerminalOptions) => fake.#create(options),
        onDidCloseTerminal: this.#closed.event,
        onDidStartTerminalShellExecution: this.#started.event,
        onDidEndTerminalShellExecution: this.#ended.event,
        onDidChangeTerminalShellIntegration: this.#integrated.event,
      },
    } as unknown as Editor
  }

  /** The person closes it, or its shell ends. */
  closes(terminal: Terminal, how: 'person' | 'shell' = 'person'): void {
    Object.assign(terminal, { exitStatus: { code: undefined, reason: how === 'shell' ? 2 : 3 } })
    this.terminals.splice(this.terminals.indexOf(terminal as FakeTerminal), 1)
    this.#closed.tell(terminal)
  }

  /** The person types something there. */
  types(terminal: Terminal, line: string): TerminalShellExecution {
    return this.#execute(terminal, line)
  }

  #create(options: TerminalOptions): FakeTerminal {
    const typed: string[] = []
    const { cwd } = this
    const terminal = {
      name: options.name ?? '',
      creationOptions: options,
      exitStatus: undefined,
      typed,
      shown: false,
      show: () => Object.assign(terminal, { shown: true }),
      sendText: (line: string) => void typed.push(line),
      dispose: () => queueMicrotask(() => this.closes(terminal)),
      shellIntegration: this.integrates
        ? {
            cwd: cwd === null ? undefined : { fsPath: cwd },
            executeCommand: (line: string) => {
              typed.push(line)
              return this.#execute(terminal, line)
            },
          }
        : undefined,
    } as unknown as FakeTerminal
    this.terminals.push(terminal)
    return terminal
  }

  #execute(terminal: Terminal, line: string): TerminalShellExecution {
    const ran = this.runs(line)
    const execution = {
      commandLine: { value: line, isTrusted: true, confidence: 2 },
      async *read() {
        yield ran.output
        await ran.until
      },
    } as unknown as TerminalShellExecution
    queueMicrotask(() => {
      this.#started.tell({ terminal, execution })
      void Promise.resolve(ran.until).then(() => {
        if (this.terminals.includes(terminal as FakeTerminal))
          this.#ended.tell({ terminal, execution, exitCode: ran.exitCode })
      })
    })
    return execution
  }
}
