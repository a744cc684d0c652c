import { invalidPayload } from '../../contract/tool/issues.ts'
import { MOST_OUTPUT_BYTES } from '../../contract/tool/output-options.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import { changedLines } from '../answers/changed-lines.ts'
import type { CallContext } from '../answers/present.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import type { RunTools } from './run-tools.ts'

interface OutputLine {
  readonly command: string
  readonly args: readonly string[] | null
}

/** An earlier run of the same command, to compare with. */
export interface Earlier {
  readonly id: string
  readonly result: Result
}

/** Everything that is kept, as far as an answer can carry it. */
const WHOLE = { cursor: 0, max_bytes: MOST_OUTPUT_BYTES } as const

/** `rerun_of`: the command runs as always, and the answer has only what it printed differently than before. */
export class Reruns {
  readonly #runs: RunTools

  constructor(runs: RunTools) {
    this.#runs = runs
  }

  /** The run to compare with. Throws, before anything runs, where it is not one of the same command. */
  async earlier(context: CallContext, id: string, line: OutputLine, call: ToolCall, field: string): Promise<Earlier> {
    const before = await this.#runs.lineOf(context, id)
    if (JSON.stringify([before.command, before.args ?? []]) !== JSON.stringify([line.command, line.args ?? []])) {
      const ran = [before.command, ...(before.args ?? [])].join(' ')
      throw invalidPayload([{ field, problem: `is a run of another command: ${JSON.stringify(ran)}` }])
    }
    return { id, result: await this.#whole(context, id, call) }
  }

  /** The answer, with what changed in the place of the output where that is shorter. */
  async compared(context: CallContext, earlier: Earlier, response: AnyResponse, call: ToolCall): Promise<AnyResponse> {
    const { session_id } = response.identity
    const { id: of, result: before } = earlier
    const because = (why: string): AnyResponse => withWarning(response, `Not compared with ${of}: ${why}.`)
    if (response.error || session_id === null) return response
    if (response.status !== 'completed') return because('it has not ended yet')

    const after = await this.#whole(context, session_id, call)
    if (before.running) return because('that one still runs')
    if (isCut(before) || isCut(after)) return because('not all of the output is kept, or it is too long')
    if (before.stdout === undefined || after.stdout === undefined) return because('one of them has not run')

    const out = changedLines(before.stdout, after.stdout)
    const err = changedLines(before.stderr ?? '', after.stderr ?? '')
    const counts = { added: out.added + err.added, removed: out.removed + err.removed }
    const exit = before.exit_code !== after.exit_code && { exit_code_before: before.exit_code ?? null }
    const rerun = { of, ...counts, ...exit }
    if (out.text.length + err.text.length >= after.stdout.length + (after.stderr ?? '').length)
      return { ...response, result: { ...response.result, rerun } }
    const { order: _, omitted_bytes: __, omitted_from: ___, ...result } = response.result
    const stderr = result.stderr === undefined ? {} : { stderr: err.text }
    return { ...response, result: { ...result, stdout: out.text, ...stderr, rerun: { ...rerun, only_changes: true } } }
  }

  async #whole(context: CallContext, session_id: string, call: ToolCall): Promise<Result> {
    return (await this.#runs.readOutput(context, { session_id }, WHOLE, call)).result
  }
}

const isCut = ({ omitted_bytes, lost_bytes }: Result): boolean => Boolean(omitted_bytes) || Boolean(lost_bytes)

function withWarning(response: AnyResponse, words: string): AnyResponse {
  const warning = [response.result.warning, words].filter(each => each !== undefined).join(' ')
  return { ...response, result: { ...response.result, warning } }
}
