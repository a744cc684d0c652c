import { expect, test } from 'vitest'
import { DrawQueue } from './draw-queue.ts'

/** Draws when told to, one piece after the other. */
function slowScreen() {
  const given: { readonly bytes: Uint8Array; readonly drawn: () => void }[] = []
  const shown: number[] = []
  const draw = () => {
    const next = given.shift()
    if (next === undefined) return false
    shown.push(...new Set(next.bytes))
    next.drawn()
    return true
  }
  return { write: (bytes: Uint8Array, drawn: () => void) => void given.push({ bytes, drawn }), given, shown, draw }
}

const piece = (of: number, bytes = 100_000) => new Uint8Array(bytes).fill(of)

test('everything is drawn in order, and each piece is told as drawn once, when its last byte is', () => {
  const screen = slowScreen()
  const queue = new DrawQueue(screen)
  const told: number[] = []
  for (const of of [1, 2, 3]) queue.write(piece(of), () => void told.push(of))
  queue.write(piece(4, 0), () => void told.push(4))
  expect(told).toEqual([])
  while (screen.draw());
  expect({ told, shown: [...new Set(screen.shown)] }).toEqual({ told: [1, 2, 3, 4], shown: [1, 2, 3] })
})

test('a screen that begins anew shows nothing of what waited, and begins after what was being drawn', () => {
  const screen = slowScreen()
  const queue = new DrawQueue(screen)
  const told: string[] = []
  queue.write(piece(1), () => void told.push('old'))
  queue.write(piece(2), () => void told.push('old'))
  expect(screen.given).toHaveLength(1)
  queue.restart(() => {
    told.push(`begun after ${screen.shown}`)
    screen.shown.length = 0
  })
  queue.write(piece(3), () => void told.push('new'))
  expect(told).toEqual([])
  while (screen.draw());
  expect({ told, shown: [...new Set(screen.shown)] }).toEqual({ told: ['begun after 1', 'new'], shown: [3] })
})
