import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Question } from '../../src/contract/wire/approver-frames.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import type { FakeApprover } from '../drivers/live-host.ts'
import { type Opened, type OpenedHttp, openHttp, openStdio } from '../drivers/mcp-client.ts'

/** docs/spec.md D28: the name on the card is that of the MCP session that asked, by its own word. */
const CLAUDE = { name: 'claude-code', version: '2.1.325', title: 'Claude Code' }
const CODEX = { name: 'codex-mcp-client', version: '0.166.0' }

const ask = (call: Opened['call'], command: string) =>
  call('memory_terminal_interactive', {
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command },
  })

const isAbout = (command: string) => (question: Question) => question.kind === 'command' && question.command === command

describe.each(['legacy', 'auto'] as const)('over stdio, generation %s', mode => {
  const hosts = new HostProcesses()
  let agent: Opened
  beforeAll(async () => {
    await hosts.start()
    agent = await openStdio({ place: hosts.place, mode, named: CLAUDE })
  })
  afterAll(async () => {
    await agent.close()
    await hosts.close()
  })

  test('card and journal have the name the client gives itself', async () => {
    const { live, approver } = await hosts.meet()
    const asked = ask(agent.call, '/bin/echo named')
    const question = await approver.question()
    approver.decline(question)
    await asked
    expect(question.client).toBe('Claude Code (claude-code 2.1.325)')
    const received = live.journal().find(({ kind }) => kind === 'received')
    expect(JSON.parse(received?.body ?? '{}')).toMatchObject({ client: 'Claude Code (claude-code 2.1.325)' })
    expect(question.requester).toBe('local')
  })
})

describe('over HTTP, several clients of one server', () => {
  const hosts = new HostProcesses()
  let server: OpenedHttp
  let approver: FakeApprover
  beforeAll(async () => {
    server = await openHttp({ place: hosts.place, named: { name: 'first', version: '0' } })
    approver = (await hosts.meet()).approver
  })
  afterAll(async () => {
    await server?.close()
    await hosts.close()
  })

  test.each([
    ['legacy', 'legacy'],
    ['auto', 'auto'],
    ['legacy', 'auto'],
  ] as const)('a %s and a %s client are two askers with two names', async (one, other) => {
    const [claude, codex] = [await server.connect(one, CLAUDE), await server.connect(other, CODEX)]
    const lines = [`/bin/echo ${one}-${other} claude`, `/bin/echo ${one}-${other} codex`] as const
    const asked = Promise.all([ask(claude.call, lines[0]), ask(codex.call, lines[1])])
    const cards = await Promise.all(lines.map(line => approver.question(isAbout(line))))
    for (const card of cards) approver.decline(card)
    await asked
    expect(cards.map(({ client }) => client)).toEqual(['Claude Code (claude-code 2.1.325)', 'codex-mcp-client 0.166.0'])
  })
})
