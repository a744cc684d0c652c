// The agents, pinned: how each is installed, pointed at the scripted model, given our server over HTTP, started with a prompt, and
// interrupted. What belongs into their files for our server over stdio is what `setup` writes.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NAME = 'interactive-terminal'
const COPILOT_FLAGS = ['--allow-tool', NAME, '--excluded-tools', 'bash', 'powershell']

export const AGENTS = {
  claude: {
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    model: ({ home, url, project }) => {
      change(join(home, '.claude.json'), {
        hasCompletedOnboarding: true,
        theme: 'dark',
        numStartups: 5,
        customApiKeyResponses: { approved: ['scripted-key'], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      })
      return {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'scripted-key',
        ANTHROPIC_MODEL: 'claude-sonnet-4-5',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      }
    },
    http: ({ run, url, token }) => {
      run(['mcp', 'remove', '--scope', 'user', NAME])
      const header = `Authorization: Bearer ${token}`
      run(['mcp', 'add', '--scope', 'user', '--transport', 'http', NAME, url, '--header', header])
    },
    print: prompt => ['-p', prompt],
    window: { args: [], ready: /\? for shortcuts|❯/, interrupt: ['\x1b'] },
    asksItself: /Do you want to proceed\?|Yes, and don.t ask again/,
    ownShell: ['Bash', 'PowerShell'],
  },
  codex: {
    title: 'Codex',
    package: '@openai/codex',
    version: '0.166.0',
    model: ({ home, url, project }) => {
      const file = join(home, '.codex/config.toml')
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(
        file,
        `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
`,
      )
      return { SCRIPTED_KEY: 'x' }
    },
    http: ({ home, run, url, token }) => {
      run(['mcp', 'remove', NAME])
      run(['mcp', 'add', NAME, '--url', url, '--bearer-token-env-var', 'INTERACTIVE_TERMINAL_TOKEN'])
      appendFileSync(join(home, '.codex/config.toml'), 'default_tools_approval_mode = "approve"\n')
      return { INTERACTIVE_TERMINAL_TOKEN: token }
    },
    print: prompt => ['exec', '--skip-git-repo-check', prompt],
    window: { args: [], ready: /›|context left/, interrupt: ['\x1b'] },
    asksItself: /Allow the .* MCP server|Approve for this session|Yes, (proceed|just this once)/i,
    ownShell: ['shell', 'exec_command', 'write_stdin', 'local_shell', 'shell_command', 'unified_exec'],
  },
  gemini: {
    title: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    model: ({ home, url }) => {
      change(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        ui: { theme: 'Default' },
        model: { name: 'gemini-2.5-flash' },
      })
      return { GEMINI_API_KEY: 'scripted-key', GOOGLE_GEMINI_BASE_URL: url }
    },
    http: ({ home, url, token }) => httpInSettings(join(home, '.gemini/settings.json'), url, token),
    print: prompt => ['-p', prompt],
    window: { args: [], ready: /Type your message/, interrupt: ['\x1b'] },
    asksItself: /Allow execution of MCP tool|Allow once/,
    ownShell: ['run_shell_command'],
  },
  qwen: {
    title: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    model: ({ home, url }) => {
      change(join(home, '.qwen/settings.json'), {
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        ui: { theme: 'Qwen Dark' },
      })
      return { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' }
    },
    http: ({ home, url, token }) =>
      httpInSettings(join(home, '.qwen/settings.json'), url, token, { alwaysLoadTools: true }),
    print: prompt => ['-p', prompt],
    window: { args: [], ready: /Type your message/, interrupt: ['\x1b'] },
    asksItself: /Allow execution of|Do you want to proceed|Yes, allow once/,
    ownShell: ['run_shell_command'],
  },
  opencode: {
    title: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    model: ({ home, url }) => {
      const models = { scripted: { name: 'scripted', tool_call: true, limit: { context: 200000, output: 4000 } } }
      const options = { baseURL: `${url}/v1`, apiKey: 'x' }
      change(join(home, '.config/opencode/opencode.json'), {
        autoupdate: false,
        share: 'disabled',
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models } },
      })
      return { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }
    },
    http: ({ home, url, token }) => {
      const headers = { Authorization: `Bearer ${token}` }
      const mcp = { [NAME]: { type: 'remote', url, headers, enabled: true, oauth: false } }
      change(join(home, '.config/opencode/opencode.json'), { mcp })
    },
    print: prompt => ['run', prompt],
    window: { args: [], ready: /Ask anything|ctrl\+p/, interrupt: ['\x1b', '\x1b'] },
    asksItself: /Permission required|Allow once/,
    ownShell: ['bash'],
  },
  copilot: {
    title: 'Copilot CLI',
    package: '@github/copilot',
    version: '1.0.102',
    model: ({ home, url, project }) => {
      change(join(home, '.copilot/config.json'), { trustedFolders: [project], banner: 'never', autoUpdate: false })
      return {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: 'x',
        COPILOT_MODEL: 'scripted',
        COPILOT_OFFLINE: 'true',
        COPILOT_AUTO_UPDATE: 'false',
      }
    },
    http: ({ home, url, token }) => {
      const headers = { Authorization: `Bearer ${token}` }
      change(join(home, '.copilot/mcp-config.json'), {
        mcpServers: { [NAME]: { type: 'http', url, headers, tools: ['*'] } },
      })
    },
    // As `setup copilot --only-terminal` says: it keeps this in no file.
    print: prompt => ['-p', prompt, ...COPILOT_FLAGS],
    window: { args: COPILOT_FLAGS, ready: /❯|for shortcuts|Describe a task/, interrupt: ['\x03'] },
    asksItself: /Do you want to (use|run)|approve .* for the rest/i,
    // read_bash and others stay, and have nothing to read.
    ownShell: ['bash', 'powershell', 'write_bash'],
  },
}

/** Changes values on the top level of a JSON file; one more level down for servers. */
function change(file, values) {
  mkdirSync(dirname(file), { recursive: true })
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  writeFileSync(file, `${JSON.stringify({ ...before, ...values }, null, 2)}\n`)
}

function httpInSettings(file, httpUrl, token, more = {}) {
  const headers = { Authorization: `Bearer ${token}` }
  change(file, { mcpServers: { [NAME]: { httpUrl, headers, trust: true, ...more } } })
}
