import { randomIds } from '../base/ids.ts'
import type { RawSettings } from '../config/settings.ts'
import { listenOnStdio } from '../mcp/server/stdio-listener.ts'
import { openFront } from './front.ts'

/** `interactive-terminal mcp`: lives as long as its client holds stdin open. */
export function startStdio(raw: RawSettings, version: string): null {
  const { front, log, endWith } = openFront(raw, version)
  listenOnStdio(front, randomIds().make('ses'), log)
  process.stdin.once('end', () => void endWith(0))
  process.stdin.once('close', () => void endWith(0))
  process.stdout.once('error', () => void endWith(0))
  return null
}
