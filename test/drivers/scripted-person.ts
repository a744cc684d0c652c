import type { FakeApprover } from './live-host.ts'
import { eventually } from './mcp-client.ts'

/** A person who agrees to whatever is asked, what is typed into a program for the rest of its run, and types secrets. */
export class ScriptedPerson {
  readonly #approver: FakeApprover
  readonly #answered = new Set<string>()
  #gone = false

  constructor(approver: FakeApprover) {
    this.#approver = approver
    void this.#agree()
  }

  /** How often they were asked. */
  get asked(): number {
    return this.#answered.size
  }

  leaves(): void {
    this.#gone = true
  }

  async #agree(): Promise<void> {
    while (!this.#gone) {
      // Nothing asked for a while is no fault.
      const question = await this.#approver.question(({ ask_id }) => !this.#answered.has(ask_id)).catch(() => null)
      if (question === null) continue
      this.#answered.add(question.ask_id)
      const forTheRun = question.kind === 'input' && question.executes === null
      this.#approver.approve(question, forTheRun ? { scope: { kind: 'run' } } : {})
    }
  }

  /** Waits until a program asks for one, and types it into its terminal. */
  async typesSecret(secret: string): Promise<void> {
    const asking = () => {
      const last = this.#approver.heard.all.findLast(frame => frame.type === 'terminals')
      return last?.type === 'terminals' ? last.items.find(({ wait_state }) => wait_state === 'secret') : undefined
    }
    await eventually('a program asks for a secret', () => asking() !== undefined)
    const { terminal_id } = asking() as NonNullable<ReturnType<typeof asking>>
    const about = { request_id: `watch-${this.asked}`, terminal_id, run_id: null, have: null }
    this.#approver.send({ type: 'terminal_watch', ...about, every_byte: true, cols: 80, rows: 24 })
    const data = Buffer.from(`${secret}\r`).toString('base64')
    this.#approver.send({ type: 'terminal_input', terminal_id, data })
  }
}
