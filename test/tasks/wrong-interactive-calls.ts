import { expect } from 'vitest'
import { EXECUTE, headless, INVOCATION, interactive, LISTED, READ, type Row } from './wrong-call.ts'

/** To memory_terminal_interactive. */
export const TO_INTERACTIVE: readonly Row[] = [
  {
    what: 'execute without mode and intent',
    sent: { action: 'execute', execution: { command: 'pwd' } },
    says: [/invocation.mode is required/, /invocation.intent is required/],
    instead: EXECUTE,
  },
  {
    what: 'mode and intent beside the groups',
    sent: { action: 'execute', mode: 'interactive', intent: 'execute_command', command: 'pwd' },
    says: [/did you mean invocation.mode\?/, /did you mean invocation.intent\?/],
    instead: EXECUTE,
  },
  { what: 'no action', sent: { command: 'pwd' }, says: [/action is missing/], instead: EXECUTE },
  { what: 'an action of another tool', sent: { action: 'run_command', command: 'pwd' }, instead: EXECUTE },
  {
    what: 'groups as texts',
    sent: {
      action: 'execute',
      invocation: '{"mode":"interactive","intent":"execute_command"}',
      execution: '{"command":"pwd"}',
    },
    says: [/invocation must be object/],
    instead: EXECUTE,
  },
  {
    what: 'a mode that is none',
    sent: {
      action: 'execute',
      invocation: { mode: 'visible', intent: 'execute_command' },
      execution: { command: 'pwd' },
    },
    says: [/must be one of "?interactive"?/],
    instead: EXECUTE,
  },
  {
    what: 'context beside the groups',
    sent: { action: 'execute', invocation: INVOCATION, execution: { command: 'pwd' }, context: 'why' },
    says: [/did you mean execution.context\?/],
    instead: interactive({
      action: 'execute',
      invocation: INVOCATION,
      execution: { command: 'pwd', context: 'why' },
    }),
  },
  {
    what: 'a terminal that was made up',
    sent: { action: 'execute', invocation: INVOCATION, execution: { command: 'pwd' }, target: { terminal_id: 'main' } },
    says: [/There is no terminal main/],
    instead: EXECUTE,
  },
  {
    what: 'a directory with a tilde',
    sent: { action: 'execute', invocation: INVOCATION, execution: { command: 'pwd' }, runtime: { cwd: '~/work' } },
    says: [/~ is not expanded here/],
  },
  {
    what: 'cursor and wait beside the groups',
    sent: { action: 'read_output', session_id: 'known-run', cursor: 0, wait: { until: 'exit' } },
    says: [/did you mean output.cursor\?/, /did you mean output.wait\?/],
    instead: interactive({
      action: 'read_output',
      target: { session_id: 'known-run' },
      output: { cursor: 0, wait: { until: 'exit' } },
    }),
    works: READ,
  },
  {
    what: 'a command with what is only read',
    sent: { action: 'read_output', target: { session_id: 'known-run' }, execution: { command: 'pwd' } },
    says: [/execution is not allowed for read_output/],
    instead: interactive({ action: 'read_output', target: { session_id: 'known-run' } }),
    works: READ,
  },
  {
    what: 'a target for the list',
    sent: { action: 'list', target: { session_id: 'known-run' } },
    says: [/target is not allowed for list/],
    instead: interactive({ action: 'list' }),
    works: LISTED,
  },
  {
    what: 'the allowlist',
    sent: { action: 'get_allowlist' },
    says: [/belongs to memory_terminal,/],
    instead: headless({ action: 'get_allowlist' }),
    works: { result: { patterns: expect.any(Array) } },
  },
  {
    what: 'a terminal for a headless command',
    sent: {
      action: 'execute',
      invocation: { mode: 'headless', intent: 'execute_command' },
      execution: { command: 'pwd' },
      target: { terminal_id: 'main' },
    },
    says: [/target.terminal_id is not allowed/],
    instead: interactive({
      action: 'execute',
      invocation: { mode: 'headless', intent: 'execute_command' },
      execution: { command: 'pwd' },
    }),
  },
  {
    what: 'what no rule covers, by the old action run',
    sent: { action: 'run', command: 'sh -c "echo asked"' },
    instead: interactive({
      action: 'execute',
      invocation: INVOCATION,
      execution: { command: 'sh -c "echo asked"' },
    }),
    asks: 'echo asked',
    works: { result: { stdout: 'asked\n' } },
  },
]
