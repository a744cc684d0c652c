import type { WorkspaceFile } from '../../contract/disk/files.ts'
import { checkRule } from './check-rule.ts'
import type { Decisions } from './decisions.ts'
import { type BrokenFile, LAYERS, type RuleLayer, type WorkspaceFiles } from './workspace-files.ts'

/** What the files of workspaces say, beside what a person has decided: where they differ, somebody else wrote them. */
export class RuleFileEdits {
  readonly #files: WorkspaceFiles
  readonly #decisions: Decisions
  /** By what the file says: the same file and the same decisions agree on the same. */
  readonly #agreed = new WeakMap<WorkspaceFile, { readonly decided: unknown; readonly binding: WorkspaceFile }>()

  constructor(files: WorkspaceFiles, decisions: Decisions) {
    this.#files = files
    this.#decisions = decisions
  }

  /** What a workspace's own file says, as far as a person has decided it. */
  binding(id: string): WorkspaceFile | null {
    const decided = this.#decisions.workspace(id)
    const inFile = decided && this.#files.binding(id)
    if (!inFile || inFile.directory !== decided.directory) return null
    const known = this.#agreed.get(inFile)
    if (known?.decided === decided) return known.binding
    const both = (layer: RuleLayer) => {
      const confirmed = new Set(decided.accepted[layer])
      return inFile.accepted[layer].filter(each => confirmed.has(each))
    }
    const accepted = { base: both('base'), headless: both('headless') }
    const binding = { ...inFile, trusted: inFile.trusted && decided.trusted, accepted }
    this.#agreed.set(inFile, { decided, binding })
    return binding
  }

  /** Patterns in a file that no person has confirmed yet; only what could be a rule. */
  additionsTo(id: string, layer: RuleLayer): readonly string[] {
    // In this order: what a person confirms is decided before it is in the file.
    const { patterns } = this.#files.content(id, layer)
    if (!this.#files.binding(id)) return []
    const accepted = this.binding(id)?.accepted[layer] ?? []
    return patterns.filter(text => !accepted.includes(text) && checkRule(text).advice !== 'refuse')
  }

  /** The directory or the trust that a workspace's own file claims and no person has agreed to; null: none. */
  undecided(id: string): { readonly directory: string; readonly trusted: boolean } | null {
    const inFile = this.#files.binding(id)
    if (!inFile) return null
    const { directory, trusted } = inFile
    return this.binding(id)?.trusted === trusted ? null : { directory, trusted }
  }

  /** What a file no longer says is no longer decided: put back by somebody else it is an addition like any other. */
  forgetRemoved(id: string): void {
    const decided = this.#decisions.workspace(id)
    const inFile = this.#files.binding(id)
    if (!decided || !inFile) return
    if (inFile.directory !== decided.directory) {
      this.#decisions.forgetWorkspace(id)
      return
    }
    if (decided.trusted && !inFile.trusted) this.#decisions.bind(id, decided.directory, false)
    for (const layer of LAYERS) {
      const broken: BrokenFile[] = []
      const { patterns } = this.#files.content(id, layer, broken)
      const says = (text: string) => patterns.includes(text) && inFile.accepted[layer].includes(text)
      const gone = decided.accepted[layer].filter(text => !says(text))
      // A file that is being written anew, or is broken, takes nothing back.
      if (gone.length > 0 && broken.length === 0 && this.#files.hasFile(id, layer))
        this.#decisions.drop(id, layer, gone)
    }
  }

  /** A person does not want what somebody wrote there. */
  takeOut(id: string, layer: RuleLayer, pattern: string): void {
    const inFile = this.#files.sound(id, layer)
    this.#files.savePatterns(id, layer, { ...inFile, patterns: inFile.patterns.filter(each => each !== pattern) })
  }

  /** The same for a directory or its trust: what was decided before stays, the rest goes. */
  takeOutBinding(id: string): void {
    const decided = this.#decisions.workspace(id)
    if (decided) this.#files.saveBinding(id, decided)
    else this.#files.removeBinding(id)
  }
}
