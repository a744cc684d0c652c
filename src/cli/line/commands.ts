import type { CommandOption, CommandRow } from './command-row.ts'

/** The command that runs when none is named. */
export const START = 'start'

/** What `setup` knows; a test holds it to its table, which is too large to be loaded for every command. */
const CLIENTS = [
  'claude',
  'codex',
  'gemini',
  'copilot',
  'opencode',
  'qwen',
  'cursor',
  'vscode',
  'claude-desktop',
  'continue',
  'cline',
] as const
const PLACES = ['state', 'data', 'keys', 'http-token', 'settings', 'bridge-socket'] as const
const JSON_OPTION: CommandOption = { name: 'json', value: null, sentence: 'answers in JSON' }

/** Every command of the executable, once: help, parsing, completion, the manual page and "did you mean" are made from this table. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: START,
    operands: '',
    mostOperands: 0,
    sentence:
      'starts the host: approvals open in a window, MCP is also served over HTTP, and the config for your client is printed (also: no command at all)',
    group: 'use',
    options: [
      {
        name: 'here',
        value: null,
        sentence: 'in a container that is your machine: runs the host in it, after you have repeated a code',
      },
      {
        name: 'passphrase',
        value: null,
        sentence: 'sets the approver passphrase, or another one, in this terminal before it starts to answer',
      },
    ],
  },
  {
    name: 'open',
    operands: '',
    mostOperands: 0,
    sentence: 'shows the window, and starts the host if none runs',
    group: 'use',
    options: [JSON_OPTION],
  },
  {
    name: 'status',
    operands: '',
    mostOperands: 0,
    sentence: 'whether a host runs, who may answer, and what runs; ends with 3 when none runs',
    group: 'use',
    options: [JSON_OPTION],
  },
  {
    name: 'stop',
    operands: '',
    mostOperands: 0,
    sentence: 'ends the host in order, and everything it started',
    group: 'use',
    options: [
      { name: 'force', value: null, sentence: 'asks nothing, also when commands are running' },
      { name: 'json', value: null, sentence: 'answers in JSON, and asks nothing' },
    ],
  },
  {
    name: 'approve',
    operands: '',
    mostOperands: 0,
    sentence: 'answers the questions of agents in this terminal',
    group: 'use',
    options: [],
  },
  {
    name: 'attach',
    operands: '[terminal]',
    mostOperands: 1,
    sentence: 'joins a terminal of the host in this one; Ctrl+] leaves it, and it goes on',
    group: 'use',
    options: [],
  },
  {
    name: 'setup',
    operands: '<client>',
    mostOperands: 1,
    choices: CLIENTS,
    bareIsHelp: true,
    sentence: 'connects an agent: its MCP entry, and the permission for our tools so that it does not ask first',
    group: 'use',
    options: [
      { name: 'write', value: null, sentence: 'writes what is shown, after you have agreed' },
      { name: 'only-terminal', value: null, sentence: 'takes the agent’s own shell tool away as well' },
      { name: 'gate', value: null, sentence: 'its own shell tool asks our gate first; only claude has such a hook' },
      {
        name: 'check',
        value: null,
        sentence: 'starts the entry that is in its file, as it would, and lists the tools',
      },
      { name: 'undo', value: null, sentence: 'takes back what was written, and nothing else' },
    ],
    more: `  clients: ${CLIENTS.join(', ')}
  setup claude                          shows what belongs into the files of Claude Code
  setup claude --only-terminal --write  writes it; from then on its commands come here or not at all`,
  },
  {
    name: 'mcp',
    operands: '',
    mostOperands: 0,
    sentence: 'MCP over stdio: this is what a client starts',
    group: 'use',
    options: [],
  },
  {
    name: 'gate',
    operands: '<client>',
    mostOperands: 1,
    verbs: ['claude'],
    bareIsHelp: true,
    sentence: 'judges a command that a client wants to run itself: what "setup claude --gate" makes it ask',
    group: 'use',
    options: [],
    more: `  reads the call of a hook from stdin and answers as the client wants it; nothing is started`,
  },
  {
    name: 'host',
    operands: '',
    mostOperands: 0,
    sentence: 'the host alone: an MCP server starts it when it is needed',
    group: 'use',
    options: [{ name: 'launched', value: null, sentence: 'started by an MCP server: takes settings from files only' }],
  },
  {
    name: 'policy',
    operands: '<verb>',
    mostOperands: 2,
    verbs: ['explain', 'list', 'trust', 'try', 'add', 'remove', 'replay', 'eval'],
    bareIsHelp: true,
    sentence: 'what may run without approval, and why a command needs it',
    group: 'rules',
    options: [
      { name: 'directory', value: 'dir', sentence: 'look from there instead of from here' },
      { name: 'workspace', value: 'id', sentence: 'look from the directory bound to it; trust: the id to give' },
      { name: 'headless', value: null, sentence: 'add, remove: the rule counts for memory_terminal only' },
      { name: 'bind-only', value: null, sentence: 'trust: bind the directory, but do not trust its own code' },
    ],
    more: `  explain "<command>"    what would happen to a command here, part by part, and which rule would cover it
  list                   what may run without approval in this directory, and where each rule comes from
  trust [directory]      trust a folder: its own code may run (npm test, pytest, cargo test …)
  try [off]              try what no rule covers in a sandbox first, in this folder (docs/try.md); off: ask again
  add "<rule>"           allow a command: a rule is a list of words; a final * allows any further arguments
  remove "<rule>"
  replay ["<rule>"]      what would happen to past requests today, or with one rule more
  eval                   judges JSON lines from stdin: {id, command, args?, env?, shell?, lane?} with {allowlist}, defaults off,
                         or with {cwd, workspace: {directory, trusted} | null, patterns?, defaults?, venv_path?, activate_venv?}
                         on this disk, as a request there would be`,
  },
  {
    name: 'runs',
    operands: '[id]',
    mostOperands: 1,
    sentence: 'what was requested, and what became of it',
    group: 'look',
    options: [JSON_OPTION],
  },
  {
    name: 'export',
    operands: '<run>',
    mostOperands: 1,
    bareIsHelp: true,
    sentence: 'one run with its output, as text, JSON or an asciicast to replay',
    group: 'look',
    options: [
      { name: 'format', value: 'text|json|asciicast', sentence: 'what to write; text unless it is said' },
      { name: 'cast-version', value: '2|3', sentence: 'of an asciicast; 3 unless it is said' },
    ],
    more: `  export <run> > run.txt                          what it was, and what it printed as a person would see it
  export <run> --format json > run.json           every byte and when it came, for programs
  export <run> --format asciicast > run.cast      for a player of asciinema; approvals are markers`,
  },
  {
    name: 'verify',
    operands: '[row | receipt | run]',
    mostOperands: 1,
    sentence:
      'whether the journal is what it was when it was written; row: what an earlier verify printed; receipt: a file, or - for stdin',
    group: 'look',
    options: [],
    more: `  verify                 goes through the journal and the ledgers of servers
  verify receipt.json    what of a receipt holds, what is contradicted, and what can no longer be known
  verify <run>           the same for what the records of a run say
  ends with 1 when something is not as it was written, or contradicts it`,
  },
  {
    name: 'doctor',
    operands: '',
    mostOperands: 0,
    sentence: 'checks everything a request needs, and shows what was set',
    group: 'look',
    options: [
      { name: 'settings', value: null, sentence: 'shows every setting with its value and source' },
      { name: 'json', value: null, sentence: 'answers in JSON: checks with their times and fixes, and all settings' },
    ],
    more: `  goes the way of a request: files and keys, then the host, its hello, terminals, window, rules, journal, containers
  ends with 1 when a check failed; the first failure is the one to fix first`,
  },
  {
    name: 'where',
    operands: '[what]',
    mostOperands: 1,
    choices: PLACES,
    sentence: `where something of yours is: ${PLACES.join(', ')}`,
    group: 'look',
    options: [JSON_OPTION],
  },
  {
    name: 'pair',
    operands: '<name>',
    mostOperands: 1,
    bareIsHelp: true,
    sentence: 'admits a container under a name of its own',
    group: 'containers',
    options: [
      { name: 'list', value: null, sentence: 'who may come in' },
      {
        name: 'revoke',
        value: null,
        sentence: 'nobody comes in under that name any more, and who is connected is cut off',
      },
    ],
    more: `  pair <name>            makes the key of a container, or of another client, and prints how to mount it
  pair --list
  pair --revoke <name>`,
  },
  {
    name: 'bridge',
    operands: '',
    mostOperands: 0,
    sentence: 'listens for containers, and starts the host when one that is paired first calls',
    group: 'containers',
    options: [],
  },
  {
    name: 'completion',
    operands: '<shell>',
    mostOperands: 1,
    verbs: ['bash', 'zsh', 'fish'],
    bareIsHelp: true,
    sentence: 'prints what a shell needs to complete our commands, their words and options',
    group: 'shell',
    options: [],
    more: `  with our name on your PATH, in place of "it":
  bash: source <(it completion bash)          in ~/.bashrc
  zsh:  source <(it completion zsh)           in ~/.zshrc, behind compinit
  fish: it completion fish | source           in ~/.config/fish/config.fish`,
  },
  {
    name: 'man',
    operands: '',
    mostOperands: 0,
    sentence: 'prints the manual page, for example for "man -l -"',
    group: 'shell',
    options: [],
  },
]

export const commandNamed = (name: string): CommandRow | null => COMMANDS.find(row => row.name === name) ?? null
