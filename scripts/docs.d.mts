export function pages(): Promise<Record<string, string>>
