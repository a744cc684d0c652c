import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { systemClock } from '../../base/clock.ts'
import { isShortLived } from '../../base/own-command.ts'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { needPerson, refuseInsideRun } from '../person/person-check.ts'
import { approvedByHost } from '../reach/ask-host.ts'
import { type SetupFlags, setupCommand } from './setup-command.ts'

/** `setup`, with this machine, this person and this executable put in. */
export function runSetup(
  raw: RawSettings,
  words: readonly string[],
  flags: SetupFlags,
  version: string,
): Promise<number> {
  const configuration = loadSettings(raw)
  const { paths } = configuration

  return setupCommand(
    {
      home: homedir(),
      platform: process.platform,
      env: raw.env,
      isShortLived: isShortLived(process.argv[1] ?? ''),
      stdio: { command: 'node', args: [process.argv[1] ?? '', 'mcp'] },
      stateDir: paths.stateDir,
      say: line => void process.stdout.write(`${line}\n`),
      approvedByHost: async (target, files) => {
        refuseInsideRun(paths.stateDir)
        const who = { name: 'interactive-terminal setup', version }
        const frame = { type: 'setup_request' as const, target, files: [...files] }
        return approvedByHost(configuration, who, ids => ({ ...frame, ...ids }), 'setup_answered')
      },
      clock: systemClock,
      needPerson: () => needPerson(paths.stateDir),
      confirm: async question => {
        const terminal = createInterface({ input: process.stdin, output: process.stdout })
        const answer = await terminal.question(`${question} [y/N] `)
        terminal.close()
        return /^(y|yes)$/i.test(answer.trim())
      },
    },
    words,
    flags,
  )
}
