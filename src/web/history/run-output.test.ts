import { expect, test } from 'vitest'
import type { HistoryText } from '../../contract/window/history-frames.ts'
import { RunOutput } from './run-output.ts'

/** A host that gives three bytes at a time. */
const host =
  (text: string) =>
  async (from: number): Promise<HistoryText> => ({
    ...{ type: 'history_text', request_id: 'w1', from, size: text.length, lost_bytes: 0, is_open: false },
    pieces: [{ stream: 'stdout', text: text.slice(from, from + 3) }],
    next: Math.min(text.length, from + 3),
  })
const shown = (output: RunOutput) => output.state.value.pieces.map(({ text }) => text).join('')

test('long output is read a page at a time, from where somebody wants to see it', async () => {
  const output = new RunOutput(host('abcdefgh'))
  await output.show(0)
  expect([shown(output), output.state.value.next]).toEqual(['abc', 3])
  await output.more()
  expect(shown(output)).toBe('abcdef')
  await output.show(5)
  expect([shown(output), output.state.value.from, output.state.value.next]).toEqual(['fgh', 5, 8])
})

test('what is copied is all of it, not only what was shown', async () => {
  const output = new RunOutput(host('abcdefgh'))
  await output.show(0)
  expect(await output.copied()).toEqual({ text: 'abcdefgh', isAll: true })
})

test('a host that does not answer leaves what was read', async () => {
  const read = host('abcdefgh')
  let up = true
  const output = new RunOutput(async from => (up ? read(from) : null))
  await output.show(0)
  up = false
  await output.more()
  expect([shown(output), output.state.value.at]).toEqual(['abc', 'broken'])
  expect(await output.copied()).toBeNull()
})
