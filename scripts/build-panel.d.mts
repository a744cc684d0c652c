export function buildPanel(root: string, outDir: string): Promise<void>
