import { expect, test } from 'vitest'
import { exportedFile } from './exported-file.ts'

const part = (text: string, next: string | null) =>
  ({ type: 'history_exported', request_id: 'w1', name: 'run.txt', text, next }) as const

test('a file is all of its parts, or there is none', async () => {
  const parts = new Map<string | null, ReturnType<typeof part> | null>([
    [null, part('one ', 'e1')],
    ['e1', part('two', null)],
  ])
  expect(await exportedFile(async after => parts.get(after) ?? null)).toEqual({
    name: 'run.txt',
    parts: ['one ', 'two'],
  })
  parts.set('e1', null)
  expect(await exportedFile(async after => parts.get(after) ?? null)).toBeNull()
})
