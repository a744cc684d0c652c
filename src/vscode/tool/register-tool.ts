import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { EditorResponse } from '../../contract/tool/editor-response.ts'
import type { Editor } from '../editor.ts'
import { HostTalk } from '../host/host-talk.ts'
import { hostAt, type Product } from '../product/product.ts'
import { EditorTerminals, type TabNumbers } from '../terminals/editor-terminals.ts'
import { EditorTool } from './editor-tool.ts'

/** All that the tool needs, made at its first call. */
export interface OpenTool {
  /** The answer as one text for the model. */
  call(payload: unknown, signal: AbortSignal): Promise<string>
  dispose(): void
}

export function openTool(deps: {
  readonly editor: Editor
  readonly product: Product
  readonly numbers: TabNumbers
  readonly where: string
  readonly aboutToAsk: () => void
}): OpenTool {
  const { editor, product, numbers, where, aboutToAsk } = deps
  const clock = systemClock
  const host = new HostTalk({
    clock,
    ids: randomIds(),
    editor: { name: where, version: editor.version },
    places: () => product.places(),
    hostAt,
  })
  const terminals = new EditorTerminals(editor, numbers)
  const tool = new EditorTool({ editor, clock, host, terminals, aboutToAsk })
  return {
    call: async (payload, signal) => JSON.stringify(EditorResponse.parse(await tool.call(payload, signal))),
    dispose() {
      terminals.dispose()
      host.dispose()
    },
  }
}
