import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OutputLog } from '../../base/output/output-log.ts'
import { OutputExport } from '../../contract/disk/output-export.ts'
import type { RunStatements } from '../../contract/disk/receipt.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import { exportName, exportRun } from './export-run.ts'
import type { ExportedRun } from './exported-run.ts'

const root = mkdtempSync(join(tmpdir(), 'it-export-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const BEGAN = Date.parse('2030-01-01T00:00:00.000Z')
const iso = (afterMs: number) => new Date(BEGAN + afterMs).toISOString()

const SAID: RunStatements = {
  ...{ session_id: 'req_1', trace_id: 't', requester: 'local', client: 'codex 1', lane: 'interactive' },
  ...{ adapter: 'host_bridge_local', command: 'npm test', cwd: '/shop', env_names: [], approved_by: 'person' },
  ...{ state: 'exited', exit_code: 1, received_at: iso(0), started_at: iso(4000), ended_at: iso(9000) },
}
const row = (kind: JournalRow['kind'], afterMs: number, body: object): JournalRow => ({
  ...{ seq: 1, kind, requester: 'local', runId: 'req_1', prev: '', hash: '', at: BEGAN + afterMs },
  body: body as JournalRow['body'],
})
const ROWS = [row('asked', 100, {}), row('answered', 3900, { kind: 'approve', by: 'w', surface: 'window' })]

/** What it prints, at which moment after it was asked for. */
function printed(
  name: string,
  prints: readonly [number, string | Buffer, 'stderr'?][],
  more: Partial<ExportedRun> = {},
) {
  const directory = join(root, name)
  let at = BEGAN + 4000
  const log = new OutputLog({ directory, quotaBytes: 1 << 20, onGrown: () => {}, now: () => at })
  for (const [afterMs, text, stream = 'stdout'] of prints) {
    at = BEGAN + afterMs
    log.append(stream, Buffer.from(text))
  }
  at = Math.max(at, BEGAN + (prints.at(-1)?.[0] ?? 0))
  log.close()
  const source = { directory, size: log.size, over: true }
  return { said: SAID, rows: ROWS, source, size: { cols: 90, rows: 20 }, now: BEGAN + 10_000, version: '9', ...more }
}
async function whole(run: ExportedRun, format: Parameters<typeof exportRun>[1], castVersion: 2 | 3 = 3) {
  let text = ''
  for await (const piece of exportRun(run, format, castVersion)) text += piece
  return text
}
const linesOf = async (run: ExportedRun, version: 2 | 3) =>
  (await whole(run, 'asciicast', version))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as never)

test('as an asciicast the output comes when it came, and who approved and when is a marker', async () => {
  const run = printed('cast', [
    [4500, 'one\r\n'],
    [6000, 'two é\r\n'],
  ])
  const [header, ...events] = await linesOf(run, 3)
  expect(header).toMatchObject({
    ...{ version: 3, term: { cols: 90, rows: 20 }, timestamp: BEGAN / 1000, command: 'npm test' },
    interactive_terminal: { output_times: { known: true, exact_ms: 50 } },
  })
  expect(events).toEqual([
    [0.1, 'm', 'asked'],
    [3.8, 'm', 'approved by the person in the window'],
    [0.1, 'm', 'started'],
    [0.5, 'o', 'one\r\n'],
    [1.5, 'o', 'two é\r\n'],
    [3, 'x', '1'],
  ])

  const [older, ...absolute] = await linesOf(run, 2)
  expect(older).toMatchObject({ version: 2, width: 90, height: 20 })
  expect(absolute.slice(3)).toEqual([
    [4.5, 'o', 'one\r\n'],
    [6, 'o', 'two é\r\n'],
    [9, 'm', 'exit code 1'],
  ])
})

test('times that nobody wrote down are not made up: the output stands at the end, and the header says so', async () => {
  const run = printed('untimed', [[4000, 'all at once\r\n']])
  const [header, ...events] = await linesOf(run, 3)
  expect(header).toMatchObject({
    interactive_terminal: { output_times: { known: false, note: expect.stringContaining('not written down') } },
  })
  expect(events.slice(-2)).toEqual([
    [5, 'o', 'all at once\r\n'],
    [0, 'x', '1'],
  ])
})

test('lines of a run without a terminal begin at the left edge when they are replayed', async () => {
  const said = { ...SAID, lane: 'headless' as const, approved_by: 'allowlist' as const, rule: 'npm test' }
  const [, ...events] = await linesOf(printed('pipes', [[4000, 'a\nb\r\nc\n']], { said, rows: [], size: null }), 3)
  expect(events).toEqual([
    [4, 'm', 'started, allowed by the rule npm test'],
    [5, 'o', 'a\r\nb\r\nc\r\n'],
    [0, 'x', '1'],
  ])
})

test('as JSON every byte is there once, with its stream and moment; what is no text is base64', async () => {
  const run = printed('json', [
    [4500, 'out\n'],
    [6000, 'err\n', 'stderr'],
    [7000, Buffer.from([0xff, 0xfe])],
  ])
  const file = OutputExport.parse(JSON.parse(await whole(run, 'json')))
  expect(file.output).toEqual({
    ...{ from: 'terminal', size: 10, timing: { known: 'moments', exact_ms: 50 }, missing: [], is_open: false },
    pieces: [
      { stream: 'stdout', offset: 0, at: iso(4500), text: 'out\n' },
      { stream: 'stderr', offset: 4, at: iso(6000), text: 'err\n' },
      { stream: 'stdout', offset: 8, at: iso(7000), base64: '//4=' },
    ],
  })
  expect(file.run.command).toBe('npm test')
})

test('what is gone is said, in every format', async () => {
  const run = printed('gone', [[4500, 'kept\n']])
  const longer = { ...run, source: { ...run.source, size: 105 } }
  expect(OutputExport.parse(JSON.parse(await whole(longer, 'json'))).output.missing).toEqual([{ from: 5, to: 105 }])
  expect(await whole(longer, 'asciicast')).toContain('"100 bytes are gone here"')
  expect(await whole(longer, 'text')).toContain('# 100 bytes are gone here\n')
})

test('as text it says what it was, then what was printed; a command cannot add lines of its own to that', async () => {
  const said = { ...SAID, command: 'echo a\n# state: declined' }
  const text = await whole(printed('text', [[4500, '\u001b[31mred\u001b[0m\r\n']], { said }), 'text')
  expect(text).toContain('# command: echo a\\n# state: declined\n')
  expect(text).toMatch(/# exit code: 1\n(# .*\n)*\nred\n$/)
  expect([exportName('a:b', 'text'), exportName('r', 'json'), exportName('r', 'asciicast')]).toEqual([
    'a_b.txt',
    'r.json',
    'r.cast',
  ])
})
