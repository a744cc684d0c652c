import { expect, test } from 'vitest'
import { seenSlice } from './seen-slice.ts'

test('of ten thousand rows only those in view and a few around them are drawn', () => {
  expect(seenSlice({ top: 0, height: 600 }, 56, 10_000)).toEqual({ first: 0, end: 19 })
  expect(seenSlice({ top: 280_000, height: 600 }, 56, 10_000)).toEqual({ first: 4992, end: 5019 })
  expect(seenSlice({ top: 560_000, height: 600 }, 56, 10_000)).toEqual({ first: 9992, end: 10_000 })
})

test('a list that became shorter while it was scrolled is drawn from where it ends', () => {
  expect(seenSlice({ top: 90_000, height: 600 }, 56, 3)).toEqual({ first: 0, end: 3 })
  expect(seenSlice({ top: 0, height: 0 }, 56, 0)).toEqual({ first: 0, end: 0 })
})
