import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

let server: Opened
beforeAll(async () => {
  server = await openStdio({ allow: ['grep *', 'node serve.cjs *'] })
  server.place.write(
    'work/serve.cjs',
    "setTimeout(() => require('node:http').createServer((_, r) => r.end('ok')).listen(Number(process.argv[2]), '127.0.0.1'), 300)\n",
  )
})
afterAll(() => server.close())

const run = (line: string, more: Readonly<Record<string, unknown>> = {}) =>
  server.headless({ action: 'run', ...server.place.shell(line), ...more })
const read = (session_id: string | null, more: Readonly<Record<string, unknown>>) =>
  server.headless({ action: 'read_output', session_id, ...more })
const kill = (session_id: string | null) => server.headless({ action: 'kill', session_id })

test('an agent is told that grep found nothing, not that it failed', async () => {
  server.place.write('work/notes.txt', 'one\ntwo\n')
  const { data, text } = await server.headless({ action: 'run', command: 'grep three notes.txt' })
  expect(data.result).toMatchObject({ exit_code: 1, exit_meaning: 'no line matched' })
  expect(text).toMatch(/^Exit code 1: no line matched\. No output\. \(session \S+ in /)
})

test('a progress bar is one line and a spinner none, on whichever stream they are drawn', async () => {
  const bar = 'for i in $(seq 1 200); do printf "\\r%3d %%" $i >&2; done; echo >&2'
  const spinner =
    'for i in 1 2 3 4 5; do for c in "|" / - "\\\\"; do printf "\\033[1G\\033[K$c"; done; done; printf "\\033[1G\\033[K"'
  const { data } = await run(`${bar}; ${spinner}; echo added 3 packages`)
  expect(data.result).toMatchObject({ stdout: 'added 3 packages\n', stderr: '200 %\n' })
  expect(data.result.omitted_bytes).toBeUndefined()
})

test('a flood is cut at lines within 8 KB, and the call that is given reads on from there', async () => {
  const { data, text } = await run('yes "a line of a flood" | head -n 200000')
  const { stdout = '', omitted_bytes = 0, omitted_from = 0 } = data.result
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192)
  expect(Buffer.byteLength(stdout)).toBeGreaterThan(6500)
  expect(omitted_bytes).toBeGreaterThan(3_500_000)
  expect(text.indexOf(`left out from offset ${omitted_from}`)).toBeLessThan(400)
  const next = await server.headless(data.next?.arguments ?? {})
  expect(next.data.result.stdout?.startsWith('a line of a flood\n')).toBe(true)
})

test('a wait ends with the line that it was for, and the answer has the line', async () => {
  const { data } = await run('sleep 0.2; echo starting; echo "ready on port 4711"; sleep 60', {
    wait: { match: 'ready on port \\d+' },
  })
  await kill(data.identity.session_id)
  expect(data).toMatchObject({
    status: 'accepted',
    result: { waited: 'match', woke: { line: 'ready on port 4711', offset: 9 }, running: true },
  })
})

test('a server is waited for until it listens on its port', async () => {
  const free = createServer()
  await once(free.listen(0, '127.0.0.1'), 'listening')
  const { port } = free.address() as AddressInfo
  // While another one has it, it is not the command's.
  const { data: started } = await run('sleep 60', { timeout_ms: 0 })
  const wrong = await read(started.identity.session_id, { wait: { port, timeout_ms: 300 } })
  expect(wrong.data.result.waited).toBe('deadline')
  expect(wrong.data.result.woke?.note).toContain('no process of this run listens on it')
  await kill(started.identity.session_id)
  free.close()
  await once(free, 'close')
  const { data } = await server.headless({ action: 'run', command: `node serve.cjs ${port}`, wait: { port } })
  const answered = await fetch(`http://127.0.0.1:${port}/`).then(each => each.text())
  await kill(data.identity.session_id)
  expect({ waited: data.result.waited, answered }).toEqual({ waited: 'port', answered: 'ok' })
})

test('a file is waited for until it is written', async () => {
  const { data } = await run('sleep 0.2; echo done > built.txt; sleep 60', { wait: { file: 'built.txt' } })
  await kill(data.identity.session_id)
  expect(data.result).toMatchObject({ waited: 'file', running: true })
})

test('of several runs the first that is what was waited for is told, and how the others are', async () => {
  const slow = (await run('echo slow; sleep 60', { timeout_ms: 0 })).data.identity.session_id
  const quick = (await run('sleep 0.3; exit 4', { timeout_ms: 0 })).data.identity.session_id
  const { data, text } = await server.headless({
    action: 'read_output',
    session_ids: [slow, quick],
    wait: { until: 'exit' },
  })
  expect(data).toMatchObject({
    identity: { session_id: quick },
    result: { exit_code: 4, waited: 'exit', others: [{ session_id: slow, state: 'running' }] },
    next: { arguments: { session_ids: [slow] } },
  })
  expect(text).toContain(`[other run ${String(slow).slice(0, 'req_'.length + 8)}: running`)
  await kill(slow)
})

test('in a long log the failing test is found with the lines around it, while others are answered', async () => {
  const { data } = await run(
    'seq -f "test %.0f passed" 1 200000; echo "FAIL checkout"; echo "  expected 1"; seq 1 200000',
  )
  const { session_id } = data.identity
  const [found, listed] = await Promise.all([
    read(session_id, { search: '^FAIL \\w+', context_lines: 1 }),
    server.headless({ action: 'list' }),
  ])
  expect(found.data.result.matches).toEqual([
    {
      offset: expect.any(Number),
      stream: 'stdout',
      line: 'FAIL checkout',
      before: ['test 200000 passed'],
      after: ['  expected 1'],
    },
  ])
  expect(listed.data.success).toBe(true)
})

test('a pattern that would take for ever is refused with what to do, and other calls do not wait for it', async () => {
  const { data } = await run(`printf "%s\\n" ${'a'.repeat(60)}b; sleep 60`, { wait: { match: 'b' } })
  const { session_id } = data.identity
  let isOver = false
  const search = read(session_id, { search: '^(a+)+$' }).finally(() => {
    isOver = true
  })
  const other = await server.headless({ action: 'list' })
  expect({ answered: other.data.success, isOver }).toEqual({ answered: true, isOver: false })
  expect((await search).data.error).toMatchObject({
    code: 'PM_TERM_INVALID_PAYLOAD',
    message: expect.stringContaining('too long'),
  })
  await kill(session_id)
})

test('half a character waits for its other half, as text; as bytes it is there', async () => {
  const line = `printf 'caf\\xc3'; until [ -e ${server.work}/rest ]; do sleep 0.05; done; printf '\\xa9\\n'`
  const { data } = await run(line, { wait: { bytes: 3 } })
  const { session_id } = data.identity
  expect(data.result).toMatchObject({ stdout: 'caf', cursor: 3 })
  server.place.write('work/rest', '')
  const rest = (await read(session_id, { cursor: 3, wait: { until: 'exit' } })).data.result
  expect(rest.stdout).toBe('é\n')
  const raw = (await read(session_id, { format: 'raw' })).data.result
  expect(Buffer.from(raw.base64 ?? '', 'base64')).toEqual(Buffer.from('café\n'))
})

test('the screen is what a terminal would show', async () => {
  const { data, text } = await run('printf "one\\ntwo\\033[1;1HONE"', { format: 'screen' })
  expect(data.result.screen).toMatchObject({ text: 'ONE\ntwo', cols: 120, rows: 30, cursor_row: 1, cursor_column: 4 })
  expect(text).toContain('data: screen of 120 x 30, cursor in row 1, column 4\n')
})
