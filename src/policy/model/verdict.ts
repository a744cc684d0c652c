import type { Reach } from '../../contract/wire/reach.ts'
import type { DisplayFlag } from './display-flags.ts'

/** May this line run without asking? The answer, and why, part by part. The same object everywhere it is shown. */

export type GateLane = 'headless' | 'interactive'

/** How bad it could get: grave is hard to undo and always needs approval; catastrophic is refused for everybody. */
export type Tier = 'none' | 'grave' | 'catastrophic'

export interface Part {
  /** The bytes of the line this part stands for, and where they are in it. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** The words the program would get; null where the reader gave up. */
  readonly argv: readonly string[] | null
  readonly covered: boolean
  /** The pattern that covers it. */
  readonly rule: string | null
  readonly why: string
}

export interface Verdict {
  /**
   * auto: runs · try: runs in the sandbox, where it can change nothing · approval: a person is asked · blocked: refused, nobody to
   * ask · destructive: refused for everybody
   */
  readonly verdict: 'auto' | 'try' | 'approval' | 'blocked' | 'destructive'
  readonly why: string
  readonly parts: readonly Part[]
  /** What a person must be warned of when the line is shown. */
  readonly flags: readonly DisplayFlag[]
  readonly tier: Tier
  /** Whom and what it reaches beyond the project. A mark for the person who decides; no verdict depends on it. */
  readonly reaches: readonly Reach[]
}
