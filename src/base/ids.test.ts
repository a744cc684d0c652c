import { expect, test } from 'vitest'
import { isId } from '../contract/field.ts'
import { randomIds } from './ids.ts'

test('ten thousand ids are all different, all valid, and carry 128 bits', () => {
  const ids = randomIds()
  const made = Array.from({ length: 10_000 }, () => ids.make('req'))
  expect([new Set(made).size, made.every(id => isId(id) && /^req_[0-9a-f]{32}$/.test(id))]).toEqual([10_000, true])
})
