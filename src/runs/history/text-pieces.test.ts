import { expect, test } from 'vitest'
import { textPieces } from './text-pieces.ts'

test('what both streams said is put together as it came', () => {
  const order = [
    { stream: 'stdout' as const, chars: 2 },
    { stream: 'stderr' as const, chars: 1 },
    { stream: 'stdout' as const, chars: 1 },
  ]
  const pieces = textPieces({ stdout: 'abcd', stderr: 'XY', order })
  expect(pieces.map(({ text }) => text).join('')).toBe('abXcdY')
  expect(textPieces({ stdout: 'only', stderr: '', order: [] })).toEqual([{ stream: 'stdout', text: 'only' }])
  expect(textPieces({ stdout: '', stderr: '', order: [] })).toEqual([])
})
