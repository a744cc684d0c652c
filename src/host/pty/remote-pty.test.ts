import { expect, test } from 'vitest'
import { TermError } from '../../contract/tool/errors.ts'
import { RemotePty } from './remote-pty.ts'

const MB = 1024 * 1024
const known = {
  type: 'pty',
  pty_id: 'pty_1',
  requester: 'local',
  run_id: 'run_1',
  terminal_id: 'term_1',
  pid: 7,
  start: null,
  started_at: 0,
  size: 0,
  lost: 0,
  ended: null,
} as const

function terminal(countsInput: boolean) {
  let sent = 0
  const send = (frame: { type: string; data?: string }) => {
    sent += Buffer.from(frame.data ?? '', 'base64').length
  }
  const around = { owner: null, locked: () => false, probes: () => true, countsInput: () => countsInput }
  const pty = new RemotePty(known, { ...around, send: frame => send(frame as never), onForget() {} })
  return { pty, sent: () => sent }
}

test('what a program that reads nothing would never get is refused, whole, and keys still go', () => {
  const { pty, sent } = terminal(true)
  pty.write(Buffer.alloc(6 * MB))
  expect(() => pty.write(Buffer.alloc(2 * MB))).toThrow(TermError)
  expect(sent()).toBe(6 * MB)
  pty.write(Buffer.from('\x03'))
  expect(sent()).toBe(6 * MB + 1)
  pty.receive({ type: 'input_taken', pty_id: 'pty_1', bytes: 5 * MB })
  pty.write(Buffer.alloc(2 * MB))
  expect(sent()).toBe(8 * MB + 1)
})

test('with a new connection it is counted anew, and an older pty-host that does not count is sent everything', () => {
  const { pty } = terminal(true)
  pty.write(Buffer.alloc(6 * MB))
  pty.reconnected(known)
  pty.write(Buffer.alloc(6 * MB))
  const { pty: older, sent } = terminal(false)
  older.write(Buffer.alloc(20 * MB))
  expect(sent()).toBe(20 * MB)
})

test('word of a flood that has heaped up is acted on once, with the newest size, and before the end is told', async () => {
  const { pty } = terminal(true)
  const seen: number[] = []
  pty.onGrown(() => void seen.push(pty.output.size))
  for (let size = 1; size <= 100; size++) pty.grown({ size, lost: 0 })
  expect(pty.output.size).toBe(100)
  await new Promise(resolve => setImmediate(resolve))
  expect(seen).toEqual([100])

  pty.grown({ size: 150, lost: 0 })
  const exit = { exit_code: 0, signal: null, drained: true, carried: null, at: 1 }
  pty.receive({ type: 'ended', pty_id: 'pty_1', size: 200, lost: 0, exit })
  expect(seen).toEqual([100, 200])
  await new Promise(resolve => setImmediate(resolve))
  expect(seen).toEqual([100, 200])
})
