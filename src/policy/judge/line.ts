import type { Shell } from '../model/reading.ts'

/** What a caller wants to run. With `args` the command is the program and nothing is read as shell. */
export interface Line {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The real directory it would run in. */
  readonly cwd: string
  /** The shell that would run it; bash unless said otherwise. */
  readonly shell?: Shell | undefined
}
