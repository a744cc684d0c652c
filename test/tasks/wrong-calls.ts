import { expect } from 'vitest'

/** A call as a client sends it. */
export interface SentCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A mistake that models make, what the answer must say, and what comes of the call that it names. */
interface WrongCall {
  readonly what: string
  readonly tool: string
  readonly sent: Readonly<Record<string, unknown>>
  /** What both forms say. */
  readonly says?: readonly RegExp[]
  /** The ready-made call of the answer; not given: whatever it is, it works. */
  readonly instead?: SentCall
  /** Where there is no ready-made call: the call that the words lead to. */
  readonly reads?: (words: string) => SentCall | null
  /** Of the answer to the corrected call. */
  readonly works: Readonly<Record<string, unknown>>
  /** The corrected call is a question, and the person says yes to this. */
  readonly asks?: string
}

/** Most are sent for `pwd`, and then it runs. */
type Row = Omit<WrongCall, 'tool' | 'works'> & Partial<Pick<WrongCall, 'works'>>

const HEADLESS = 'memory_terminal'
const INTERACTIVE = 'memory_terminal_interactive'

const headless = (fields: Readonly<Record<string, unknown>>): SentCall => ({ tool: HEADLESS, arguments: fields })
const interactive = (fields: Readonly<Record<string, unknown>>): SentCall => ({ tool: INTERACTIVE, arguments: fields })
const PWD = headless({ action: 'run', command: 'pwd' })
const INVOCATION = { mode: 'interactive', intent: 'execute_command' }
const EXECUTE = interactive({ action: 'execute', invocation: INVOCATION, execution: { command: 'pwd' } })

const RAN = { status: 'completed', result: { exit_code: 0, stdout: expect.stringMatching(/work\n$/) } }
const LISTING = { status: 'completed', result: { exit_code: 0, stdout: expect.stringContaining('notes.txt') } }
const LISTED = { status: 'completed', result: { items: expect.any(Array) } }
const READ = { status: 'completed', identity: { session_id: 'known-run' } }

