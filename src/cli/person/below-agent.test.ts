import { expect, test } from 'vitest'
import { belowAgent, type Family } from './below-agent.ts'

const RUN = 'INTERACTIVE_TERMINAL_RUN'
const ME = 100

interface Member {
  readonly parent: number
  readonly command: string
  readonly run?: true
}

/** Everybody by pid; `me` is the one that wants to become a host. */
const family = (members: Readonly<Record<number, Member>>): Family => ({
  all: () => Object.keys(members).map(Number),
  parentOf: pid => members[pid]?.parent ?? null,
  commandOf: pid => members[pid]?.command.split(' ') ?? [],
  hasVariable: (pid, name) => name === RUN && members[pid]?.run === true,
})
const ask = (members: Readonly<Record<number, Member>>) => belowAgent(ME, family(members), RUN)
const SHELL = { 1: { parent: 0, command: 'init' }, 10: { parent: 1, command: 'bash' } }
const me = (parent: number) => ({ [ME]: { parent, command: 'node /app/dist/interactive-terminal.cjs --here' } })

test('a terminal of a person', () => {
  expect(ask({ ...SHELL, ...me(10) })).toBe(null)
})

test('an agent in the same terminal, put aside, is nobody above', () => {
  const agent = {
    20: { parent: 10, command: 'claude' },
    21: { parent: 20, command: 'node interactive-terminal.cjs mcp' },
  }
  expect(ask({ ...SHELL, ...agent, ...me(10) })).toBe(null)
})

test('an editor whose extensions have a server and whose terminals are another branch', () => {
  const editor = {
    30: { parent: 1, command: 'code-server' },
    31: { parent: 30, command: 'extension-host' },
    32: { parent: 31, command: 'node /x/interactive-terminal.cjs mcp' },
    33: { parent: 30, command: 'pty-host' },
    34: { parent: 33, command: 'bash' },
  }
  expect(ask({ ...SHELL, ...editor, ...me(34) })).toBe(null)
})

test('a server that lost its parent makes nobody an agent', () => {
  expect(ask({ ...SHELL, 40: { parent: 1, command: 'interactive-terminal mcp' }, ...me(10) })).toBe(null)
})

test('another program whose argument is called like ours is none of ours', () => {
  expect(ask({ ...SHELL, 11: { parent: 10, command: 'bash -c mcp' }, ...me(11) })).toBe(null)
})

test.each<[string, Readonly<Record<number, Member>>, string]>([
  ['a run', { 11: { parent: 10, command: 'bash', run: true }, ...me(11) }, 'inside a command'],
  [
    'a run that hid its mark, below the process that owns terminals',
    {
      11: { parent: 10, command: 'node /app/interactive-terminal.cjs pty-host' },
      12: { parent: 11, command: 'env -i sh' },
      ...me(12),
    },
    'interactive-terminal pty-host" (process 11)',
  ],
  [
    'an MCP server',
    { 11: { parent: 10, command: 'node /app/interactive-terminal.cjs --home /h mcp' }, ...me(11) },
    'interactive-terminal mcp" (process 11)',
  ],
  [
    'the shell tool of an agent that has a server of ours',
    {
      20: { parent: 10, command: 'claude' },
      21: { parent: 20, command: 'node /app/interactive-terminal.cjs mcp' },
      22: { parent: 20, command: 'script -qc' },
      ...me(22),
    },
    'process 20, which has also started an MCP server',
  ],
])('below %s', (_, members, why) => {
  expect(ask({ ...SHELL, ...members })).toContain(why)
})
