import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { needPerson, refuseInsideRun } from '../person/person-check.ts'
import { askHost } from '../reach/ask-host.ts'
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
      stdio: { command: 'node', args: [process.argv[1] ?? '', 'mcp'] },
      stateDir: paths.stateDir,
      say: line => void process.stdout.write(`${line}\n`),
      approvedByHost: async (target, files) => {
        refuseInsideRun(paths.stateDir)
        const who = { name: 'interactive-terminal setup', version }
        const frame = { type: 'setup_request' as const, target, files: [...files] }
        const reply = await askHost(configuration, who, ids => ({ ...frame, ...ids }))
        if (reply === 'no_host') return false
        if (reply.type === 'error') throw new TermError(reply.error.code, reply.error.message)
        if (reply.type === 'setup_answered' && reply.status === 'approved') return true
        const why = 'reason' in reply ? reply.reason : null
        throw new TermError('PM_TERM_DECLINED', `${why ?? 'The host did not agree.'} Nothing was changed.`)
      },
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
