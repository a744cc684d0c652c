import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { Presence } from '../questions/presence.ts'
import type { QueueListener } from '../questions/queue-listener.ts'
import { reopenWindow } from './reopen-window.ts'
import { Windows } from './windows.ts'

function host() {
  const clock = new FakeClock()
  const presence = new Presence(clock)
  const windows = new Windows()
  const pending: Question[] = []
  let listener: QueueListener | null = null
  let shown = 0
  presence.onUnattended(() => {
    shown += 1
  })
  reopenWindow({
    clock,
    presence,
    windows,
    queue: {
      pending,
      listen: each => {
        listener = each
        return { dispose() {} }
      },
    },
    show: () => {
      shown += 1
    },
  })
  const someWindow = { visible: true, send() {}, refuse() {}, close() {} }
  return {
    clock,
    presence,
    shown: () => shown,
    /** A window comes; what is returned closes it. */
    window(id: string): () => void {
      const open = windows.add(id, someWindow)
      presence.add(id, 'window')
      return () => {
        open.dispose()
        presence.remove(id)
      }
    },
    asks(ask_id: string): void {
      const question = { ask_id } as Question
      pending.push(question)
      listener?.asked(question)
    },
  }
}

test('whoever closed the window while a terminal could answer gets it back at the next question', async () => {
  const { presence, window, asks, shown } = host()
  presence.add('tui', 'terminal')
  const close = window('w1')
  asks('a1')
  expect(shown()).toBe(0)
  close()
  expect(shown()).toBe(0)
  asks('a2')
  expect(shown()).toBe(1)
})

test('who answers in a terminal and never had a window gets none', async () => {
  const { presence, asks, shown } = host()
  presence.add('tui', 'terminal')
  asks('a1')
  expect(shown()).toBe(0)
})

test('a window that dies while a question is open is opened again, once for that question', async () => {
  const { clock, window, asks, shown } = host()
  const close = window('w1')
  asks('a1')
  close()
  await clock.advance(1000)
  expect(shown()).toBe(0)
  await clock.advance(1000)
  expect(shown()).toBe(1)
  window('w2')()
  await clock.advance(5000)
  expect(shown()).toBe(1)
})

test('a page that only lost its connection is waited for', async () => {
  const { clock, window, asks, shown } = host()
  asks('a1')
  window('w1')()
  await clock.advance(1000)
  window('w1')
  await clock.advance(60_000)
  expect(shown()).toBe(0)
})

test('a window that is closed while nobody asks stays closed', async () => {
  const { clock, window, shown } = host()
  window('w1')()
  await clock.advance(60_000)
  expect(shown()).toBe(0)
})
