import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { oneWritePerMoment } from './one-write-per-moment.ts'

function counting() {
  const writes: string[] = []
  const output = new Writable({
    write(chunk, _, done) {
      writes.push(String(chunk))
      done()
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
  })
  return { writes, write: oneWritePerMoment(output) }
}

const nextMoment = () => new Promise(resolve => setImmediate(resolve))

test('the first is written at once, and what follows in the same moment together and in order', async () => {
  const { writes, write } = counting()
  write('a')
  expect(writes).toEqual(['a'])
  for (const text of ['b', 'c', 'd']) await Promise.resolve().then(() => write(text))
  expect(writes).toEqual(['a'])
  await nextMoment()
  expect(writes).toEqual(['a', 'bcd'])
})

test('the next moment begins anew', async () => {
  const { writes, write } = counting()
  write('a')
  await nextMoment()
  write('b')
  expect(writes).toEqual(['a', 'b'])
})
