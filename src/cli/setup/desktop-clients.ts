import { join } from 'node:path'
import { add, SERVER, type SetupClient, type Surroundings, set, TOOLS } from './setup-client.ts'

/** Editors and desktop programs, and what lives in an editor. */
export const DESKTOP_CLIENTS: readonly SetupClient[] = [
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
        file: join(desktopDirectory(home, platform, env, 'Code/User'), 'mcp.json'),
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
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    files: ({ home, platform, env, stdio }) => [
      {
        file: join(desktopDirectory(home, platform, env, 'Claude'), 'claude_desktop_config.json'),
        edits: [set(['mcpServers', SERVER], { ...stdio })],
      },
    ],
    notes: () => [
      'Claude Desktop asks at the first call of each tool: choose "Always allow" there. It has no shell of its own.',
      'It must be ended and started anew. (As documented for macOS and Windows, not tried.)',
    ],
  },
  {
    id: 'continue',
    title: 'Continue',
    files: ({ home, stdio }) => [
      {
        file: join(home, '.continue/mcpServers/interactive-terminal.json'),
        edits: [set(['mcpServers', SERVER], { ...stdio })],
      },
    ],
    notes: onlyTerminal => [
      'Its editor extensions read that file. Its command line (cn) does not: there the entry belongs under mcpServers in ~/.continue/config.yaml.',
      ...(onlyTerminal
        ? [
            'Its own terminal tool is taken away by hand: in the tools of the chat, set run_terminal_command to "Excluded".',
          ]
        : []),
    ],
  },
  {
    id: 'cline',
    title: 'Cline',
    files: ({ home, env, stdio }) => [
      {
        file: join(
          env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(home, '.cline'), 'data'),
          'settings/cline_mcp_settings.json',
        ),
        edits: [
          set(['mcpServers', SERVER], {
            transport: { type: 'stdio', ...stdio },
            disabled: false,
            autoApprove: [...TOOLS],
          }),
        ],
      },
    ],
    notes: onlyTerminal => [
      'Cline gives up on a call after 60 s and does not say so; a question that takes you longer is answered by its next call.',
      ...(onlyTerminal ? ['Cline has no switch that takes its own terminal tool away: it stays.'] : []),
    ],
  },
]

/** Where programs of a desktop keep their settings. */
function desktopDirectory(home: string, platform: NodeJS.Platform, env: Surroundings['env'], program: string): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), program)
  if (platform === 'darwin') return join(home, 'Library/Application Support', program)
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), program)
}
