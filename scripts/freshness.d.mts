export function freshness(root: string, node?: string): 'fresh' | 'first' | 'changed'
export function beginStamp(root: string, profile?: 'release' | 'debug'): () => void
