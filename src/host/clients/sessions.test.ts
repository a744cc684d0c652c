import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { ClientSessions } from './sessions.ts'

test('one agent that the person cuts off loses its connections and its questions, and is not admitted again; others stay', () => {
  const sessions = new ClientSessions(new FakeClock())
  const heard: string[] = []
  sessions.arrive('a', { name: 'codex', requester: 'local' }, why => heard.push(`codex: ${why}`))
  sessions.arrive('b', { name: 'claude', requester: 'local' }, why => heard.push(`claude: ${why}`))
  sessions.owns({ session: 'a', asker: null }, () => heard.push('withdrawn'))
  const [codex] = sessions.clients()
  expect(sessions.cutOffAgent(codex?.agent_id ?? '')).toBe(true)
  expect(heard).toEqual(['codex: the person cut it off', 'withdrawn'])
  expect([sessions.isCutOff('a'), sessions.isCutOff('b')]).toEqual([true, false])
  expect(sessions.cutOffAgent('agent_9')).toBe(false)
})
