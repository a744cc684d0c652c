import type { Pattern } from './pattern.ts'

/** A pattern in force: where it comes from, why it is there, and how far it reaches. */
export interface Rule {
  readonly pattern: Pattern
  /** `default`, `terminal-allowlist.json` or `headless-allowlist-policy.v1.json`. */
  readonly source: string
  readonly why: string
  /**
   * A person's own rule reaches anywhere; a default says how far it goes: nothing is read · what it reads lies in the workspace ·
   * the repository of the workspace is read · code of a trusted project runs.
   */
  readonly reach: 'anywhere' | 'nothing_read' | 'workspace' | 'repository' | 'trusted'
  /** Options a default's open end may cover; a person's own open end covers any. */
  readonly options: readonly string[] | 'any'
  /** What an interpreter may be given as its script, although it runs any code: a path inside the project. */
  readonly scripts?: RegExp
}

export interface Workspace {
  readonly id: string
  /** The real directory the person bound to this id. */
  readonly directory: string
  readonly trusted: boolean
  /** What no rule covers is tried in a sandbox first. */
  readonly tries?: 'read_only'
}

/** Everything the gate may look at. Reading the disk happens behind `facts`, so that deciding stays pure. */
export interface Rules {
  readonly rules: readonly Rule[]
  readonly workspace: Workspace | null
  readonly autoApprove: 'allowlist' | 'never'
  readonly facts: Facts
}

export interface Facts {
  /** Where a path really leads, seen from a real directory; what does not exist yet is itself. */
  realPath(path: string, from: string): string
  /** The file a program name stands for, or why there is none that may run unasked. */
  program(name: string): { readonly path: string } | { readonly problem: string; readonly absent?: true }
  /** Why an unasked git would be unsafe in this real directory: what the repository brings along could start a program. */
  repositoryProblem?(cwd: string): string | null
  /** Whether git keeps anything at or below a path from the top of this work tree; null: unknown. */
  tracked?(top: string, path: string): boolean | null
  /** Whether git keeps other repositories below the top of this work tree; null: unknown. */
  submodules?(top: string): boolean | null
  /** The top of the repository that git would find around this real directory; null: there is none. */
  repositoryTop?(cwd: string): string | null
  /** What lies in a real directory; null: it is none, or cannot be looked into. */
  list(
    directory: string,
  ): readonly { readonly name: string; readonly kind: 'file' | 'directory' | 'link' | 'other' }[] | null
  /** The beginning of a file; null: there is none that can be read. */
  text(path: string): string | null
  /** What a wildcard stands for, seen from a real directory, as a shell would expand it; null: unknown. */
  expand(pattern: string, from: string): readonly string[] | null
  /** What HOME is for a command that starts here; null: unknown. */
  readonly home?: string | null
  /** The character set that a shell here reads a line in, where it is neither UTF-8 nor plain bytes. */
  readonly otherCharset: string | null
  /** Directories and files of ours: nothing that names them runs unasked. */
  readonly ours: readonly string[]
}
