import type { Below } from './walk-files.ts'

/** One file or directory that a command would read. */
export interface Read {
  readonly path: string
  /** Which word names it; null: no word does, it is where the command runs. */
  readonly at: number | null
  /** names: it prints names and sizes · content: what is in it. */
  readonly prints: 'names' | 'content'
  /** How it goes through a directory, where it prints the content of what is below. */
  readonly below: Below | null
}

export type Reads = readonly Read[] | { readonly problem: string }
