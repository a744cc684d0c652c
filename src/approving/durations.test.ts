import { expect, test } from 'vitest'
import { clock, inWords, limitInWords, timesOf, tookInWords } from './durations.ts'

test('a time is said in the two largest units it has', () => {
  expect([-5, 12_000, 90_000, 7_500_000].map(inWords)).toEqual(['0 s', '12 s', '1 min 30 s', '2 h 5 min'])
  expect([245_000, 3_661_000].map(clock)).toEqual(['4:05', '1:01:01'])
})

test('how long something took is said as exactly as it matters', () => {
  expect([40, 1234, 9960, 61_000].map(tookInWords)).toEqual(['40 ms', '1.2 s', '10 s', '1 min 1 s'])
})

test('a limit is said exactly, never rounded', () => {
  expect([500, 90_000, 3_600_001, 5_400_000].map(limitInWords)).toEqual(['0.5 s', '90 s', '3600.001 s', '1 h 30 min'])
})

test('a question counts from when it was asked, and a wrong clock never makes it older than it may get', () => {
  const asked = { asked_at: new Date(10_000).toISOString(), expires_in_ms: 60_000 }
  expect(timesOf(asked, 500, 12_000)).toEqual({ askedAt: -1500, expiresAt: 58_500 })
  expect(timesOf(asked, 500, 0)).toEqual({ askedAt: 500, expiresAt: 60_500 })
  expect(timesOf(asked, 500, 900_000)).toEqual({ askedAt: -59_500, expiresAt: 500 })
})
