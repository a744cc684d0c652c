type Figure = number | null | undefined
export function quantile(values: readonly Figure[], share: number): number | null
export function median(values: readonly Figure[]): number | null
export const SHOWN_AS: Record<'ratio' | 'share' | 'plain', (value: Figure, floor?: Figure) => string>
export function markdownTable(rows: readonly (readonly string[])[]): string
