import type { Pattern } from './pattern.ts'

/** A pattern in force: where it comes from, why it is there, and how far it reaches. */
export interface Rule {
  readonly pattern: Pattern
  /** `default`, `terminal-allowlist.json` or `headless-allowlist-policy.v1.json`. */
  readonly source: string
  readonly why: string
  /** A person's own rule reaches anywhere; a default says how far it goes. */
  readonly reach: 'anywhere' | 'workspace' | 'trusted'
  /** Options a default's open end may cover; a person's own open end covers any. */
  readonly options: readonly string[] | 'any'
  /** How many of the first operands are text, not paths: the pattern of a search. */
  readonly textOperands?: number
  /** Words a default's open end leaves to a person, because they reach hidden files. */
  readonly never?: readonly string[]
}

export interface Workspace {
  readonly id: string
  /** The real directory the person bound to this id. */
  readonly directory: string
  readonly trusted: boolean
}

/** Everything the gate may look at. Reading the disk happens behind `facts`, so that deciding stays pure. */
export interface Rules {
  readonly rules: readonly Rule[]
  readonly workspace: Workspace | null
  readonly autoApprove: 'allowlist' | 'never'
  readonly facts: Facts
}

export interface Facts {
  /** Where a path really leads, seen from a real directory; what does not exist yet stands for itself. */
  realPath(path: string, from: string): string
  /** The file a program name stands for, or why there is none that may run unasked. */
  program(name: string): { readonly path: string } | { readonly problem: string }
  /** Why an unasked git would be unsafe in this real directory: what the repository brings along could start a program. */
  repositoryProblem?(cwd: string): string | null
  /** Directories and files of ours: nothing that names them runs unasked. */
  readonly ours: readonly string[]
}
