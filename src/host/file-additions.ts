import { createHash } from 'node:crypto'
import type { Ids } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { WorkspaceRules } from '../policy/rule-files.ts'
import { RULE_FILE, type RulesDeps } from './ask-rules.ts'

const ASKER = 'rule file'
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

  notice(workspaceId: string, { idle, workspace }: Pick<WorkspaceRules, 'idle' | 'workspace'>): void {
    const added = idle.filter(({ source, why }) => source === RULE_FILE.base && why.startsWith('added from outside'))
    const patterns = added.map(({ pattern }) => pattern)
    if (patterns.length === 0) return
    const plan_hash = createHash('sha256')
      .update(JSON.stringify([workspaceId, patterns]))
      .digest('hex')
    if (this.#asked.has(plan_hash) || !this.#deps.queue.hasRoom(ASKER)) return
    this.#asked.add(plan_hash)
    this.#ask(workspaceId, { patterns, plan_hash, directory: workspace?.directory ?? null }).catch(cause =>
      this.#deps.log.error('rules that were added to a file could not be confirmed', { workspaceId, cause }),
    )
  }

  async #ask(
    workspace_id: string,
    what: { patterns: string[]; plan_hash: string; directory: string | null },
  ): Promise<void> {
    const { queue, journal, ruleFiles, patienceMs, ids } = this.#deps
    const { patterns: added, plan_hash } = what
    const request_id = ids.make('req')
    const about = { requester: ASKER, runId: request_id }
    const body = { workspace_id, layer: 'base', added, removed: [] }
    journal.append({ kind: 'asked', ...about, body: { ...body, plan_hash } })
    const outcome = await queue.ask(
      {
        requester: ASKER,
        patienceMs,
        question: (ask_id, askedAt) => ({
          type: 'question',
          kind: 'rules',
          ask_id,
          requester: ASKER,
          client: RULE_FILE.base,
          request_id,
          trace_id: ids.make('trace'),
          workspace_id,
          context: 'Somebody wrote these rules into the file. They count only if you confirm them.',
          plan_hash,
          asked_at: new Date(askedAt).toISOString(),
          expires_in_ms: patienceMs,
          workspace_directory: what.directory,
          layer: 'base',
          added,
          removed: [],
        }),
        judge: null,
        objection: decision =>
          decision.kind === 'edit' || (decision.kind === 'approve' && decision.scope.kind !== 'once')
            ? 'Rules are approved as they are, or declined.'
            : null,
        record: (decision, by) => {
          journal.append({ kind: 'answered', ...about, body: { ...decision, by, plan_hash } })
          if (decision.kind === 'approve') journal.append({ kind: 'rules_changed', ...about, body })
        },
      },
      never,
    )
    // Silence is no answer: the next command in that workspace asks again.
    if (outcome.kind !== 'answered') this.#asked.delete(plan_hash)
    else if (outcome.decision.kind === 'approve') for (const each of added) ruleFiles.add(workspace_id, 'base', each)
  }
}
