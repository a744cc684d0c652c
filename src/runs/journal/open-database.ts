import type { DatabaseSync } from '@photostructure/sqlite'
import { databaseFault } from './database-fault.ts'

export type Database = InstanceType<typeof DatabaseSync>

/** SQLite of Node itself where it is stable, else a package with the same calls. */
async function sqlite(): Promise<typeof import('@photostructure/sqlite')> {
  const builtIn = Number(process.versions.node.split('.')[0]) >= 24
  return builtIn
    ? (process.getBuiltinModule('node:sqlite' as never) as typeof import('@photostructure/sqlite'))
    : import('@photostructure/sqlite')
}

export async function openDatabase(file: string, options: { readonly: boolean }): Promise<Database> {
  const { DatabaseSync } = await sqlite()
  const database = new DatabaseSync(file, { readOnly: options.readonly })
  database.exec('PRAGMA busy_timeout = 5000')
  // The first counts for a new file only: pages that are not needed any more can be given back to the disk.
  if (!options.readonly)
    database.exec(
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304',
    )
  return database
}

export type Prepare = (sql: string) => ReturnType<Database['prepare']>

/** Each statement is read once: that costs more than running it. */
export function preparedOnce(database: Database): Prepare {
  const statements = new Map<string, ReturnType<Prepare>>()
  return sql => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

/** Files that this process holds: what nobody refers to any more would be let go of. */
const held = new Set<Database>()

/**
 * Holds a file until it is released or this process ends, however it ends: the kernel keeps the lock, so nobody ever has to find
 * out whether a holder still lives. Nothing is written into it. null: another process holds it.
 */
export async function holdFile(file: string): Promise<{ release(): void } | null> {
  const { DatabaseSync } = await sqlite()
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA busy_timeout = 0')
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if (databaseFault(cause) === 'busy') return null
    throw cause
  }
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}
