/** What a shell reader makes of a line: the simple commands it would run, or why it gave up. Pure. */
export interface SimpleCommand {
  /** The words the program would get, fully resolved: no quotes, no expansions left. */
  readonly argv: readonly string[]
  /** Where it is in the line, in UTF-16 indexes (`decide` turns them into bytes for people). */
  readonly start: number
  readonly end: number
  /** A word that a shell would expand by matching file names; allowed for tools without dangerous options only. */
  readonly globs: readonly number[]
  /** The same words with a backslash before each character that was quoted, where the reader knows. */
  readonly patterns?: readonly string[]
  /** `CI=1` in front of the program: only what a request may set unasked, too. */
  readonly sets?: readonly string[]
  /** What the line is made of beside literals: variables that it sets, `$` where one is used, `{` where braces are. */
  readonly given?: readonly string[]
  /** `< file`: what it gets as its input. */
  readonly inputs?: readonly string[]
  /** The operator in front of it, where there is one. */
  readonly joinedBy?: string
}

export type LineReading =
  | {
      readonly commands: readonly SimpleCommand[]
      /** What is between and behind the commands: `&&`, `|`, `2>&1`, … The headless lane takes none. */
      readonly operators?: readonly string[]
    }
  /** `seen`: what could be made out all the same, for the destructive rules and for display; never for approval. */
  | { readonly gaveUp: string; readonly seen: readonly SimpleCommand[] }

export type Shell = 'bash' | 'sh' | 'zsh' | 'powershell' | 'cmd' | 'fish'

/** One simple command and where it would run. */
export interface PlacedCommand {
  readonly command: SimpleCommand
  readonly shell: Shell | 'none'
  readonly cwd: string
}

/** Index in the string → offset in its UTF-8 bytes; fastest with growing indexes. */
export function byteOffsets(line: string): (index: number) => number {
  let known = 0
  let bytes = 0
  return index => {
    if (index < known) {
      known = 0
      bytes = 0
    }
    bytes += Buffer.byteLength(line.slice(known, index))
    known = index
    return bytes
  }
}
