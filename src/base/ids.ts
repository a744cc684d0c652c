/** Makes ids: a readable prefix and 128 random bits. */
export interface Ids {
  make(
    prefix:
      | 'req'
      | 'trace'
      | 'srv'
      | 'host'
      | 'ses'
      | 'term'
      | 'ask'
      | 'decline'
      | 'apr'
      | 'adm'
      | 'pty'
      | 'pth'
      | 'scope'
      | 'saved'
      | 'permit',
  ): string
}

const ID_BYTES = 16

/** Random bytes are asked for in bulk: one by one the system call is the costly part. */
export function randomIds(): Ids {
  const pool = Buffer.allocUnsafe(ID_BYTES * 64)
  let used = pool.length
  return {
    make(prefix) {
      if (used === pool.length) {
        // Not imported: loading it takes 2 ms, and a client that waits for the tools waits for that too.
        process.getBuiltinModule('node:crypto').randomFillSync(pool)
        used = 0
      }
      used += ID_BYTES
      return `${prefix}_${pool.toString('hex', used - ID_BYTES, used)}`
    },
  }
}
