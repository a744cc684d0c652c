import { randomIds } from '../base/ids.ts'
import type { RawSettings } from '../config/settings.ts'
import { listenOnStdio } from '../mcp/stdio/stdio-listener.ts'
import { openFront } from './front.ts'

/** `interactive-terminal mcp`: lives as long as its client holds stdin open. */
export function startStdio(raw: RawSettings, version: string): null {
  const { front, toolList, log, endWith } = openFront(raw, version)
  const { stdin, stdout } = process
  let session: string | null = null
  listenOnStdio({
    front,
    toolList,
    session() {
      session ??= randomIds().make('ses')
      return session
    },
    log,
    input: stdin,
    output: stdout,
    onBroken(cause) {
      log.error('a part of this program could not be loaded', { cause })
      void endWith(1)
    },
  })
  stdin.once('end', () => void endWith(0))
  stdin.once('close', () => void endWith(0))
  stdout.once('error', () => void endWith(0))
  return null
}
