import type { Clock } from '../../base/clock.ts'
import type { Settings } from '../../config/env.ts'
import type { CallContext } from '../answers/present.ts'
import type { HostPatience } from '../asking/host-patience.ts'
import { OpenQuestions } from '../asking/open-questions.ts'
import { WindowPointers } from '../asking/window-pointers.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import type { FinalReply, HostAdapter, Listening } from './host-adapter.ts'
import type { HostRequest } from './host-connection.ts'

type AskingRequest = Extract<HostRequest, { type: 'command_request' | 'input_request' | 'allowlist_update' }>

const WHAT_WAITS: Readonly<Record<AskingRequest['type'], string>> = {
  command_request: 'A command',
  input_request: 'Input for a program',
  allowlist_update: 'A change of the rules',
}

/** Asks the host for what a person may have to approve. It is known which questions are open, and the person is pointed to the window. */
export class PersonAsker {
  readonly open: OpenQuestions
  readonly #adapter: HostAdapter
  readonly #pointers: WindowPointers

  constructor(deps: { readonly adapter: HostAdapter; readonly clock: Clock; readonly settings: Settings }) {
    this.open = new OpenQuestions(deps.clock)
    this.#adapter = deps.adapter
    this.#pointers = new WindowPointers(deps.settings)
  }

  ask(
    { asker }: CallContext,
    request: AskingRequest,
    { call, patience, ...listening }: { readonly call: ToolCall; readonly patience: HostPatience } & Listening,
  ): Promise<FinalReply | 'given_up'> {
    const adapter = this.#adapter
    const session = asker?.session ?? null
    const { request_id: requestId, type } = request
    const question = { session, requestId, what: WHAT_WAITS[type], windowUrl: () => adapter.windowUrl }
    return this.#pointers.during(call, question, received => {
      const onProgress: Listening['onProgress'] = progress => {
        received(progress)
        listening.onProgress?.(progress)
        patience.received(progress)
      }
      return this.open.during(session, requestId, () =>
        adapter.converse(request, { ...listening, onProgress }, patience.over),
      )
    })
  }
}
