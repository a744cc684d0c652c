import type { Ids } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { LAYERS, RULE_FILE, type RuleLayer } from '../../policy/files/workspace-files.ts'
import { putRules, type RulesDeps } from './ask-rules.ts'
import type { Binding } from './change-rules.ts'
import type { Presence } from './presence.ts'

interface AdditionsDeps extends RulesDeps {
  readonly presence: Presence
  readonly ids: Ids
  readonly log: Log
}

const REQUESTER = 'rule file'
const WORKSPACE_FILE = 'workspace.v1.json'
const never = new AbortController().signal

/** What is put to the person at once. */
interface Edit {
  readonly workspaceId: string
  readonly layer: RuleLayer
  readonly added: readonly string[]
  readonly binds?: Binding
}

const WHAT_IT_IS = {
  binds:
    'Somebody wrote this into the file of the workspace, not you here. The folder is no workspace and its rules do not count unless you confirm it.',
  rules: 'Somebody wrote these rules into the file. They count only if you confirm them.',
}

/**
 * What somebody wrote into the files of a workspace: patterns, a directory, trust. It counts once a person has confirmed it
 * (docs/spec.md §2.5, D26). Each new edit is put to the person once; until then, and after a no, it is not in force.
 */
export class FileAdditions {
  readonly #deps: AdditionsDeps
  readonly #asked = new Set<string>()
  readonly #silent = new Set<string>()

  constructor(deps: AdditionsDeps) {
    this.#deps = deps
    const { presence, queue } = deps
    // Whoever comes to answer, or is asked something else, is asked about these as well.
    presence.watch(() => presence.count > 0 && this.noticeAll())
    queue.listen({ asked: ({ kind }) => kind === 'command' && this.noticeAll(), answered() {}, withdrawn() {} })
  }

  /** `fresh`: only what nobody was asked about yet; what met with silence waits for the next command. */
  noticeAll(which: 'all' | 'fresh' = 'all'): void {
    for (const id of this.#deps.ruleFiles.workspaces()) this.notice(id, which)
  }

  /** What is there now is put to the person by somebody else. */
  leaveToOthers(): void {
    for (const id of this.#deps.ruleFiles.workspaces())
      for (const edit of this.#editsOf(id)) this.#asked.add(JSON.stringify(edit))
  }

  /** Looks into the files of one workspace, if it is one. */
  notice(workspaceId: string | null, which: 'all' | 'fresh' = 'all'): void {
    if (workspaceId === null) return
    this.#deps.ruleFiles.edits.forgetRemoved(workspaceId)
    for (const edit of this.#editsOf(workspaceId)) {
      const set = JSON.stringify(edit)
      if (which === 'fresh' && this.#silent.has(set)) continue
      if (this.#asked.has(set) || !this.#deps.queue.hasRoom(REQUESTER)) continue
      this.#asked.add(set)
      this.#ask(edit, set).catch(cause =>
        this.#deps.log.warn('what was written into a file is not put to a person', { workspaceId, cause }),
      )
    }
  }

  #editsOf(workspaceId: string): Edit[] {
    const { edits } = this.#deps.ruleFiles
    const binds = edits.undecided(workspaceId)
    // Rules need a workspace that counts: those of one that does not are asked for with it, the rest after it.
    if (binds) return [{ workspaceId, layer: 'base', added: edits.additionsTo(workspaceId, 'base'), binds }]
    return LAYERS.map(layer => ({ workspaceId, layer, added: edits.additionsTo(workspaceId, layer) })).filter(
      ({ added }) => added.length > 0,
    )
  }

  async #ask(edit: Edit, set: string): Promise<void> {
    const { times, ids } = this.#deps
    const outcome = await putRules(
      this.#deps,
      {
        by: { requester: REQUESTER, client: edit.binds ? WORKSPACE_FILE : RULE_FILE[edit.layer] },
        requestId: ids.make('req'),
        traceId: ids.make('trace'),
        context: WHAT_IT_IS[edit.binds ? 'binds' : 'rules'],
        ...edit,
        removed: [],
        patienceMs: times.patienceMs,
      },
      never,
    )
    // Silence is no answer: the next command in that workspace asks again.
    if (outcome.kind !== 'answered') {
      this.#asked.delete(set)
      this.#silent.add(set)
    }
    if (outcome.kind === 'answered' && outcome.decision.kind === 'approve') this.notice(edit.workspaceId)
  }
}
