import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeApprover } from '../drivers/live-host.ts'
import type { Opened } from '../drivers/mcp-client.ts'
import { TwoSides } from './two-sides.ts'

let sides: TwoSides
let box: Opened
let approver: FakeApprover
beforeAll(async () => {
  sides = new TwoSides()
  sides.pair('box')
  await sides.startHost()
  approver = await sides.attach()
  box = await sides.container('box')
})
afterAll(() => sides.end())

test('an agent in a container asks, the person outside says yes, and it runs outside', async () => {
  const asked = box.interactive({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command: '/bin/echo out here' },
  })
  const question = await approver.question()
  expect(question).toMatchObject({ requester: 'box' })
  approver.approve(question)
  const { data } = await asked
  expect(data).toMatchObject({ success: true, result: { stdout: 'out here\n', adapter: 'container_bridge_to_host' } })
})
