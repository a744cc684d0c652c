import { join } from 'node:path'
import type { ConfigEdit } from './config-edit.ts'

/** What is known of each client: where its configuration is, and what to write there. Verified with the agents of docs/clients.md. */

export const SERVER = 'interactive-terminal'
const TOOLS = ['memory_terminal', 'memory_terminal_interactive'] as const

export interface Surroundings {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly exists: (file: string) => boolean
  /** What starts our server over stdio. */
  readonly stdio: { readonly command: string; readonly args: readonly string[] }
}

export interface FileEdits {
  readonly file: string
  readonly edits: readonly ConfigEdit[]
}

export interface SetupClient {
  readonly id: string
  readonly title: string
  readonly files: (at: Surroundings, onlyTerminal: boolean) => readonly FileEdits[]
  /** What a person must know or do, because no file says it. */
  readonly notes: (onlyTerminal: boolean) => readonly string[]
}

const set = (path: readonly string[], value: unknown): ConfigEdit => ({ kind: 'json-set', path, value })
const add = (path: readonly string[], items: readonly string[]): ConfigEdit => ({ kind: 'json-add', path, items })
const when = (isSo: boolean, edit: ConfigEdit): readonly ConfigEdit[] => (isSo ? [edit] : [])

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
  {
    id: 'cursor',
    title: 'Cursor',
    files: ({ home, stdio }) => [
      { file: join(home, '.cursor/mcp.json'), edits: [set(['mcpServers', SERVER], { ...stdio })] },
      {
        file: join(home, '.cursor/permissions.json'),
        edits: [
          add(
            ['mcpAllowlist'],
            TOOLS.map(tool => `${SERVER}:${tool}`),
          ),
        ],
      },
    ],
    notes: onlyTerminal => [
      'From now on the list in permissions.json counts instead of the MCP allowlist in the settings of Cursor.',
      ...(onlyTerminal ? ['Cursor has no documented switch that takes its own terminal tool away: it stays.'] : []),
    ],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    files: ({ home, platform, env, stdio }) => [
      {
        file: join(vscodeDirectory(home, platform, env), 'mcp.json'),
        edits: [set(['servers', SERVER], { type: 'stdio', ...stdio })],
      },
    ],
    notes: onlyTerminal => [
      'VS Code keeps no permission for single tools in a file: it asks at the first call; choose "Always allow" there.',
      ...(onlyTerminal
        ? ['Its own terminal tool is taken away by hand: in the tools picker of the chat, untick runInTerminal.']
        : []),
    ],
  },
]

function vscodeDirectory(home: string, platform: NodeJS.Platform, env: Surroundings['env']): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), 'Code/User')
  if (platform === 'darwin') return join(home, 'Library/Application Support/Code/User')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code/User')
}
