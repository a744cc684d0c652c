import { expect, test } from 'vitest'
import { HELD_KINDS } from '../contract/wire/scope.ts'
import { HELD, MINUTES, WAYS } from './scopes.ts'

test('no two ways to approve have the same key, the longer whiles in a terminal included', () => {
  const longer = MINUTES.slice(1).map((_, i) => String(Number(WAYS.time.key) + i + 1))
  const keys = [...Object.values(WAYS).map(({ key }) => key), ...longer]
  expect(new Set(keys).size).toBe(keys.length)
})

test('every approval that is kept in memory has its row, under its own kind', () => {
  expect(Object.values(HELD).map(({ scope }) => scope)).toEqual(HELD_KINDS)
})
