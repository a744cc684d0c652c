import type { Ids } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { WorkspaceRules } from '../policy/rule-files.ts'
import { putRules, RULE_FILE, type RulesDeps } from './ask-rules.ts'

const ASKER = { requester: 'rule file', client: RULE_FILE.base }
const never = new AbortController().signal

/**
 * Patterns somebody wrote into a rule file: they count once a person has confirmed them (SPEC §2.5). Each new set is put to
 * the person once; until then, and after a no, it is not in force.
 */
export class FileAdditions {
  readonly #deps: RulesDeps & { readonly ids: Ids; readonly log: Log }
  readonly #asked = new Set<string>()

  constructor(deps: RulesDeps & { readonly ids: Ids; readonly log: Log }) {
    this.#deps = deps
  }

  notice(workspaceId: string, { idle }: Pick<WorkspaceRules, 'idle'>): void {
    const added = idle.filter(({ source, why }) => source === RULE_FILE.base && why.startsWith('added from outside'))
    const patterns = added.map(({ pattern }) => pattern)
    if (patterns.length === 0) return
    const set = JSON.stringify([workspaceId, patterns])
    if (this.#asked.has(set) || !this.#deps.queue.hasRoom(ASKER.requester)) return
    this.#asked.add(set)
    this.#ask(workspaceId, patterns, set).catch(cause =>
      this.#deps.log.warn('rules that were added to a file are not put to a person', { workspaceId, cause }),
    )
  }

  async #ask(workspaceId: string, added: readonly string[], set: string): Promise<void> {
    const { patienceMs, ids } = this.#deps
    const outcome = await putRules(
      this.#deps,
      {
        by: ASKER,
        requestId: ids.make('req'),
        traceId: ids.make('trace'),
        context: 'Somebody wrote these rules into the file. They count only if you confirm them.',
        workspaceId,
        layer: 'base',
        added,
        removed: [],
        patienceMs,
      },
      never,
    )
    // Silence is no answer: the next command in that workspace asks again.
    if (outcome.kind !== 'answered') this.#asked.delete(set)
  }
}
