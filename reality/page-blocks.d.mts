export interface PageBlock {
  readonly where: string
  /** Why it is not run; null when it is. */
  readonly reason: string | null
  readonly lines: readonly string[]
}
export function blocksOf(root: string): PageBlock[]
