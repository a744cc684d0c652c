import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'

export interface OwnSecretFiles {
  readonly files: readonly string[]
  /** Each file in these. */
  readonly directories: readonly string[]
  /** What is in memory only, as it is now. */
  readonly others?: () => readonly string[]
}

const LOOK_EVERY_MS = 1000
/** Keys and tokens are longer; the name of a pairing stands beside its key. */
const SHORTEST_KEY = 32

/** The keys and tokens of this product, as they are on disk now. */
export function ownSecrets({ files, directories, others }: OwnSecretFiles, clock: Clock): () => readonly string[] {
  const known = new Map<string, { readonly stamp: string; readonly secrets: readonly string[] }>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let all: readonly string[] = []
  return () => {
    if (clock.elapsed() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = clock.elapsed()
      all = [...files, ...directories.flatMap(filesIn)].flatMap(file => secretsIn(file, known))
    }
    const more = others?.() ?? []
    return more.length === 0 ? all : [...all, ...more]
  }
}

function filesIn(directory: string): string[] {
  try {
    // Looked for every second: an exception each time would cost more than the look.
    if (!existsSync(directory)) return [] // nobody was ever paired
    return readdirSync(directory).map(name => join(directory, name))
  } catch {
    return [] // not to be looked at
  }
}

/** What was read once counts for good: an old key may still be in an old output. */
function secretsIn(
  file: string,
  known: Map<string, { readonly stamp: string; readonly secrets: readonly string[] }>,
): readonly string[] {
  const before = known.get(file)
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return before?.secrets ?? []
    const stamp = `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    if (before?.stamp === stamp) return before.secrets
    const words = readFileSync(file, 'utf8').split(/\s+/)
    const secrets = [...new Set([...(before?.secrets ?? []), ...words.filter(word => word.length >= SHORTEST_KEY)])]
    known.set(file, { stamp, secrets })
    return secrets
  } catch {
    return before?.secrets ?? [] // not readable for us: then a run of this user cannot print it either
  }
}