const TO_HEADLESS: readonly Row[] = [
  { what: 'cmd for command', sent: { action: 'run', cmd: 'pwd' }, says: [/did you mean command\?/], instead: PWD },
  { what: 'no action', sent: { command: 'pwd' }, says: [/action is missing/], instead: PWD },
  {
    what: 'everything one level too deep',
    sent: { arguments: { action: 'run', command: 'pwd' } },
    says: [/send the fields inside "arguments" themselves/],
    instead: PWD,
  },
  { what: 'an action of another tool', sent: { action: 'exec', command: 'pwd' }, instead: PWD },
  { what: 'run_command', sent: { action: 'run_command', command: 'pwd' }, instead: PWD },
  {
    what: 'the interactive request, to the headless tool',
    sent: { action: 'execute', invocation: INVOCATION, execution: { command: 'pwd' } },
    says: [/belongs to memory_terminal_interactive/],
    instead: EXECUTE,
  },
  { what: 'execute with flat fields, to the headless tool', sent: { action: 'execute', command: 'pwd' }, instead: PWD },
  {
    what: 'a command as a list of words',
    sent: { action: 'run', command: ['ls', '-a'] },
    says: [/command must be a string/],
    instead: headless({ action: 'run', command: 'ls', args: ['-a'] }),
    works: LISTING,
  },
  { what: 'a shell with its line as a list', sent: { action: 'run', command: ['bash', '-lc', 'pwd'] }, instead: PWD },
  {
    what: 'arguments as one text',
    sent: { action: 'run', command: 'ls', args: '-a -l' },
    says: [/args must be an array of strings/],
    instead: headless({ action: 'run', command: 'ls', args: ['-a', '-l'] }),
    works: LISTING,
  },
  {
    what: 'a command with words, and arguments',
    sent: { action: 'run', command: 'ls -a', args: ['.'] },
    says: [/command is the program alone/],
    instead: headless({ action: 'run', command: 'ls', args: ['-a', '.'] }),
    works: LISTING,
  },
  {
    what: 'a directory with a tilde',
    sent: { action: 'run', command: 'pwd', cwd: '~/work' },
    says: [/~ is not expanded here/],
  },
  {
    what: 'a directory by another name',
    sent: { action: 'run', command: 'pwd', workdir: 'sub' },
    says: [/did you mean cwd\?/],
    instead: headless({ action: 'run', command: 'pwd', cwd: 'sub' }),
    works: { result: { stdout: expect.stringMatching(/sub\n$/) } },
  },
  {
    what: 'a time as text',
    sent: { action: 'run', command: 'pwd', timeout_ms: '5000' },
    instead: headless({ action: 'run', command: 'pwd', timeout_ms: 5000 }),
  },
  {
    what: 'a time with a unit',
    sent: { action: 'run', command: 'pwd', timeout_ms: '30s' },
    instead: headless({ action: 'run', command: 'pwd', timeout_ms: 30_000 }),
  },
  {
    what: 'half a millisecond',
    sent: { action: 'run', command: 'pwd', timeout_ms: 1500.5 },
    instead: headless({ action: 'run', command: 'pwd', timeout_ms: 1501 }),
  },
  {
    what: 'a time in seconds',
    sent: { action: 'run', command: 'pwd', timeout_seconds: 5 },
    says: [/did you mean timeout_ms\?/],
    instead: headless({ action: 'run', command: 'pwd', timeout_ms: 5000 }),
  },
  {
    what: 'a time in seconds that is taken for milliseconds',
    sent: { action: 'run', command: 'sleep 0.3', timeout: 2 },
    says: [/2 ms/, /milliseconds/],
    reads: words => reading(words),
    works: { status: 'completed', result: { exit_code: 0 } },
  },
  {
    what: 'run_in_background',
    sent: { action: 'run', command: 'sleep 1', run_in_background: true },
    says: [/with timeout_ms 0 the call returns at once/],
    instead: headless({ action: 'run', command: 'sleep 1', timeout_ms: 0 }),
    works: { status: 'accepted', result: { state: 'running' } },
  },
  {
    what: 'a description beside the command',
    sent: { action: 'run', command: 'pwd', description: 'where am I' },
    says: [/did you mean context\?/],
    instead: headless({ action: 'run', command: 'pwd', context: 'where am I' }),
  },
  {
    what: 'names in camel case',
    sent: { action: 'run', command: 'pwd', timeoutMs: 5000, workingDirectory: 'sub' },
    instead: headless({ action: 'run', command: 'pwd', timeout_ms: 5000, cwd: 'sub' }),
    works: { result: { stdout: expect.stringMatching(/sub\n$/) } },
  },
  {
    what: 'variables as a list',
    sent: { action: 'run', command: 'pwd', env: ['CI=1'] },
    instead: headless({ action: 'run', command: 'pwd', env: { CI: '1' } }),
  },
  {
    what: 'cd before the command',
    sent: { action: 'run', command: 'cd sub && pwd' },
    says: [/&&/],
    reads: words => (/field cwd does what cd does/.test(words) ? headless({ ...PWD.arguments, cwd: 'sub' }) : null),
    works: { result: { stdout: expect.stringMatching(/sub\n$/) } },
  },
  {
    what: 'a variable before the command',
    sent: { action: 'run', command: 'CI=1 pwd' },
    says: [/the line has CI=/],
    reads: words => (/field env sets variables/.test(words) ? headless({ ...PWD.arguments, env: { CI: '1' } }) : null),
  },
  {
    what: 'cd before the command, as it stands',
    sent: { action: 'run', command: 'cd sub && pwd && cd ..' },
    instead: interactive({
      action: 'execute',
      invocation: INVOCATION,
      execution: { command: 'cd sub && pwd && cd ..' },
    }),
    works: { result: { stdout: expect.stringMatching(/sub\n$/) } },
  },
  {
    what: 'a pipeline',
    sent: { action: 'run', command: 'cat notes.txt | wc -l' },
    says: [/takes no shell operators/],
    instead: interactive({
      action: 'execute',
      invocation: INVOCATION,
      execution: { command: 'cat notes.txt | wc -l' },
    }),
    works: { result: { stdout: '1\n' } },
  },
  {
    what: 'a quote that is not closed',
    sent: { action: 'run', command: 'ls "notes.txt' },
    says: [/a quote that is not closed/],
    reads: words =>
      /quote that is not closed/.test(words) ? headless({ action: 'run', command: 'ls "notes.txt"' }) : null,
    works: LISTING,
  },
  {
    what: 'a program that is misspelled',
    sent: { action: 'run', command: 'sl -a' },
    says: [/no program sl on the PATH/],
    reads: words => (/no program sl on the PATH/.test(words) ? headless({ action: 'run', command: 'ls -a' }) : null),
    works: LISTING,
  },
  {
    what: 'the id of a run by another name',
    sent: { action: 'read_output', id: 'known-run' },
    says: [/did you mean session_id\?/],
    instead: headless({ action: 'read_output', session_id: 'known-run' }),
    works: READ,
  },
  {
    what: 'the interactive word for the end of a run',
    sent: { action: 'terminate', session_id: 'known-run' },
    instead: headless({ action: 'kill', session_id: 'known-run' }),
    works: READ,
  },
  {
    what: 'reading without saying what',
    sent: { action: 'read_output' },
    says: [/session_id is required for read_output/],
    instead: headless({ action: 'list' }),
    works: LISTED,
  },
  {
    what: 'an id that was made up',
    sent: { action: 'read_output', session_id: 'session-1' },
    says: [/There is no run session-1/],
    instead: headless({ action: 'list' }),
    works: LISTED,
  },
  {
    what: 'wait as a number',
    sent: { action: 'read_output', session_id: 'known-run', wait: 5 },
    instead: headless({ action: 'read_output', session_id: 'known-run', wait: { until: 'exit', timeout_ms: 5000 } }),
    works: READ,
  },
  {
    what: 'offset and limit for what is read',
    sent: { action: 'read_output', session_id: 'known-run', offset: 2, limit: 500 },
    says: [/did you mean cursor\?/, /did you mean max_bytes\?/],
    instead: headless({ action: 'read_output', session_id: 'known-run', cursor: 2, max_bytes: 500 }),
    works: READ,
  },
]

/** The call behind "Read on with", which stands in either form. */
function reading(words: string): SentCall | null {
  const [, id] = /"session_id":"(req_[0-9a-f]{8})/.exec(words) ?? []
  return id === undefined
    ? null
    : headless({ action: 'read_output', session_id: id, cursor: 0, wait: { until: 'exit', timeout_ms: 30_000 } })
}

const TO_INTERACTIVE: readonly Row[] = [
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

const of =
  (tool: string) =>
  (row: Row): WrongCall => ({ works: RAN, ...row, tool, what: `${tool}: ${row.what}` })

export const WRONG_CALLS: readonly WrongCall[] = [
  ...TO_HEADLESS.map(of(HEADLESS)),
  ...TO_INTERACTIVE.map(of(INTERACTIVE)),
]
