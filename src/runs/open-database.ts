import type { DatabaseSync } from '@photostructure/sqlite'

export type Database = InstanceType<typeof DatabaseSync>

/** SQLite of Node itself where it is stable, else a package with the same calls. */
export async function openDatabase(file: string, options: { readonly: boolean }): Promise<Database> {
  const builtIn = Number(process.versions.node.split('.')[0]) >= 24
  const { DatabaseSync } = builtIn
    ? (process.getBuiltinModule('node:sqlite' as never) as typeof import('@photostructure/sqlite'))
    : await import('@photostructure/sqlite')
  const database = new DatabaseSync(file, { readOnly: options.readonly })
  database.exec('PRAGMA busy_timeout = 5000')
  if (!options.readonly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  return database
}
