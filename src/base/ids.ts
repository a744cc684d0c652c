import { randomBytes } from 'node:crypto'

/** Makes ids: a readable prefix and 128 random bits. */
export interface Ids {
  make(prefix: 'req' | 'trace' | 'srv'): string
}

export const randomIds: Ids = {
  make: prefix => `${prefix}_${randomBytes(16).toString('hex')}`,
}
