import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { OutputLog } from '../../base/output/output-log.ts'
import type { ToPerson } from '../../contract/wire/terminal-frames.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { OutputStream } from './output-stream.ts'
import { RunScreen } from './screen.ts'

const MB = 1024 * 1024
const MOST_UNDRAWN = 256 * 1024
const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

/** A run that has printed so much, and somebody who looks on and draws only when told to. */
function watched(bytes: number, how: 'every_byte' | 'screen') {
  const directory = mkdtempSync(join(tmpdir(), 'it-stream-'))
  directories.push(directory)
  const log = new OutputLog({ directory, quotaBytes: 2 ** 28, onGrown: () => {} })
  const line = Buffer.from(`${'x'.repeat(62)}\r\n`)
  log.append('stdout', Buffer.concat(Array.from({ length: bytes / line.length }, () => line)))
  log.close()
  const seen = { next: 0, frames: [] as ToPerson[] }
  const view = {
    source: () => ({ directory, size: log.size, over: true }),
    over: () => true,
    status: () => ({ state: { at: 'exited', exitCode: 3, signal: null, startedAt: 0, endedAt: 1, tookMs: 1 } }),
    watch: () => ({ dispose() {} }),
  } as unknown as RunView
  const screen = new RunScreen({ source: view.source, sizes: () => [{ offset: 0, cols: 80, rows: 24 }] })
  const to = {
    open: true,
    mostUndrawn: MOST_UNDRAWN,
    send: (frame: ToPerson) => void seen.frames.push(frame),
    sendOutput: ({ offset, bytes }: { offset: number; bytes: Uint8Array }) => {
      if (how === 'every_byte') expect(offset).toBe(seen.next)
      seen.next = offset + bytes.length
    },
  }
  const deps = { clock: new FakeClock(), view, screen: how === 'screen' ? screen : null, stream: 1, to }
  const stream = OutputStream.resume(deps, 0)
  return { stream, seen, size: log.size }
}

test('whoever wants every byte gets every byte, however far behind, and never more than was drawn', () => {
  const { stream, seen, size } = watched(6 * MB, 'every_byte')
  for (let drawn = -1; drawn !== seen.next; ) {
    expect(seen.next - Math.max(0, drawn)).toBeLessThanOrEqual(MOST_UNDRAWN + 64 * 1024)
    drawn = seen.next
    stream.ack(drawn)
  }
  expect(seen.next).toBe(size)
  expect(seen.frames).toEqual([
    { type: 'stream_end', stream: 1, outcome: expect.objectContaining({ state: 'exited', exit_code: 3 }) },
  ])
})

test('a screen that is too far behind is shown the end instead, and told so', () => {
  const { stream, seen, size } = watched(6 * MB, 'screen')
  expect(seen.frames).toMatchObject([{ type: 'snapshot', screen: '' }])
  expect(seen.next).toBe(size)
  stream.dispose()
})

test('after an interrupt a screen is shown the end at once, however little of it was drawn, and what was left out is counted', () => {
  const { stream, seen, size } = watched(3 * MB, 'screen')
  expect(seen.next).toBeLessThan(MB)
  const drawn = seen.next
  stream.interrupted()
  expect(seen.next).toBe(size)
  const [snapshot] = seen.frames
  const offset = snapshot?.type === 'snapshot' ? snapshot.offset : 0
  expect(snapshot).toMatchObject({ type: 'snapshot', screen: '', omitted_bytes: offset - drawn })
  expect(size - offset).toBeLessThanOrEqual(16 * 1024)
  stream.dispose()
})

test('an interrupt skips nothing of who wants every byte', () => {
  const { stream, seen } = watched(3 * MB, 'every_byte')
  const before = seen.next
  stream.interrupted()
  expect({ next: seen.next, frames: seen.frames }).toEqual({ next: before, frames: [] })
})

test('what was never sent cannot be drawn: it makes no room', () => {
  const { stream, seen } = watched(6 * MB, 'every_byte')
  const sent = seen.next
  stream.ack(1e12)
  expect(seen.next - sent).toBeLessThanOrEqual(MOST_UNDRAWN + 64 * 1024)
})
