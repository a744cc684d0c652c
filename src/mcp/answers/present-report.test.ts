import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Result } from '../../contract/tool/response.ts'
import { CommandResponse, ReportedResult } from '../../contract/wire/host-frames.ts'
import { presentReading } from './present-report.ts'

const EXAMPLE = new URL('../../contract/examples/from-host.command_response.frame.json', import.meta.url)
const frame = CommandResponse.parse(JSON.parse(readFileSync(EXAMPLE, 'utf8')))
const context = {
  tool: 'memory_terminal',
  action: 'execute',
  canonical: 'execute',
  alias: null,
  warning: null,
} as const
const call = { mode: 'interactive', requestId: 'a', requestIdIs: 'made', traceId: 't', clientRequestId: null } as const
const shown = (report: typeof frame) => presentReading({ ...context, ...call }, report).result

/** What each field may be: the smallest value of its type. */
const EVERYTHING = {
  ...{ authorization: 'allowed', approved_by: 'person', verdict: { verdict: 'approval', why: 'w' }, warning: 'w' },
  ...{ state: 'exited', running: false, exit_code: 0, signal: 'SIGHUP', ended_by: 'kill', drained: false },
  ...{
    cursor: 1,
    output_bytes: 2,
    omitted_bytes: 1,
    omitted_from: 1,
    lost_bytes: 1,
    redacted: 1,
    waited: 'exit',
    matches: [],
  },
  ...{
    execution_time_ms: 1000,
    command_executed: 'ls',
    cwd: '/',
    sandbox: { mode: 'read_only', network: 'none', changes: 0 },
    carried: {},
    plan_hash: 'p',
    survivors: [1],
  },
  ...{ adapter: 'host_bridge_local', visibility: 'visible', exit_meaning: 'm', pipestatus: [1, 0] },
  ...{ wait_state: 'line', wait_evidence: 'kernel: seen', input: { request_id: 'r', state: 'typed' } },
  ...{ woke: { line: 'l' }, base64: 'eA==', human: { present: true } },
  screen: { text: 't', cols: 1, rows: 1, cursor_row: 1, cursor_column: 1 },
} as const satisfies Required<ReportedResult>

test('every field that a host can report reaches the caller, but the hash of the plan, which no caller needs', () => {
  expect(Object.keys(EVERYTHING).sort()).toEqual(Object.keys(ReportedResult.shape).sort())
  const result = shown(CommandResponse.parse({ ...frame, ...EVERYTHING }))
  const { plan_hash: _, ...others } = EVERYTHING
  expect(Result.strict().parse(result)).toMatchObject({ ...others, warning: expect.stringMatching(/ w$/) })
})

test('nothing that only frames have reaches the caller', () => {
  const names = Object.keys(shown(frame))
  expect(names.filter(name => !(name in Result.shape))).toEqual([])
  expect(names.slice(0, 4)).toEqual(['state', 'running', 'exit_code', 'stdout'])
})
