import { realpathSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { toType } from '../../base/own-command.ts'
import type { WorkspaceFile } from '../../contract/disk/files.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { isInside } from '../model/inside.ts'
import type { GateLane } from '../model/verdict.ts'
import type { Rule, Workspace } from '../rules/rules.ts'
import { checkRule } from './check-rule.ts'
import { Decisions } from './decisions.ts'
import { type IdlePattern, LayerRules, NO_RULES } from './layer-rules.ts'
import { RuleFileEdits } from './rule-file-edits.ts'
import { type BrokenFile, LAYERS, RULE_FILE, type RuleLayer, WorkspaceFiles } from './workspace-files.ts'

export interface WorkspaceRules {
  readonly rules: readonly Rule[]
  readonly idle: readonly IdlePattern[]
  readonly workspace: Workspace | null
  readonly broken: readonly BrokenFile[]
}

/**
 * The rules a person keeps for their workspaces. In force is what the files and the person's decisions both say (ADR 44): an
 * edit of a file counts at once where it takes away, and where it adds once a person has confirmed it. A broken file means
 * no patterns, never defaults.
 */
export class RuleFiles {
  readonly #files: WorkspaceFiles
  readonly #decisions: Decisions
  readonly #layers = new LayerRules()
  /** What others wrote into the files. */
  readonly edits: RuleFileEdits

  constructor(options: { dataDir: string; now: () => number; decisions?: Decisions }) {
    this.#files = new WorkspaceFiles(options)
    this.#decisions = options.decisions ?? new Decisions()
    this.edits = new RuleFileEdits(this.#files, this.#decisions)
  }

  /** What a person's own files allow in `cwd`, a real path: those of the innermost bound directory around it (docs/spec.md D24). */
  rulesFor(where: { cwd: string; lane: GateLane }): WorkspaceRules {
    return this.#files.atOnce(() => this.#rulesFor(where))
  }

  #rulesFor({ cwd, lane }: { cwd: string; lane: GateLane }): WorkspaceRules {
    const workspace = this.workspaceAt(cwd)
    const broken = this.#brokenBindings(cwd, workspace)
    if (workspace === null) return { ...NO_RULES, workspace: null, broken }

    const bound = this.edits.binding(workspace.id)
    const layers = lane === 'headless' ? LAYERS : (['base'] as const)
    const read = layers.map(layer => this.#layers.of(this.#files.content(workspace.id, layer, broken), layer, bound))
    const { rules, idle } = this.#layers.joined(read)
    return { rules, idle, workspace, broken }
  }

  /** The workspace a real directory is in. Of two that are bound around it the inner one. */
  workspaceAt(cwd: string): Workspace | null {
    let best: Workspace | null = null
    for (const id of this.#files.ids()) {
      const bound = this.edits.binding(id)
      if (!bound || !isInside(bound.directory, cwd)) continue
      if (!best || bound.directory.length > best.directory.length) best = this.#workspace(id, bound)
    }
    return best
  }

  #workspace(id: string, { directory, trusted }: WorkspaceFile): Workspace {
    const tries = this.#decisions.workspace(id)?.tries
    return { id, directory, trusted, ...(tries && { tries }) }
  }

  /** The directory bound to an id; null: none is. */
  directoryOf(id: string): string | null {
    return this.edits.binding(id)?.directory ?? null
  }

  triesFirst(id: string): boolean {
    return this.#decisions.workspace(id)?.tries !== undefined
  }

  /** Binds a directory to a workspace id; the person's act that gives its rules and trust a place. `tries`: absent, as it was. */
  bind(id: string, directory: string, trusted: boolean, tries?: boolean): Workspace {
    const real = this.bindable(id, directory)
    // Decided first: a host that looks in between must not take it for somebody else's.
    this.#decisions.bind(id, real, trusted, tries)
    const accepted = this.#decisions.workspace(id)?.accepted ?? { base: [], headless: [] }
    this.#files.saveBinding(id, { directory: real, trusted, accepted })
    return { id, directory: real, trusted }
  }

  /** The real path of what would be bound; throws the reason against it. */
  bindable(id: string, directory: string): string {
    const real = realDirectory(directory)
    const before = this.#files.binding(id)
    const refuse = (message: string, details: Record<string, unknown>) =>
      new TermError('PM_TERM_INVALID_PAYLOAD', message, { details })
    // Rules accepted for one directory must not come into force in another by the way of a name.
    if (before && before.directory !== real)
      throw refuse(`The workspace "${id}" is ${before.directory}. Choose another id: --workspace.`, {
        field: 'workspace_id',
        directory: before.directory,
      })
    const other = this.#boundAt(real)
    if (other !== null && other !== id)
      throw refuse(`${real} is the workspace "${other}" already. A directory has one id.`, {
        field: 'workspace_id',
        workspace_id: other,
      })
    return real
  }

  /** Whether these could be added and anything removed: throws the reason against it, else returns the directory. */
  changeable(id: string, layer: RuleLayer, added: readonly string[]): string {
    this.checkRules(id, layer, added)
    return this.#needBinding(id).directory
  }

  /** The same for a workspace that is yet to be bound. */
  checkRules(id: string, layer: RuleLayer, added: readonly string[]): void {
    for (const text of added) mustBeRule(text)
    this.#files.sound(id, layer)
  }

  /** Adds a pattern a person has confirmed, to the file and to what is in force. */
  add(id: string, layer: RuleLayer, text: string): void {
    mustBeRule(text)
    const bound = this.#needBinding(id)
    const inFile = this.#files.sound(id, layer)
    const accepted = [...bound.accepted[layer].filter(each => each !== text), text]
    this.#decisions.accept(id, layer, text)
    this.#files.saveBinding(id, { ...bound, accepted: { ...bound.accepted, [layer]: accepted } })
    this.#files.savePatterns(id, layer, {
      ...inFile,
      patterns: [...inFile.patterns.filter(each => each !== text), text],
    })
  }

  remove(id: string, layer: RuleLayer, text: string): void {
    const bound = this.#needBinding(id)
    const inFile = this.#files.sound(id, layer)
    if (!inFile.patterns.includes(text))
      throw new TermError('PM_TERM_NOT_FOUND', `${RULE_FILE[layer]} has no pattern "${text}".`, { details: { id } })
    this.#files.savePatterns(id, layer, { ...inFile, patterns: inFile.patterns.filter(each => each !== text) })
    this.#decisions.drop(id, layer, [text])
    const accepted = bound.accepted[layer].filter(each => each !== text)
    this.#files.saveBinding(id, { ...bound, accepted: { ...bound.accepted, [layer]: accepted } })
  }

  /** What is in a file of this workspace, in force or not. */
  patternsOf(id: string, layer: RuleLayer): readonly string[] {
    return this.#files.content(id, layer).patterns
  }

  /** What is asked of it meanwhile is one look at the disk. */
  atOnce<Answer>(ask: () => Answer): Answer {
    return this.#files.atOnce(ask)
  }

  /** What the files of one workspace say, whoever wrote it. */
  inFiles(id: string) {
    const brokenBinding: BrokenFile[] = []
    const binding = this.#files.binding(id, brokenBinding)
    const layers = LAYERS.map(layer => {
      const broken: BrokenFile[] = []
      const { patterns } = this.#files.content(id, layer, broken)
      return { layer, file: this.#files.pathOf(id, layer), patterns, problem: broken[0]?.problem ?? null }
    })
    return { binding, broken: brokenBinding[0] ?? null, layers }
  }

  /** The id a directory has, or a free one made from its name. */
  idFor(directory: string): string {
    const real = realDirectory(directory)
    const bound = this.#boundAt(real)
    if (bound !== null) return bound
    const name =
      basename(real)
        .replace(/[^A-Za-z0-9._-]/g, '-')
        .replace(/^\.+/, '')
        .slice(0, 100) || 'workspace'
    for (let n = 1; ; n++) {
      const id = n === 1 ? name : `${name}-${n}`
      if (!this.#files.isTaken(id)) return id
    }
  }

  workspaces(): readonly string[] {
    return this.#files.ids()
  }

  /** Files of all workspaces that cannot be read or trusted. */
  brokenFiles(): readonly BrokenFile[] {
    const broken: BrokenFile[] = []
    for (const id of this.#files.ids()) {
      this.#files.binding(id, broken)
      for (const layer of LAYERS) this.#files.content(id, layer, broken)
    }
    return broken
  }

  /** Files of workspaces that cannot be read and may be for this directory, by what is left in them. */
  #brokenBindings(cwd: string, workspace: Workspace | null): BrokenFile[] {
    return this.#files.ids().flatMap(id => {
      const broken: BrokenFile[] = []
      this.#files.binding(id, broken)
      return broken.filter(({ directory = null }) =>
        directory === null
          ? workspace === null
          : isInside(directory, cwd) && directory.length > (workspace?.directory.length ?? 0),
      )
    })
  }

  /** A workspace that counts, else one that only a file names. */
  #boundAt(real: string): string | null {
    const ids = this.#files.ids()
    const counts = ids.find(id => this.edits.binding(id)?.directory === real)
    return counts ?? ids.find(id => this.#files.binding(id)?.directory === real) ?? null
  }

  #needBinding(id: string): WorkspaceFile {
    const bound = this.edits.binding(id)
    if (bound) return bound
    throw new TermError(
      'PM_TERM_NOT_FOUND',
      `No directory is bound to the workspace "${id}". A person binds one first: ${toType(`policy trust <directory> --workspace ${id}`)}`,
      { details: { workspace_id: id } },
    )
  }
}

function mustBeRule(text: string): void {
  const check = checkRule(text)
  if (check.advice === 'refuse')
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `"${text}" cannot be a rule: ${check.why}.`, {
      details: { field: 'patterns', pattern: text },
    })
}

function realDirectory(directory: string): string {
  try {
    const real = realpathSync(resolve(directory))
    if (statSync(real).isDirectory()) return real
  } catch {
    // falls through to the same answer: there is no such directory
  }
  throw new TermError('PM_TERM_INVALID_PAYLOAD', `${directory} is not an existing directory.`, {
    details: { field: 'directory' },
  })
}
