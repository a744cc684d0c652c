import { expect, test } from 'vitest'
import { FloodGate } from './flood-gate.ts'

const KB = 1024
const gate = () => {
  const told: string[] = []
  return { told, gate: new FloodGate({ pause: () => told.push('pause'), resume: () => told.push('resume') }) }
}

test('a terminal is held up while its watcher lags, and goes on when it has caught up', () => {
  const { told, gate: flood } = gate()
  const watcher = {}
  flood.enter(watcher, 0)
  flood.sent(200 * KB)
  expect(told).toEqual([])
  flood.sent(300 * KB)
  flood.acknowledged(watcher, 200 * KB)
  expect(told).toEqual(['pause'])
  flood.acknowledged(watcher, 290 * KB)
  expect(told).toEqual(['pause', 'resume'])
})

test('the slowest watcher counts, and one that leaves holds nobody up', () => {
  const { told, gate: flood } = gate()
  const [quick, slow] = [{}, {}]
  flood.enter(quick, 0)
  flood.enter(slow, 0)
  flood.sent(300 * KB)
  flood.acknowledged(quick, 300 * KB)
  expect(told).toEqual(['pause'])
  flood.leave(slow)
  expect(told).toEqual(['pause', 'resume'])
})

test('a watcher that acknowledges what it never got gains nothing', () => {
  const { told, gate: flood } = gate()
  const watcher = {}
  flood.enter(watcher, 0)
  flood.acknowledged(watcher, 1e12)
  flood.sent(300 * KB)
  expect(told).toEqual(['pause'])
})
