import type { Effort } from '../model/effort.ts'

/** A command a line might run, as far as it can be made out. */
export interface RoughCommand {
  readonly argv: readonly string[]
  /** Files it writes through `>`. */
  readonly sinks: readonly string[]
  /** Files it is fed with through `<`. */
  readonly sources?: readonly string[]
  /** Text it is fed with: a here-document, a here-string. */
  readonly fed: readonly string[]
  /** The command left of the pipe. */
  readonly pipedFrom: RoughCommand | null
  /** What the line says of its variables: a shell that it starts may see them too. */
  readonly known?: ReadonlyMap<string, readonly string[]>
}

/** What all scanners of a line share. */
export interface How {
  readonly depth: number
  readonly effort: Effort
  /** Variables the line itself has set, with the words they stand for. */
  readonly known: Map<string, readonly string[]>
}

/** A command while it is being read. */
export interface RoughDraft {
  argv: string[]
  sinks: string[]
  sources: string[]
  fed: string[]
  pipedFrom: RoughCommand | null
}
export const fresh = (pipedFrom: RoughCommand | null): RoughDraft => ({
  argv: [],
  sinks: [],
  sources: [],
  fed: [],
  pipedFrom,
})
