export function build(options?: { quiet?: boolean; clean?: boolean }): Promise<void>
