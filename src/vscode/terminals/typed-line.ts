import type { TerminalShellExecution, TerminalShellIntegration } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { Disposables, onAbort } from '../../base/disposable.ts'
import { plainText } from '../../base/output/last-line.ts'
import type { Editor } from '../editor.ts'
import type { TrackedTerminal } from './editor-terminals.ts'

/** What became of a line that was typed, as far as the editor hears it. */
export interface LineEnd {
  /** null: nobody can say. */
  readonly running: boolean | null
  readonly exitCode: number | undefined
  /** null: not known. */
  readonly output: string | null
  readonly omittedBytes: number
  /** What its shell says that it ran, where that is another line. */
  readonly otherLine: string | null
  readonly closed: boolean
}

const MOST_OUTPUT = 64 * 1024
/** A shell that has our editor's script says so within moments of its start. */
const INTEGRATION_MS = 5000

/** Resolves with how the editor hears what runs in it; null: its shell does not say. */
export function shellIntegration(
  editor: Editor,
  { terminal }: TrackedTerminal,
  clock: Clock,
  withinMs = INTEGRATION_MS,
): Promise<TerminalShellIntegration | null> {
  if (terminal.shellIntegration) return Promise.resolve(terminal.shellIntegration)
  return new Promise(resolve => {
    const life = new Disposables()
    const end = (found: TerminalShellIntegration | null) => {
      life.dispose()
      resolve(found)
    }
    life.add(
      editor.window.onDidChangeTerminalShellIntegration(news => {
        if (news.terminal === terminal) end(news.shellIntegration)
      }),
    )
    life.add(editor.window.onDidCloseTerminal(closed => closed === terminal && end(null)))
    life.add(clock.after(withinMs, () => end(null)))
  })
}

/** Types it, and waits for its end: for so long, and while the terminal lives. */
export async function typeLine(
  editor: Editor,
  known: TrackedTerminal,
  line: string,
  how: { readonly clock: Clock; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<LineEnd> {
  const { terminal } = known
  known.lastCommand = line
  known.lastExitCode = undefined
  const { shellIntegration: integration } = terminal
  if (integration === undefined) {
    terminal.sendText(line, true)
    return { running: null, exitCode: undefined, output: null, omittedBytes: 0, otherLine: null, closed: false }
  }

  const tail = new OutputTail()
  let end: { readonly exitCode: number | undefined } | null = null
  let closed = false
  await new Promise<void>(resolve => {
    const life = new Disposables()
    const done = () => {
      life.dispose()
      resolve()
    }
    // Before it is typed: a short line may be over at once.
    let execution: TerminalShellExecution | null = null
    life.add(
      editor.window.onDidEndTerminalShellExecution(ended => {
        if (ended.execution !== execution) return
        end = { exitCode: ended.exitCode }
        // The last of its output comes right behind.
        void Promise.race([tail.over, new Promise(late => void how.clock.after(500, () => late(null)))]).then(done)
      }),
    )
    life.add(
      editor.window.onDidCloseTerminal(gone => {
        if (gone !== terminal) return
        closed = true
        done()
      }),
    )
    life.add(how.clock.after(how.waitMs, done))
    life.add(onAbort(how.signal, done))

    execution = integration.executeCommand(line)
    known.running = execution
    tail.follow(execution)
  })

  const said = known.running?.commandLine ?? tail.commandLine
  const otherLine = said && said.confidence === HIGH && said.value.trim() !== line.trim() ? said.value : null
  const ended = end as { readonly exitCode: number | undefined } | null
  return {
    running: ended === null && !closed,
    exitCode: ended?.exitCode,
    output: tail.text,
    omittedBytes: tail.omitted,
    otherLine,
    closed,
  }
}

/** TerminalShellExecutionCommandLineConfidence.High: the shell has reported it. */
const HIGH = 2

/** The last of what an execution prints. */
class OutputTail {
  #text = ''
  omitted = 0
  commandLine: TerminalShellExecution['commandLine'] | null = null
  over: Promise<void> = Promise.resolve()

  follow(execution: TerminalShellExecution): void {
    this.commandLine = execution.commandLine
    this.over = (async () => {
      for await (const chunk of execution.read()) {
        this.commandLine = execution.commandLine
        this.#text += chunk
        const over = this.#text.length - MOST_OUTPUT
        if (over <= 0) continue
        this.omitted += over
        this.#text = this.#text.slice(over)
      }
    })().catch(() => {}) // the terminal is gone: what came is what there is
  }

  get text(): string {
    return plainText(this.#text).trimEnd()
  }
}
