import type { FirstRun } from '../contract/window-frames.ts'

/** What a person copies into a client. The token itself is never printed: it would stay in a scrollback or a log. */
export function clientEntries(at: {
  readonly port: number
  /** Where the host is, or why there is none. */
  readonly host: { readonly port: number; readonly approverPort: number } | { readonly refused: string }
  readonly tokenFile: string
  readonly executable: string
  readonly dataDir: string
}): string {
  const url = `http://127.0.0.1:${at.port}/mcp`
  const bearer = `Bearer $(cat ${quote(at.tokenFile)})`
  const stdio = { command: 'node', args: [at.executable, 'mcp'] }
  return `interactive-terminal is ready: MCP over HTTP on ${url}

${aboutHost(at.host, quote(at.executable))}
Allowlisted commands run without asking (tool memory_terminal). Your rules: ${at.dataDir}
Stop with Ctrl+C; whatever it started ends with it.

Connect a client over stdio (the client starts its own server, nothing needs to run here):
  Claude Code   claude mcp add interactive-terminal -- node ${quote(at.executable)} mcp
  Codex         codex mcp add interactive-terminal -- node ${quote(at.executable)} mcp
  Cursor        ~/.cursor/mcp.json       ${JSON.stringify({ mcpServers: { 'interactive-terminal': stdio } })}
  VS Code       .vscode/mcp.json         ${JSON.stringify({ servers: { 'interactive-terminal': { type: 'stdio', ...stdio } } })}

Or over HTTP, to this process (the token is in ${at.tokenFile}):
  Claude Code   claude mcp add --transport http interactive-terminal ${url} --header "Authorization: ${bearer}"
  Codex         export INTERACTIVE_TERMINAL_TOKEN="$(cat ${quote(at.tokenFile)})"
                codex mcp add interactive-terminal --url ${url} --bearer-token-env-var INTERACTIVE_TERMINAL_TOKEN
  any client    url ${url}, header Authorization: Bearer <the token>

Let a project's own commands run, once per project, in a terminal of yours:
  cd <project> && node ${quote(at.executable)} policy trust && node ${quote(at.executable)} policy add "npm run build"
Something odd?
  node ${quote(at.executable)} doctor
`
}

/** The same for the window, one by one. */
export function windowEntries(executable: string): FirstRun['entries'] {
  const stdio = { command: 'node', args: [executable, 'mcp'] }
  const line = `node ${quote(executable)} mcp`
  const pretty = (value: unknown) => JSON.stringify(value, null, 2)
  return [
    { client: 'Claude Code', kind: 'shell', where: null, text: `claude mcp add interactive-terminal -- ${line}` },
    { client: 'Codex', kind: 'shell', where: null, text: `codex mcp add interactive-terminal -- ${line}` },
    {
      client: 'VS Code',
      kind: 'file',
      where: '.vscode/mcp.json',
      text: pretty({ servers: { 'interactive-terminal': { type: 'stdio', ...stdio } } }),
    },
    {
      client: 'Cursor',
      kind: 'file',
      where: '~/.cursor/mcp.json',
      text: pretty({ mcpServers: { 'interactive-terminal': stdio } }),
    },
  ]
}

const aboutHost = (host: { port: number; approverPort: number } | { refused: string }, executable: string): string =>
  'refused' in host
    ? `${host.refused}\nCommands of the tool memory_terminal_interactive go there. Until it is reached they are refused: nobody here can be asked.`
    : `The host runs here (MCP servers reach it on 127.0.0.1:${host.port}, approvers on 127.0.0.1:${host.approverPort}). Commands of the tool
memory_terminal_interactive wait for you: answer in this terminal, or in any other with
  node ${executable} approve`

const quote = (path: string): string => (/^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
