export interface FileResult {
  readonly name: string
  readonly passed: number
  readonly failed: readonly string[]
  readonly skipped: readonly string[]
}

export function closingLines(
  files: readonly FileResult[],
  errors: number,
  unstable?: readonly string[],
): { lines: string[]; failed: boolean }
