import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HostToWindow, WindowFrame } from '../window/window-frames.ts'
import { FromApprover, ToApprover } from './approver-frames.ts'
import { FromHost, ToHost } from './host-frames.ts'
import { FromPtyHost, ToPtyHost } from './pty-frames.ts'

/** One example for each frame, held to its schema and quoted by docs/protocol.md. */
const directory = join(import.meta.dirname, '../examples')
const frames = readdirSync(directory)
  .filter(file => file.endsWith('.frame.json'))
  .map(file => ({
    direction: file.split('.')[0] ?? '',
    name: file.replace('.frame.json', ''),
    frame: JSON.parse(readFileSync(join(directory, file), 'utf8')),
  }))
const SCHEMAS = {
  'to-host': ToHost,
  'from-host': FromHost,
  'from-approver': FromApprover,
  'to-approver': ToApprover,
  'from-window': WindowFrame,
  'to-window': HostToWindow,
  'to-pty-host': ToPtyHost,
  'from-pty-host': FromPtyHost,
}
const schemaOf = (direction: string) => SCHEMAS[direction as keyof typeof SCHEMAS]

test.each(frames)('$name is a frame of its direction, and nothing beyond it', ({ direction, frame }) => {
  expect(schemaOf(direction).parse(frame)).toEqual(frame)
})

test('every frame has an example', () => {
  const types = (direction: string) =>
    [...new Set(frames.filter(each => each.direction === direction).map(({ frame }) => frame.type))].sort()
  expect(Object.keys(SCHEMAS).map(types)).toEqual([
    'hello command_request input_request read_output kill list cancel allowlist_update pairing_request setup_request show_window status asker_gone asker_gone_on heartbeat goodbye'
      .split(' ')
      .sort(),
    'hello_ack accepted progress command_response output killed listed allowlist_updated pairing_answered setup_answered window_shown status_answered heartbeat goodbye error'
      .split(' ')
      .sort(),
    'attach prove ask_code enter_code refuse_admission shown in_view judge answer use_screen end_run heartbeat detach terminal_open terminal_join terminal_leave terminal_seen terminal_input terminal_resize terminal_rename terminal_profile terminal_restart terminal_close'
      .split(' ')
      .sort(),
    'question challenge code_shown admitted refused admission_asked admission_over approver_joined alarm shown_heard judged answered not_started answer_refused withdrawn left_running blocked_commands presence screen_used heartbeat terminals terminal_run terminal_output terminal_left terminal_problem'
      .split(' ')
      .sort(),
    'window_hello window_prove visibility terminal_create terminal_rename terminal_close terminal_restart terminal_watch terminal_unwatch terminal_input terminal_resize output_ack scope_revoke cut_off demo preferences_set passphrase_set terminals_unlock'
      .split(' ')
      .sort(),
    'window_challenge done failed terminals watching snapshot stream_end scopes paired host_status first_run preferences'
      .split(' ')
      .sort(),
    'hello trust unlock create input resize kill probe follow unfollow acknowledge forget end heartbeat'
      .split(' ')
      .sort(),
    'pty hello_ack unlocked refused created not_created grown output ended killed probed heartbeat'.split(' ').sort(),
  ])
})

test('readers take id for request_id and any letter case of a status', () => {
  const { request_id, ...rest } = frames.find(({ name }) => name === 'from-host.command_response')?.frame ?? {}
  expect(FromHost.parse({ ...rest, id: request_id, status: 'Approved' })).toMatchObject({
    request_id,
    status: 'approved',
  })
  expect(ToHost.parse({ type: 'cancel', id: 'req_1', trace_id: 't' })).toMatchObject({ request_id: 'req_1' })
})

test.each([
  ['a verdict', { verdict: 'auto', approved: true }],
  ['a requester', { requester: 'box', identity: 'approver', role: 'approver' }],
])('a client that sends %s along sends nothing', (_, more) => {
  const frame = { type: 'command_request', request_id: 'r', trace_id: 't', command: 'ls', ...more }
  expect(ToHost.parse(frame)).toEqual({
    type: 'command_request',
    request_id: 'r',
    trace_id: 't',
    command: 'ls',
    intent: 'execute_command',
  })
})
