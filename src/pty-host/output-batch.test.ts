import { expect, test } from 'vitest'
import { idle } from '../../test/fakes/fake-clock.ts'
import { OutputBatch } from './output-batch.ts'

test('what comes at once goes as one, in order and with its place', async () => {
  const sent: [number, string][] = []
  const batch = new OutputBatch(({ at, bytes }) => sent.push([at, bytes.toString()]))
  batch.push({ at: 5, bytes: Buffer.from('ab') })
  batch.push({ at: 7, bytes: Buffer.from('c') })
  expect(sent).toEqual([])
  await idle()
  batch.push({ at: 8, bytes: Buffer.from('d') })
  batch.flush()
  await idle()
  expect(sent).toEqual([
    [5, 'abc'],
    [8, 'd'],
  ])
})

test('much of it does not wait', () => {
  const sizes: number[] = []
  const batch = new OutputBatch(({ bytes }) => sizes.push(bytes.length))
  for (let i = 0; i < 40; i++) batch.push({ at: i * 4096, bytes: Buffer.alloc(4096) })
  expect(sizes).toEqual([65_536, 65_536])
})
