import { join } from 'node:path'
import { DESKTOP_CLIENTS } from './desktop-clients.ts'
import { add, SERVER, type SetupClient, type Surroundings, set, TOOLS, when } from './setup-client.ts'

/** What is known of each client: where its configuration is, and what to write there. Verified with the agents of docs/clients.md. */
export const SETUP_CLIENTS: readonly SetupClient[] = [
  {
    id: 'claude',
    title: 'Claude Code',
    files: ({ home, env, stdio }, onlyTerminal) => {
      const dir = env.CLAUDE_CONFIG_DIR
      return [
        {
          file: dir ? join(dir, '.claude.json') : join(home, '.claude.json'),
          edits: [set(['mcpServers', SERVER], { type: 'stdio', ...stdio, env: {} })],
        },
        {
          file: join(dir ?? join(home, '.claude'), 'settings.json'),
          edits: [
            add(
              ['permissions', 'allow'],
              TOOLS.map(tool => `mcp__${SERVER}__${tool}`),
            ),
            ...when(onlyTerminal, add(['permissions', 'deny'], ['Bash'])),
          ],
        },
      ]
    },
    notes: () => [],
    gate: ({ home, env, stdio }) => [
      {
        file: join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'),
        edits: [
          add(
            ['hooks', 'PreToolUse'],
            [{ matcher: 'Bash|PowerShell', hooks: [{ type: 'command', command: gateCommand(stdio), timeout: 60 }] }],
          ),
        ],
      },
    ],
  },
  {
    id: 'codex',
    title: 'Codex',
    files: ({ home, env, stdio }, onlyTerminal) => [
      {
        file: join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
        edits: [
          {
            kind: 'toml-table',
            name: `mcp_servers.${SERVER}`,
            lines: [
              `[mcp_servers.${SERVER}]`,
              `command = ${JSON.stringify(stdio.command)}`,
              `args = [${stdio.args.map(arg => JSON.stringify(arg)).join(', ')}]`,
              'default_tools_approval_mode = "approve"',
            ],
          },
          ...when(onlyTerminal, { kind: 'toml-key', table: 'features', key: 'shell_tool', value: 'false' }),
        ],
      },
    ],
    notes: () => [],
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    files: ({ home, stdio }, onlyTerminal) => [
      {
        file: join(home, '.gemini/settings.json'),
        edits: [
          set(['mcpServers', SERVER], { ...stdio, trust: true }),
          ...when(onlyTerminal, add(['tools', 'exclude'], ['run_shell_command'])),
        ],
      },
    ],
    notes: () => ['Gemini CLI starts MCP servers only in folders that it trusts; it asks when it starts in a new one.'],
  },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    files: ({ home, env, stdio }) => [
      {
        file: join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'),
        edits: [set(['mcpServers', SERVER], { type: 'local', ...stdio, env: {}, tools: ['*'] })],
      },
    ],
    notes: onlyTerminal => [
      'Copilot CLI keeps no permission in a file: it asks at the first call, unless it is started so:',
      `  copilot --allow-tool '${SERVER}'${onlyTerminal ? ' --excluded-tools bash powershell' : ''}`,
      ...(onlyTerminal ? ['Without that option it keeps its own shell: no file of it can take that away.'] : []),
    ],
  },
  {
    id: 'opencode',
    title: 'opencode',
    files: ({ home, env, exists, stdio }, onlyTerminal) => {
      const dir = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
      const commented = join(dir, 'opencode.jsonc')
      return [
        {
          file: exists(commented) ? commented : join(dir, 'opencode.json'),
          edits: [
            set(['mcp', SERVER], { type: 'local', command: [stdio.command, ...stdio.args], enabled: true }),
            ...TOOLS.map(tool => set(['permission', `${SERVER}_${tool}`], 'allow')),
            ...when(onlyTerminal, set(['permission', 'bash'], 'deny')),
          ],
        },
      ]
    },
    notes: () => [],
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    files: ({ home, stdio }, onlyTerminal) => [
      {
        file: join(home, '.qwen/settings.json'),
        edits: [
          set(['mcpServers', SERVER], { ...stdio, trust: true, alwaysLoadTools: true }),
          ...when(onlyTerminal, add(['permissions', 'deny'], ['run_shell_command'])),
        ],
      },
    ],
    notes: () => [],
  },
  ...DESKTOP_CLIENTS,
]

/** Claude Code goes on when a hook ends with anything but 2: also one that is no longer there must block. */
const gateCommand = ({ command, args: [script = ''] }: Surroundings['stdio']): string =>
  `${JSON.stringify(command)} ${JSON.stringify(script)} gate claude || exit 2`
