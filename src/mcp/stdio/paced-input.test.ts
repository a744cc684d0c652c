import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { PacedInput } from './paced-input.ts'

/** An end that reads only when it is told to. */
function slowOutput() {
  const held: (() => void)[] = []
  let reading = false
  const output = new Writable({
    write: (_chunk, _encoding, done) => (reading ? done() : void held.push(done)),
  })
  const read = () => {
    reading = true
    for (const done of held.splice(0)) done()
  }
  return { output, read }
}

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise(resolve => setImmediate(resolve))
}

test('a client that reads no answers is asked to wait, and gets every one once it reads', async () => {
  const input = new PassThrough()
  const { output, read } = slowOutput()
  const paced = new PacedInput(input, output)
  let heard = ''
  paced.on('data', (chunk: Buffer) => {
    heard += chunk
    // Each is answered with half a megabyte.
    for (const _ of String(chunk).matchAll(/\n/g)) output.write(Buffer.alloc(512 * 1024))
  })
  const said = Array.from({ length: 1000 }, (_, i) => `{"id":${i}}\n`).join('')
  input.write(said)
  await turns(100)
  expect(output.writableLength).toBeLessThan(14 * 1024 * 1024)
  read()
  await turns(300)
  expect(heard).toBe(said)
})

test('what is said is handed on as it comes, a message cut in two as well, and the end after it', async () => {
  const input = new PassThrough()
  const paced = new PacedInput(input, new PassThrough())
  let heard = ''
  let over = false
  paced.on('data', (chunk: Buffer) => {
    heard += chunk
  })
  paced.on('end', () => {
    over = true
  })
  input.write('{"id":')
  await turns(3)
  input.write('1}\n{"id":2}\n')
  await turns(3)
  expect([heard, over]).toEqual(['{"id":1}\n{"id":2}\n', false])
  input.end('{"id":3}\n')
  await turns(10)
  expect([heard, over]).toEqual(['{"id":1}\n{"id":2}\n{"id":3}\n', true])
})

test('a client that says more than may wait is not read any further, and is again once it reads', async () => {
  const input = new PassThrough({ highWaterMark: 1024 })
  const { output, read } = slowOutput()
  const paced = new PacedInput(input, output)
  let messages = 0
  paced.on('data', (chunk: Buffer) => {
    messages += [...String(chunk).matchAll(/\n/g)].length
    output.write(Buffer.alloc(1024 * 1024))
  })
  const message = Buffer.from(`${'x'.repeat(64 * 1024)}\n`)
  let sent = 0
  const send = async () => {
    for (; sent < 100; sent++)
      if (!input.write(message)) await new Promise<void>(resolve => input.once('drain', () => resolve()))
  }
  const sending = send()
  await turns(200)
  expect([sent < 60, input.isPaused()]).toEqual([true, true])
  read()
  await sending
  await turns(300)
  expect(messages).toBe(100)
})
