import { once } from 'node:events'
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { Printed } from '../../../test/fakes/printed.ts'
import { systemClock } from '../../base/clock.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import { type Wait, type Waited, wantedWait } from '../../contract/tool/wait.ts'
import { PatternTooSlow } from '../output/line-matcher.ts'
import { waitFor } from './wait.ts'

let printed: Printed
let clock: FakeClock
beforeEach(() => {
  printed = new Printed()
  clock = new FakeClock()
})
afterEach(() => printed.remove())

/** Waits in the background; `ended` tells what ended the wait, or null while it goes on. */
function waiting(options: OutputOptions, ms = 10_000, signal = new AbortController().signal) {
  let ended: Waited | null = null
  const wanted = wantedWait(options, { until: 'bytes', timeoutMs: ms })
  if (wanted === null) throw new Error('it does not wait')
  void waitFor(printed.view, wanted, { clock, ms, signal, cursor: options.cursor }).then(({ by }) => {
    ended = by
  })
  return {
    after: async (passed: number) => {
      await clock.advance(passed)
      return ended
    },
  }
}

test('new output ends a wait for output, old output does not', async () => {
  printed.out('old')
  const wait = waiting({})
  expect(await wait.after(1000)).toBeNull()
  printed.out('new')
  expect(await wait.after(0)).toBe('output')
})

test('output behind the cursor is new, however old it is', async () => {
  printed.out('old')
  expect(await waiting({ cursor: 0 }).after(0)).toBe('output')
})

test('a wait for the end is not ended by output', async () => {
  const wait = waiting({ wait_for: 'exit' })
  printed.out('hello')
  expect(await wait.after(9999)).toBeNull()
  printed.end()
  expect(await wait.after(0)).toBe('exit')
})

test('nobody waits for what is over already', async () => {
  printed.end()
  for (const wait_for of ['output', 'exit', 'silence'] as const)
    expect(await waiting({ wait_for }).after(0)).toBe('exit')
})

test('a text is found when it comes, also in two halves', async () => {
  const wait = waiting({ wait_for: 'text', text: 'server ready' })
  printed.out('starting\nserver re')
  expect(await wait.after(0)).toBeNull()
  printed.out('ady on 8080\n')
  expect(await wait.after(0)).toBe('text')
})

test('a text that was printed before the wait counts', async () => {
  printed.out('server ready\n')
  expect(await waiting({ wait_for: 'text', text: 'ready' }).after(0)).toBe('text')
})

test('a text before the cursor does not count', async () => {
  printed.out('ready\n')
  expect(await waiting({ wait_for: 'text', text: 'ready', cursor: 6 }).after(0)).toBeNull()
})

test('any of several texts ends the wait, on either stream', async () => {
  const wait = waiting({ wait_for: 'text', text: ['passed', 'failed'] })
  printed.err('3 failed\n')
  expect(await wait.after(0)).toBe('text')
})

test('the last words of a command are looked at before its end is told', async () => {
  const wait = waiting({ wait_for: 'text', text: 'bye' })
  printed.out('bye')
  printed.end()
  expect(await wait.after(0)).toBe('text')
})

test('the end comes before a text that never came', async () => {
  const wait = waiting({ wait_for: 'text', text: 'never' })
  printed.end()
  expect(await wait.after(0)).toBe('exit')
})

test('a second without output is silence, and output starts it anew', async () => {
  const wait = waiting({ wait_for: 'silence' })
  expect(await wait.after(999)).toBeNull()
  printed.out('.')
  expect(await wait.after(999)).toBeNull()
  expect(await wait.after(1)).toBe('silence')
})

test('patience ends every wait', async () => {
  for (const wait_for of ['output', 'exit', 'text', 'silence'] as const) {
    const wait = waiting({ wait_for, text: 'x', silence_ms: 60_000 }, 500)
    expect(await wait.after(500)).toBe('deadline')
  }
})

test('a call that is taken back waits no longer', async () => {
  const cancel = new AbortController()
  const wait = waiting({ wait_for: 'exit' }, 10_000, cancel.signal)
  cancel.abort()
  expect(await wait.after(0)).toBe('deadline')
})

test.each(['output', 'exit', 'text', 'silence'] as const)('a wait for %s leaves nothing behind', async wait_for => {
  const wait = waiting({ wait_for, text: 'x' }, 100)
  await wait.after(2000)
  await waiting({ wait_for, text: 'x' }, 100, AbortSignal.abort()).after(0)
  expect({ timers: clock.pending, watchers: printed.watchers }).toEqual({ timers: 0, watchers: 0 })
})

test('a regular expression is found, and the line it is in is told with its place', async () => {
  const cancel = new AbortController()
  const wanted = wantedWait({ wait: { match: 'listening on port \\d+' } }, null)
  if (wanted === null) throw new Error('it does not wait')
  const woke = waitFor(printed.view, wanted, { clock: systemClock, ms: 20_000, signal: cancel.signal })
  printed.out('é begin\n\x1b[32mlisten')
  printed.err('noise\n')
  printed.out('ing\x1b[0m on port 3000')
  expect(await woke).toEqual({ by: 'match', line: 'listening on port 3000', offset: 9 })
})

