import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { forkedChildren } from '../../src/base/process/forked-children.ts'
import { type PipeListener, startPipeProcess } from '../../src/runs/run/pipe-process.ts'

const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const shell = (line: string, listener: Partial<PipeListener>, clock = systemClock) =>
  startPipeProcess(
    forkedChildren,
    { executable: '/bin/sh', argv: ['sh', '-c', line], cwd: '/', env: {} },
    { output: () => {}, streamEnd: () => {}, closed: () => {}, ...listener },
    clock,
  )

test('a command that ends while the server is busy with another loses none of its output', async () => {
  let heard = ''
  const late = await shell('sleep 0.5; echo late', {
    output: (_, chunk) => {
      heard += chunk.toString('utf8')
    },
  })
  // While this one's output is dealt with, the other prints and ends; both ends are noticed together, and this one's
  // takes a while to write down.
  const slow = {
    ...systemClock,
    after(ms: number, then: () => void) {
      block(150)
      return systemClock.after(ms, then)
    },
  }
  const early = await shell('echo early', { output: () => block(800) }, slow)
  block(250)
  const [end] = await Promise.all([late.ended, early.ended])
  expect({ heard, end }).toEqual({ heard: 'late\n', end: { exitCode: 0, signal: null, drained: true } })
})
