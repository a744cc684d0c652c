import type { Verdict as ExplainedVerdict } from '../../contract/tool/response.ts'
import type { Verdict } from '../../policy/model/verdict.ts'

/** A verdict as it is reported and written down: a plain approval is short, and nobody needs the words of a part twice. */
export function explained({ verdict, why, parts, flags, tier }: Verdict): ExplainedVerdict {
  const [only] = parts
  if (verdict === 'auto' && parts.length === 1 && only?.rule) return { verdict, why, rule: only.rule }
  const shown = parts.map(({ argv: _, ...part }) => part)
  return {
    verdict,
    why,
    parts: shown,
    ...(flags.length > 0 && { flags: [...flags] }),
    ...(tier !== 'none' && { tier }),
  }
}
