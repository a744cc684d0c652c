export function buildTestProduct(): Promise<string>
export function copyAsTestProduct(dist: string, copy: string): string
