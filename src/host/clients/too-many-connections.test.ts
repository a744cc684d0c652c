import { expect, test } from 'vitest'
import { ToApprover } from '../../contract/wire/approver-frames.ts'
import { FromHost } from '../../contract/wire/host-frames.ts'
import { tooManyApprovers, tooManyClients } from './too-many-connections.ts'

test('one connection too many is told in a frame that the other end knows, with how many there are and what to do', () => {
  expect(FromHost.parse(tooManyClients(64))).toMatchObject({
    type: 'error',
    error: { message: expect.stringMatching(/^64 MCP servers .* are connected.*End agents.*try again/) },
  })
  expect(ToApprover.parse(tooManyApprovers(64))).toEqual({
    type: 'refused',
    reason: expect.stringMatching(/^64 terminals are connected.*Close one/),
  })
})
