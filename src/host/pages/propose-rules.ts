import type { Ids } from '../../base/ids.ts'
import { PERSON } from '../names.ts'
import { tooManyQuestions } from '../questions/approval-queue.ts'
import { putRules, type RulesDeps } from '../questions/ask-rules.ts'

/**
 * A card with these rules, asked for by the person on a page: they count once it is approved. Throws when there is no such card; how
 * it is answered is for the card to say.
 */
export async function proposeRules(
  { rules, ids }: { readonly rules: RulesDeps; readonly ids: Ids },
  {
    page,
    workspaceId,
    added,
  }: { readonly page: string; readonly workspaceId: string; readonly added: readonly string[] },
): Promise<void> {
  const change = {
    by: { requester: PERSON, client: page },
    requestId: ids.make('req'),
    traceId: ids.make('trace'),
    context: null,
    workspaceId,
    layer: 'base' as const,
    added,
    removed: [],
    patienceMs: rules.times.patienceMs,
  }
  const asked = putRules(rules, change, new AbortController().signal)
  // What kept it from being asked is known at once.
  const outcome = await Promise.race([asked, Promise.resolve(null)])
  if (outcome?.kind === 'too_many') throw tooManyQuestions(outcome.waiting, 'No rule was made.')
}
