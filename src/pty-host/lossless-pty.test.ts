import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { type LosslessEnd, startPty } from './lossless-pty.ts'

const ENV = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }

async function run(
  line: string,
  onChunk: (chunk: Buffer) => void = () => {},
): Promise<{ text: Buffer; end: LosslessEnd }> {
  const chunks: Buffer[] = []
  const pty = startPty(
    { executable: '/bin/bash', args: ['--noprofile', '--norc', '-c', line], cwd: '/', env: ENV, cols: 80, rows: 24 },
    chunk => {
      chunks.push(chunk)
      onChunk(chunk)
    },
    systemClock,
  )
  return { end: await pty.ended, text: Buffer.concat(chunks) }
}

/** A reader that needs a while for every chunk, as one does that writes to a busy disk. */
function slowly(): void {
  const until = performance.now() + 0.3
  while (performance.now() < until);
}

test('500 commands that print and end at once lose no byte, also with a slow reader', async () => {
  const whole = Array.from({ length: 4000 }, (_, i) => `${i + 1}\r\n`).join('')
  const wrong: string[] = []
  for (let i = 0; i < 500; i++) {
    const { text, end } = await run('seq 1 4000; exit 7', i % 2 ? slowly : undefined)
    if (text.toString() !== whole || end.exitCode !== 7) wrong.push(`run ${i}: ${text.length} bytes, ${end.exitCode}`)
  }
  expect(wrong).toEqual([])
}, 120_000)

test.each([
  ['exit 3', { exitCode: 3, signal: null, drained: true }],
  ['true', { exitCode: 0, signal: null, drained: true }],
  ['kill -9 $$', { exitCode: null, signal: 'SIGKILL', drained: true }],
  ['kill -TERM $$', { exitCode: null, signal: 'SIGTERM', drained: true }],
])('%s ends as it really ended', async (line, end) => {
  expect((await run(line)).end).toEqual(end)
})

test('bytes that are no text come through as they are', async () => {
  const { text } = await run("stty -opost; printf '\\000\\377\\376\\033[31mx\\303'")
  expect(text).toEqual(Buffer.from([0, 0xff, 0xfe, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x78, 0xc3]))
})

test('a program that closes its terminal is waited for all the same', async () => {
  const { text, end } = await run('echo before; exec </dev/null >/dev/null 2>&1; sleep 0.2; exit 5')
  expect({ text: text.toString(), code: end.exitCode }).toEqual({ text: 'before\r\n', code: 5 })
})

test('a program that turns letters around does not hide the end', async () => {
  expect((await run('stty olcuc; echo abc; exit 4')).end).toEqual({ exitCode: 4, signal: null, drained: true })
})

test('a background child that holds the terminal does not hold up the end', async () => {
  const began = performance.now()
  const { end } = await run('setsid sleep 2 & echo bye; exit 3')
  expect({ code: end.exitCode, quick: performance.now() - began < 1500 }).toEqual({ code: 3, quick: true })
})

test('no file stays open after the end', async () => {
  await run('true')
  const before = readdirSync('/proc/self/fd').length
  for (let i = 0; i < 20; i++) await run('echo x')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 1)
})
