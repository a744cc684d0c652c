import { expect } from 'vitest'
import {
  EXECUTE,
  headless,
  INVOCATION,
  interactive,
  LISTED,
  LISTING,
  PWD,
  READ,
  type Row,
  type SentCall,
} from './wrong-call.ts'

/** To memory_terminal. */
export const TO_HEADLESS: readonly Row[] = [
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
