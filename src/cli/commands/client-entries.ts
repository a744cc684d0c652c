import type { FirstRun } from '../../contract/window/window-frames.ts'
import { SETUP_CLIENTS } from '../setup/clients.ts'

/** What a person copies into a client. The token itself is never printed: it would stay in a scrollback or a log. */
export function clientEntries(at: {
  readonly port: number
  /** Where the host is, or why there is none. */
  readonly host:
    | { readonly port: number; readonly approverPort: number; readonly inContainer: boolean }
    | { readonly refused: string }
  readonly tokenFile: string
  readonly executable: string
  readonly dataDir: string
}): string {
  const url = `http://127.0.0.1:${at.port}/mcp`
  const bearer = `Bearer $(cat ${quote(at.tokenFile)})`
  const stdio = { command: 'node', args: [at.executable, 'mcp'] }
  const others = SETUP_CLIENTS.map(({ id }) => id)
    .filter(id => id !== 'claude')
    .join(', ')
  return `${'refused' in at.host ? withoutHost(at.host.refused, url) : withHost(at.host, url, quote(at.executable))}
Allowlisted commands run without asking (tool memory_terminal). Your rules: ${at.dataDir}
Stop with Ctrl+C; whatever it started ends with it.

Connect an agent (shows the change, asks, writes; --undo takes it back; also ${others}):
  node ${quote(at.executable)} setup claude --only-terminal --write

Or by hand, over stdio (the client starts its own server, nothing needs to run here):
  Claude Code   claude mcp add --scope user interactive-terminal -- node ${quote(at.executable)} mcp
  Codex         codex mcp add interactive-terminal -- node ${quote(at.executable)} mcp
  Cursor        ~/.cursor/mcp.json       ${JSON.stringify({ mcpServers: { 'interactive-terminal': stdio } })}
  VS Code       .vscode/mcp.json         ${JSON.stringify({ servers: { 'interactive-terminal': { type: 'stdio', ...stdio } } })}

Or over HTTP, to this process (the token is in ${at.tokenFile}):
  Claude Code   claude mcp add --scope user --transport http interactive-terminal ${url} --header "Authorization: ${bearer}"
  Codex         export INTERACTIVE_TERMINAL_TOKEN="$(cat ${quote(at.tokenFile)})"
                codex mcp add interactive-terminal --url ${url} --bearer-token-env-var INTERACTIVE_TERMINAL_TOKEN
  any client    url ${url}, header Authorization: Bearer <the token>

Let a project's own commands run, once per project, in a terminal of yours:
  cd <project> && node ${quote(at.executable)} policy trust && node ${quote(at.executable)} policy add "npm run build"
Something odd?
  node ${quote(at.executable)} doctor
`
}

/** For a terminal that shows nothing but questions: short, and for every client we know. */
export function connectLines(executable: string, http: string): string[] {
  return [
    'Connect an agent, in a terminal of its project. This shows what belongs into its files, and --write writes it:',
    `  node ${quote(executable)} setup <client>`,
    `  clients: ${SETUP_CLIENTS.map(({ id }) => id).join(', ')}`,
    'Any other client that speaks MCP:',
    `  over stdio: node ${quote(executable)} mcp`,
    `  over HTTP: ${http}`,
    '',
  ]
}

/** The same for the window, one by one: each line shows the change, asks, and writes. */
export function windowEntries(executable: string): FirstRun['entries'] {
  return SETUP_CLIENTS.map(({ id, title }) => ({
    client: title,
    kind: 'shell',
    where: null,
    text: `node ${quote(executable)} setup ${id} --write`,
  }))
}

/** First what is missing: whoever reads only one line must not take this for success. */
const withoutHost = (refused: string, url: string): string =>
  `${refused}

Until then commands of the tool memory_terminal_interactive are refused. What needs no approval is served: MCP over HTTP on ${url}
`

const withHost = (
  host: { port: number; approverPort: number; inContainer: boolean },
  url: string,
  executable: string,
): string =>
  `interactive-terminal is ready: MCP over HTTP on ${url}

The host runs here (MCP servers reach it on 127.0.0.1:${host.port}, approvers on 127.0.0.1:${host.approverPort}). Commands of the tool
memory_terminal_interactive wait for you: answer in this terminal, or in any other with
  node ${executable} approve${host.inContainer ? windowByCode(host.approverPort) : ''}`

/** There is no browser in a container: the person forwards the port, and the page is admitted by a code. */
const windowByCode = (port: number): string => `

Host in a container: everything in this container can reach it. For the window forward port ${port} (VS Code does it by itself, see PORTS), or
  ssh -L ${port}:localhost:${port} <this machine>
then open http://localhost:${port} and type the code that this terminal shows.`

const quote = (path: string): string => (/^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
