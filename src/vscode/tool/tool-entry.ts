import type { LanguageModelTool } from 'vscode'
import { SECTION } from '../editor.ts'
import type { OpenTool, openTool } from './register-tool.ts'

/** As the manifest names it. */
export const TOOL_NAME = 'memory_terminal_vscode'

export interface EditorToolEntry extends LanguageModelTool<Record<string, unknown>> {
  dispose(): void
}

/** What the editor calls: the tool behind it is loaded by the first call. */
export function toolEntry(deps: Parameters<typeof openTool>[0]): EditorToolEntry {
  let open: Promise<OpenTool> | null = null
  const { editor } = deps
  return {
    // The person is asked by the host, with the whole line in sight: a second question would only teach them to click.
    prepareInvocation: ({ input }) => ({ invocationMessage: invocationText(input) }),
    async invoke({ input }, token) {
      open ??= import('./register-tool.ts').then(({ openTool }) => openTool(deps))
      const stopped = new AbortController()
      const listening = token.onCancellationRequested(() => stopped.abort('cancelled'))
      try {
        const text = await (await open).call(input, stopped.signal)
        return new editor.LanguageModelToolResult([new editor.LanguageModelTextPart(text)])
      } finally {
        listening.dispose()
      }
    },
    dispose: () => void open?.then(tool => tool.dispose()),
  }
}

/** Said while it runs; no markup of the model's. */
const invocationText = ({ action, terminal_id }: Record<string, unknown>): string =>
  `${SECTION}: ${[action, terminal_id].filter(word => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word)).join(' ')}`
