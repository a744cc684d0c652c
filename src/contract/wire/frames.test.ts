import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIRECTIONS, type Direction, FRAMES } from '../../../test/fakes/frame-directions.ts'
import { FromHost, ToHost } from './host-frames.ts'

/** One example for each frame, held to its schema and quoted by docs/protocol.md. */
const directory = join(import.meta.dirname, '../examples')
const frames = readdirSync(directory)
  .filter(file => file.endsWith('.frame.json'))
  .map(file => ({
    direction: file.split('.')[0] ?? '',
    name: file.replace('.frame.json', ''),
    frame: JSON.parse(readFileSync(join(directory, file), 'utf8')),
  }))
test.each(frames)('$name is a frame of its direction, and nothing beyond it', ({ direction, frame }) => {
  expect(DIRECTIONS[direction as Direction].schema.parse(frame)).toEqual(frame)
})

test('every frame has an example', () => {
  const without = FRAMES.filter(
    ({ direction, schema }) =>
      !frames.some(each => each.direction === direction && schema.safeParse(each.frame).success),
  )
  expect(without.map(({ direction, type }) => `${direction}.${type}`)).toEqual([])
  expect(FRAMES.length).toBeGreaterThan(100)
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