test('a pattern that takes for ever ends the wait with a complaint, and nobody else waits for it', async () => {
  printed.out(`${'a'.repeat(60)}b\n`)
  const wanted = wantedWait({ wait: { match: '^(a+)+$' } }, null)
  if (wanted === null) throw new Error('it does not wait')
  const signal = new AbortController().signal
  const refused = expect(waitFor(printed.view, wanted, { clock, ms: 60_000, signal })).rejects.toThrow(PatternTooSlow)
  await clock.advance(3000)
  await refused
})

test('so many bytes are waited for, from the cursor on', async () => {
  printed.out('old')
  const wait = waiting({ wait: { bytes: 5 }, cursor: 3 })
  printed.out('1234')
  expect(await wait.after(0)).toBeNull()
  printed.out('5')
  expect(await wait.after(0)).toBe('bytes')
})

test('what is asked for says what is waited for', () => {
  const until = (wait: Wait) => wantedWait({ wait }, null)?.until
  expect([{ port: 80 }, { match: 'x' }, { file: 'x' }, { idle_ms: 5 }, { bytes: 1 }, {}].map(until)).toEqual([
    'port',
    'match',
    'file',
    'idle',
    'bytes',
    'exit',
  ])
})

test.runIf(process.platform === 'linux')(
  'a port counts when a process of the run listens on it, and not before',
  async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const wanted = wantedWait({ wait: { port } }, null)
    if (wanted === null) throw new Error('it does not wait')
    const signal = new AbortController().signal
    const others = { platform: process.platform, processes: () => [] }
    expect(await waitFor(printed.view, wanted, { clock: systemClock, ms: 50, signal, machine: others })).toEqual({
      by: 'deadline',
      note: `Port ${port} is open, but no process of this run listens on it.`,
    })
    const own = { platform: process.platform, processes: () => [process.pid] }
    expect(await waitFor(printed.view, wanted, { clock: systemClock, ms: 20_000, signal, machine: own })).toEqual({
      by: 'port',
    })
    server.close()
  },
)

test('a file counts when it was written since the run began, and only inside its directory', async () => {
  const cwd = join(printed.directory, 'project')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'old.txt'), 'left from before')
  // Files are dated coarsely: the run begins clearly later.
  const began = statSync(join(cwd, 'old.txt')).ctimeMs + 100
  await expect.poll(() => Date.now()).toBeGreaterThan(began + 50)
  const view = {
    ...printed.view,
    status: () => ({ state: { at: 'running', startedAt: began }, cwd }),
    opened: { cwd, at: 0 },
  } as never
  const wait = (file: string, ms: number) => {
    const wanted = wantedWait({ wait: { file } }, null)
    if (wanted === null) throw new Error('it does not wait')
    return waitFor(view, wanted, { clock: systemClock, ms, signal: new AbortController().signal })
  }
  expect(await wait('old.txt', 50)).toEqual({ by: 'deadline' })
  const woke = wait('new.txt', 20_000)
  writeFileSync(join(cwd, 'new.txt'), 'now')
  expect(await woke).toEqual({ by: 'file' })
  await expect(wait('../new.txt', 50)).rejects.toThrow(`wait.file must be inside ${cwd}`)
})

test('without any patience the answer still waits until it runs, but not for ever', async () => {
  printed.received = true
  const wait = waiting({ wait_for: 'exit' }, 0)
  expect(await wait.after(100)).toBeNull()
  printed.begin()
  expect(await wait.after(0)).toBe('deadline')
  printed.received = true
  expect(await waiting({ wait_for: 'exit' }, 0).after(3000)).toBe('deadline')
})

test('what is printed before it is known to run is told once it is', async () => {
  printed.received = true
  const wait = waiting({ wait: { bytes: 1 } })
  printed.out('x')
  expect(await wait.after(100)).toBeNull()
  printed.begin()
  expect(await wait.after(0)).toBe('bytes')
})

test('a file is noticed in a directory that is made only later, and moved into its place', async () => {
  const cwd = printed.directory
  const view = {
    ...printed.view,
    status: () => ({ state: { at: 'running', startedAt: 0 }, cwd }),
    opened: { cwd, at: 0 },
  } as never
  const wanted = wantedWait({ wait: { file: 'dist/assets/app.js' } }, null)
  if (wanted === null) throw new Error('it does not wait')
  // No timer of this clock ever ends: only what the system tells counts.
  const woke = waitFor(view, wanted, { clock, ms: 20_000, signal: new AbortController().signal })
  mkdirSync(join(cwd, 'dist.new/assets'), { recursive: true })
  writeFileSync(join(cwd, 'dist.new/assets/app.js'), 'built')
  renameSync(join(cwd, 'dist.new'), join(cwd, 'dist'))
  expect(await woke).toEqual({ by: 'file' })
})
