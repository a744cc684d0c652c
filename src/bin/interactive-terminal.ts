import { parseArgs } from 'node:util'
import { flagOf, SETTING_NAMES } from '../config/env.ts'
import { type RawSettings, readSettings } from '../config/settings.ts'
import { startStdio } from './start-stdio.ts'

declare const __VERSION__: string

const HELP = `interactive-terminal ${__VERSION__}: a real terminal for AI agents, with a person in charge

  interactive-terminal              the host, and MCP over HTTP beside it, with the entries to copy into your client
  interactive-terminal host         the host alone: an MCP server starts it when it is needed
  interactive-terminal mcp          MCP over stdio: this is what a client starts
  interactive-terminal approve      answer the questions of agents in this terminal
  interactive-terminal attach [id]  join a terminal of the host in this one; ctrl-] leaves, and it goes on
  interactive-terminal doctor       every setting with its source, then every check
  interactive-terminal runs [id]    what was asked, and what became of it
  interactive-terminal verify       whether the journal is what it was when it was written
  interactive-terminal policy       what may run without asking: explain, list, add, remove, trust, replay, eval

Settings are flags, variables or settings.json: see "interactive-terminal doctor".`

/** The one executable. Each subcommand loads only what it needs: a client waits for `mcp` to start. */
async function main(argv: readonly string[]): Promise<number | null> {
  const options = Object.fromEntries(SETTING_NAMES.map(name => [flagOf(name), { type: 'string' as const }]))
  const parsed = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      ...options,
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      workspace: { type: 'string' },
      headless: { type: 'boolean' },
      directory: { type: 'string' },
      'bind-only': { type: 'boolean' },
      launched: { type: 'boolean' },
    },
  })
  const raw: RawSettings = { flags: parsed.values as RawSettings['flags'], env: process.env }
  const [command, ...rest] = parsed.positionals
  if (parsed.values.help) return say(HELP)
  if (parsed.values.version) return say(__VERSION__)
  switch (command) {
    case undefined:
      return (await import('./start-http.ts')).startHttp(raw, __VERSION__)
    case 'mcp':
      return startStdio(raw, __VERSION__)
    case 'host':
      return (await import('./start-host.ts')).startHost(raw, __VERSION__, {
        launched: parsed.values.launched === true,
      })
    case 'verify':
      return (await import('./verify-command.ts')).verifyCommand(raw)
    case 'runs':
      return (await import('./runs-command.ts')).runsCommand(raw, rest)
    case 'approve':
      return (await import('./approve-command.ts')).approveCommand(raw)
    case 'attach':
      return (await import('./attach-command.ts')).attachCommand(raw, rest)
    case 'doctor':
      return (await import('./doctor.ts')).doctor(readSettings(raw), __VERSION__)
    case 'policy':
      return (await import('./policy-command.ts')).policyCommand(raw, rest, parsed.values)
    default:
      process.stderr.write(`There is no command "${command}".\n\n${HELP}\n`)
      return 2
  }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

main(process.argv.slice(2)).then(
  code => {
    // null: a server is running and ends by itself.
    if (code !== null) process.exitCode = code
  },
  (cause: unknown) => {
    // By name: a part that was loaded later has a class of its own.
    const known =
      (cause as Error).name === 'TermError' || (cause as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
    process.stderr.write(`${known ? (cause as Error).message : (cause as Error).stack}\n`)
    process.exitCode = 2
  },
)
