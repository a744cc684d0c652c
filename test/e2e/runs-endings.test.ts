import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTable } from '../../src/base/process/process-table.ts'
import { eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'

/** How real commands begin and end. */
let server: Opened
beforeAll(async () => {
  server = await openStdio({ env: { PM_TERM_KILL_GRACE_MS: '300' } })
})
afterAll(() => server.close())

// A zombie is dead: whoever inherited it has only not looked yet.
const lives = (pid: number) => processTable('linux').row(pid) !== null
const run = async (line: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await server.headless({ action: 'run', ...server.place.shell(line), ...more })).data
const read = async (session_id: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await server.headless({ action: 'read_output', session_id, ...more })).data.result
const pidsIn = (file: string) => server.place.read(`work/${file}`).split('\n').filter(Boolean).map(Number)

test('the exit code is the one of the process', async () => {
  const codes = await Promise.all([0, 1, 42, 255].map(async code => (await run(`exit ${code}`)).result.exit_code))
  expect(codes).toEqual([0, 1, 42, 255])
})

test('a command that ends by a signal says which', async () => {
  const { result, success } = await run('kill -USR1 $$')
  expect({ success, state: result.state, exit_code: result.exit_code, signal: result.signal }).toEqual({
    success: true,
    state: 'exited',
    exit_code: null,
    signal: 'SIGUSR1',
  })
})

test('the end is told with the last byte already there', async () => {
  const { result } = await run('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last', { max_bytes: 256 })
  expect([result.output_bytes, result.stdout?.endsWith('last\n'), result.drained]).toEqual([3_000_006, true, undefined])
})

test('both streams keep their order', async () => {
  const { result } = await run('for i in 1 2 3; do echo o$i; sleep 0.05; echo e$i >&2; sleep 0.05; done')
  const at = { stdout: 0, stderr: 0 }
  const words = (result.order ?? []).map(({ stream, chars }) => {
    const text = (result[stream] ?? '').slice(at[stream], at[stream] + chars)
    at[stream] += chars
    return text.trim()
  })
  expect(words).toEqual(['o1', 'e1', 'o2', 'e2', 'o3', 'e3'])
})

test('stdin is at its end: a command that reads it does not hang', async () => {
  const { result } = await run('cat; echo "read $?"')
  expect([result.stdout, result.exit_code]).toEqual(['read 0\n', 0])
})

test('a background child that holds the output does not hold the answer, and what it prints later can be read', async () => {
  const { result, identity } = await run('(until [ -e go ]; do sleep 0.05; done; echo late) & echo early')
  const id = identity.session_id ?? ''
  expect([result.state, result.exit_code, result.stdout, result.drained]).toEqual(['exited', 0, 'early\n', false])
  server.place.write('work/go', '')
  // It prints, and a moment later it is gone: then nothing more can come.
  await eventually('nobody holds the output any more', async () => (await read(id)).drained === undefined)
  expect((await read(id, { cursor: result.cursor ?? 0 })).stdout).toBe('late\n')
})

test('kill ends what a finished run left in the background', async () => {
  const { identity } = await run('sleep 60 & echo $! > background; echo started')
  const [pid = 0] = pidsIn('background')
  expect(lives(pid)).toBe(true)
  await server.headless({ action: 'kill', session_id: identity.session_id })
  await eventually('the background child is gone', () => !lives(pid))
})

test('timeout_ms ends the wait and not the command', async () => {
  const { result, status, success, identity } = await run('echo begun; sleep 0.5; echo done', { timeout_ms: 150 })
  expect([success, status, result.running, result.exit_code]).toEqual([true, 'accepted', true, null])
  const later = await read(identity.session_id ?? '', { wait_for: 'exit', wait_ms: 5000 })
  expect([later.state, later.exit_code, later.stdout]).toEqual(['exited', 0, 'begun\ndone\n'])
})

test('timeout_ms 0 answers at once, with the command accepted', async () => {
  const { status, success, identity } = await run('sleep 0.2', { timeout_ms: 0 })
  expect([success, status]).toEqual([true, 'accepted'])
  await read(identity.session_id ?? '', { wait_for: 'exit', wait_ms: 5000 })
})

test('kill_after_ms kills, says so as a timeout of the execution, and keeps the output', async () => {
  const answer = await run('echo partial; sleep 60', { kill_after_ms: 200 })
  expect([answer.status, answer.error?.code, answer.error?.details.phase]).toEqual([
    'failed',
    'PM_TERM_TIMEOUT',
    'execution',
  ])
  expect(answer.result).toMatchObject({
    state: 'timed_out',
    stdout: 'partial\n',
    exit_code: -1,
    ended_by: 'kill_after_ms',
  })
})

test('a program that cannot start is an error, not a hang', async () => {
  const file = server.place.script('broken.sh', '#!/no/such/interpreter\n')
  const { data } = await server.headless({ action: 'run', command: file, args: [] })
  expect([data.success, data.error?.code, data.result.state]).toEqual([false, 'PM_TERM_INTERNAL', 'failed'])
  expect((await run('echo alive')).result.stdout).toBe('alive\n')
})

describe('kill means all of it', () => {
  const note = (file: string) => `echo $$ >> ${file}`
  const forest = {
    'a pipeline with children': `${note('a')}; sh -c '${note('a')}; sleep 60' | cat`,
    'one that ignores polite signals': `trap '' TERM INT HUP; ${note('b')}; while :; do sleep 0.1; done`,
    'a grandchild in a session of its own': `${note('c')}; setsid sh -c '${note('c')}; sleep 60' & sleep 60`,
    'a grandchild that ignores signals in a session of its own': `${note('d')}; setsid sh -c 'trap "" TERM; ${note('d')}; while :; do sleep 0.1; done' & sleep 60`,
    'a daemon that forked twice': `${note('e')}; (setsid sh -c '${note('e')}; sleep 60' >/dev/null 2>&1 &) ; sleep 60`,
    'one without environment, in a session of its own, whose parent lives': `${note('f')}; env -i setsid /bin/sh -c '${note('f')}; sleep 60' & sleep 60; wait`,
  } as const
  const expected = { a: 2, b: 1, c: 2, d: 2, e: 2, f: 2 }

  test.concurrent.each(Object.entries(forest))('%s', async (_, line) => {
    const file = (/>> (\w)/.exec(line)?.[1] ?? '') as keyof typeof expected
    const { identity } = await run(line, { timeout_ms: 1 })
    await eventually('all of them run', () => pidsIn(file).length === expected[file])
    const { data } = await server.headless({ action: 'kill', session_id: identity.session_id })
    expect(data.result).toMatchObject({ state: 'killed', exit_code: -1, ended_by: 'kill', running: false })
    expect(data.result.survivors).toBe(undefined)
    expect(pidsIn(file).filter(lives)).toEqual([])
    const id = identity.session_id ?? ''
    await eventually('nobody holds the output any more', async () => (await read(id)).drained === undefined)
  })

  // No mark, no parent, no group of ours: nothing tells it from a stranger. It is the documented limit of this lane.
  test('an orphan without environment in a session of its own is out of reach, and is the only thing that is', async () => {
    const line = `${note('g')}; (env -i setsid /bin/sh -c '${note('g')}; exec sleep 60' >/dev/null 2>&1 &); sleep 60`
    const { identity } = await run(line, { timeout_ms: 1 })
    await eventually('both run', () => pidsIn('g').length === 2)
    const [root = 0, escapee = 0] = pidsIn('g')
    try {
      await server.headless({ action: 'kill', session_id: identity.session_id })
      expect([lives(root), lives(escapee)]).toEqual([false, true])
    } finally {
      process.kill(escapee, 'SIGKILL')
    }
  })

  test('output printed before the kill is kept', async () => {
    const { identity } = await run('echo kept; sleep 60', { timeout_ms: 1 })
    const id = identity.session_id ?? ''
    await read(id, { wait_for: 'text', text: 'kept', wait_ms: 5000 })
    const { data } = await server.headless({ action: 'kill', session_id: id })
    expect(data.result).toMatchObject({ stdout: 'kept\n', exit_code: -1 })
  })

  test('a run killed in the moment it starts does not run on', async () => {
    const line = server.place.shell('echo $$ >> quick; sleep 60')
    const started = server.headless({ action: 'run', ...line, request_id: 'quick', timeout_ms: 8000 })
    const killed = server.headless({ action: 'kill', session_id: 'quick' })
    await Promise.allSettled([started, killed])
    expect((await read('quick')).running).toBe(false)
    expect(pidsIn('quick').filter(lives)).toEqual([])
  })
})
