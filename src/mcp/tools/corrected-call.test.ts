import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalise } from '../../contract/tool/canonicalise.ts'
import { parseHeadless } from '../../contract/tool/headless-request.ts'
import { correctedCall } from './corrected-call.ts'

const HEADLESS = 'memory_terminal'
const INTERACTIVE = 'memory_terminal_interactive'

test.each([
  ['what is taken as it is', HEADLESS, { action: 'run', command: 'ls' }],
  ['what is taken under its old name', INTERACTIVE, { action: 'run', command: 'ls' }],
  ['nothing', HEADLESS, {}],
  ['what is no object', HEADLESS, 7],
  ['an action that nobody can guess', HEADLESS, { action: 'frobnicate', command: 'ls' }],
  ['a command that is none', HEADLESS, { action: 'run', command: 7 }],
  ['a directory that is none: without it the command would run elsewhere', HEADLESS, { command: 'ls', cwd: 7 }],
  ['arguments whose quotes only their writer can split', HEADLESS, { action: 'run', command: 'grep', args: '"a b" c' }],
] as const)('no call is made of %s', (_, tool, payload) => {
  expect(correctedCall(tool, payload, null)).toBeNull()
})

test('a tilde is the home directory where that is known, and only at the beginning', () => {
  const sent = { action: 'run', command: 'ls', cwd: '~/a~b' }
  expect(correctedCall(HEADLESS, sent, '/home/ann')?.arguments).toEqual({ ...sent, cwd: '/home/ann/a~b' })
  expect(correctedCall(HEADLESS, sent, null)).toBeNull()
})

test('what is typed goes to the interactive tool', () => {
  expect(correctedCall(HEADLESS, { action: 'write_stdin', session_id: 'r1', chars: 'y\n' }, null)).toEqual({
    tool: INTERACTIVE,
    arguments: {
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      target: { session_id: 'r1' },
      execution: { input: 'y\n' },
    },
  })
})

test('whatever is sent, a call that is told is one that is taken', () => {
  const names = ['action', 'cmd', 'command', 'args', 'cwd', 'timeout', 'wait', 'session_id', 'execution', 'background']
  const values = fc.oneof(fc.constantFrom('run', 'exec', 'read', 'ls', '5', true, null, {}, ['a']), fc.jsonValue())
  const payloads = fc.dictionary(fc.constantFrom(...names), values)
  fc.assert(
    fc.property(payloads, fc.constantFrom(HEADLESS, INTERACTIVE), (payload, tool) => {
      const call = correctedCall(tool as typeof HEADLESS, payload, '/home/ann')
      if (call?.tool === HEADLESS) parseHeadless(call.arguments)
      else if (call) canonicalise(call.arguments, 'strict')
    }),
  )
})
