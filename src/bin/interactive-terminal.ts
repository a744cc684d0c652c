import { type CommandLine, readCommandLine } from '../cli/line/command-line.ts'
import { faultWords } from '../cli/line/fault-words.ts'
import type { RawSettings } from '../config/settings.ts'
import { startStdio } from './start-stdio.ts'

declare const __VERSION__: string

type Call = Extract<CommandLine, { kind: 'run' }>

/** Servers go on when nobody reads what they print; `mcp` ends with whoever reads its stdout. */
const SERVERS = ['start', 'mcp', 'host', 'bridge']
/** What a shell calls the end of a program whose reader has gone: `runs | head`. */
const READER_GONE = 141

/** The one executable. Each command loads only what it needs: a client waits for `mcp` to start. */
async function main(argv: readonly string[]): Promise<number | null> {
  const line = readCommandLine(argv, __VERSION__)
  if (line.kind !== 'run' || !SERVERS.includes(line.command.name)) endWithReader()
  else for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  switch (line.kind) {
    case 'say':
      process.stdout.write(`${line.text}\n`)
      return 0
    case 'wrong':
      process.stderr.write(`${line.message}\n`)
      return 2
    case 'run':
      return run(line)
  }
}

async function run({ command, words, options }: Call): Promise<number | null> {
  const raw: RawSettings = { flags: options as RawSettings['flags'], env: process.env }
  switch (command.name) {
    case 'mcp':
      return startStdio(raw, __VERSION__)
    case 'host':
      return (await import('./start-host.ts')).startHost(raw, __VERSION__, { launched: options.launched === true })

    case 'verify':
      return (await import('../cli/commands/verify-command.ts')).verifyCommand(raw, words, __VERSION__)
    case 'runs':
      return (await import('../cli/commands/runs-command.ts')).runsCommand(raw, words, options)
    case 'export':
      return (await import('../cli/commands/export-command.ts')).exportCommand(raw, words, options, {
        version: __VERSION__,
        now: (await import('../base/clock.ts')).systemClock.now,
      })

    case 'open':
      return (await import('../cli/commands/host-commands.ts')).open(raw, __VERSION__, options)
    case 'status':
      return (await import('../cli/commands/host-commands.ts')).status(raw, __VERSION__, options)
    case 'stop':
      return (await import('../cli/commands/host-commands.ts')).stop(raw, __VERSION__, options)
    case 'approve':
      return (await import('../cli/commands/approve-command.ts')).approveCommand(raw)
    case 'attach':
      return (await import('../cli/commands/attach-command.ts')).attachCommand(raw, words)

    case 'doctor':
      return (await import('../cli/doctor/doctor.ts')).doctor(raw, __VERSION__, {
        settings: options.settings === true,
        json: options.json === true,
      })
    case 'bridge':
      return (await import('./start-bridge.ts')).startBridge(raw)
    case 'where':
      return (await import('../cli/commands/where-command.ts')).whereCommand(raw, words, options)
    case 'completion':
      return (await import('../cli/line/completion.ts')).completionCommand(words)
    case 'man':
      process.stdout.write((await import('../cli/line/man-page.ts')).manPage(__VERSION__))
      return 0

    case 'pair':
      return (await import('../cli/commands/pair-command.ts')).pairCommand(raw, words, options, __VERSION__)
    case 'gate':
      return (await import('../cli/commands/gate-command.ts')).gateCommand(raw, __VERSION__, process.stdin)
    case 'setup':
      return (await import('../cli/commands/run-setup.ts')).runSetup(raw, words, options, __VERSION__)
    case 'policy':
      return (await import('../cli/policy/policy-command.ts')).policyCommand(raw, words, options, __VERSION__)

    default:
      return (await import('./start-http.ts')).startHttp(raw, __VERSION__, {
        here: options.here === true,
        passphrase: options.passphrase === true,
      })
  }
}

function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EPIPE') throw cause
      process.exit(READER_GONE)
    })
}

main(process.argv.slice(2)).then(
  code => {
    // null: a server is running and ends by itself.
    if (code !== null) process.exitCode = code
  },
  (cause: unknown) => {
    // What was opened before it failed must not keep it: a host that cannot start is not one that runs.
    process.exitCode ??= 2
    process.stderr.write(`${faultWords(cause)}\n`, () => process.exit())
  },
)
