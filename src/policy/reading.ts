/** What a shell reader makes of a line: the simple commands it would run, or why it gave up. Pure. */
export interface SimpleCommand {
  /** The words the program would get, fully resolved: no quotes, no expansions left. */
  readonly argv: readonly string[]
  /** Where it stands in the line, in UTF-16 indexes (`decide` turns them into bytes for people). */
  readonly start: number
  readonly end: number
  /** A word that a shell would expand by matching file names; allowed for tools without dangerous options only. */
  readonly globs: readonly number[]
}

export type LineReading =
  | { readonly commands: readonly SimpleCommand[] }
  /** `seen`: what could be made out all the same, for the destructive rules and for display; never for a yes. */
  | { readonly gaveUp: string; readonly seen: readonly SimpleCommand[] }

export type Shell = 'bash' | 'sh' | 'zsh' | 'powershell' | 'cmd' | 'fish'
