import { createHash } from 'node:crypto'
import type { Decided } from '../../contract/disk/files.ts'
import type { RuleLayer } from './workspace-files.ts'

type DecidedWorkspace = Decided['workspaces'][string]

export const NOTHING_DECIDED: Decided = { workspaces: {}, pairings: {}, programs: {} }

/**
 * What a person has decided, as this process knows it. Files only ever narrow it: what is in one and not here was put
 * there by somebody else and does not count (ADR 44).
 */
export class Decisions {
  readonly #keep: (decided: Decided) => void
  #now: Decided
  #digest: string | null = null

  /** `keep`: writes down what counts from now on; when it throws, nothing has changed. */
  constructor(now: Decided = NOTHING_DECIDED, keep: (decided: Decided) => void = () => {}) {
    this.#now = now
    this.#keep = keep
  }

  get now(): Decided {
    return this.#now
  }

  get digest(): string {
    this.#digest ??= digestOf(this.#now)
    return this.#digest
  }

  workspace(id: string): DecidedWorkspace | null {
    return Object.hasOwn(this.#now.workspaces, id) ? (this.#now.workspaces[id] ?? null) : null
  }

  /** What counted in another directory does not count in this one. `tries`: absent, it stays as it was. */
  bind(id: string, directory: string, trusted: boolean, tries?: boolean): void {
    const before = this.workspace(id)
    const same = before?.directory === directory ? before : null
    const accepted = same?.accepted ?? { base: [], headless: [] }
    const isTried = tries ?? same?.tries !== undefined
    this.#putWorkspace(id, { directory, trusted, accepted, ...(isTried && { tries: 'read_only' as const }) })
  }

  accept(id: string, layer: RuleLayer, pattern: string): void {
    this.#patterns(id, layer, before => [...before.filter(each => each !== pattern), pattern])
  }

  drop(id: string, layer: RuleLayer, patterns: readonly string[]): void {
    this.#patterns(id, layer, before => before.filter(each => !patterns.includes(each)))
  }

  forgetWorkspace(id: string): void {
    const { [id]: _, ...workspaces } = this.#now.workspaces
    if (this.workspace(id)) this.#change({ ...this.#now, workspaces })
  }

  put(kind: 'pairings' | 'programs', name: string, value: string): void {
    if (this.valueOf(kind, name) !== value)
      this.#change({ ...this.#now, [kind]: { ...this.#now[kind], [name]: value } })
  }

  forget(kind: 'pairings' | 'programs', name: string): void {
    const { [name]: before, ...others } = this.#now[kind]
    if (before !== undefined) this.#change({ ...this.#now, [kind]: others })
  }

  valueOf(kind: 'pairings' | 'programs', name: string): string | null {
    return Object.hasOwn(this.#now[kind], name) ? (this.#now[kind][name] ?? null) : null
  }

  /** For a server: what the host or the journal has confirmed. */
  believe(decided: Decided): void {
    this.#now = decided
    this.#digest = null
  }

  #patterns(id: string, layer: RuleLayer, change: (before: readonly string[]) => string[]): void {
    const before = this.workspace(id)
    if (!before) return
    this.#putWorkspace(id, { ...before, accepted: { ...before.accepted, [layer]: change(before.accepted[layer]) } })
  }

  #putWorkspace(id: string, workspace: DecidedWorkspace): void {
    if (JSON.stringify(this.workspace(id)) === JSON.stringify(workspace)) return
    this.#change({ ...this.#now, workspaces: { ...this.#now.workspaces, [id]: workspace } })
  }

  #change(next: Decided): void {
    this.#keep(next)
    this.believe(next)
  }
}

/** The same for the same decisions, in whatever order they were made. */
export function digestOf({ workspaces, pairings, programs }: Decided): string {
  const inOrder = <T>(record: Readonly<Record<string, T>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const bound = inOrder(workspaces).map(([id, { directory, trusted, accepted, tries }]) => [
    id,
    directory,
    trusted,
    [...accepted.base].sort(),
    [...accepted.headless].sort(),
    ...(tries === undefined ? [] : [tries]),
  ])
  return createHash('sha256')
    .update(JSON.stringify(['decided', 1, bound, inOrder(pairings), inOrder(programs)]))
    .digest('hex')
}
