import type { RoughCommand } from '../destructive/rough-command.ts'
import { roughScan } from '../destructive/rough-scan.ts'
import { isShell, programName, unwrap } from '../destructive/unwrap.ts'
import { Effort } from '../model/effort.ts'
import { EFFECTS, effectsOf } from './effects.ts'

/**
 * Commands that are hard to undo (docs/spec.md D17): a person may want them, but they always need approval, so no rule covers
 * them. Works on the words of every command in the line, wrappers taken off.
 */
export function grave(scanned: readonly RoughCommand[], effort: Effort): string | null {
  for (const command of scanned) {
    if (effort.spent) return null
    const found = graveCommand(command.argv, effort)
    if (found) return found
    const from = programName(command.pipedFrom?.argv[0] ?? '')
    if (
      /^(?:curl|wget|fetch|base64|xxd|openssl)$/.test(from) &&
      unwrap(command.argv, effort).commands.some(([program = '']) => isShell(program))
    )
      return 'it runs what it downloads or decodes'
  }
  return null
}

const GRAVE = EFFECTS.filter(({ tier }) => tier === 'grave')

export function graveCommand(argv: readonly string[], effort = new Effort(), depth = 0): string | null {
  const { commands, scripts } = unwrap(argv, effort)
  for (const words of commands) {
    const [found] = effectsOf(words, GRAVE)
    if (found) return found.words
  }
  if (depth > 3) return null
  for (const text of scripts) {
    for (const { argv: inner } of roughScan(text, effort)) {
      if (effort.spent) return null
      const found = graveCommand(inner, effort, depth + 1)
      if (found) return found
    }
  }
  return null
}
