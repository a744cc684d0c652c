import { mkdirSync } from 'node:fs'
import { systemClock } from '../../base/clock.ts'
import { toType } from '../../base/own-command.ts'
import { type Configuration, loadSettings, type RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { fingerprint, Pairings } from '../../host/clients/pairings.ts'
import type { Decisions } from '../../policy/files/decisions.ts'
import { openJournal } from '../../runs/journal/journal.ts'
import { say } from '../machine/say.ts'
import { decideHere, hostHidden } from '../person/decide-here.ts'
import { needTerminal, refuseInsideRun } from '../person/person-check.ts'
import { approvedByHost } from '../reach/ask-host.ts'
import { pairSnippet } from './pair-snippet.ts'

export interface PairFlags {
  readonly list?: boolean | undefined
  readonly revoke?: boolean | undefined
}

/** `interactive-terminal pair`: only a person admits somebody; anybody may revoke it. */
export async function pairCommand(
  raw: RawSettings,
  words: readonly string[],
  flags: PairFlags,
  version: string,
): Promise<number> {
  const configuration = loadSettings(raw)
  const { paths, settings } = configuration
  const pairings = new Pairings(paths.keysDir)
  const [name] = words

  if (flags.list) return say(listed(pairings))
  if (name === undefined) throw new TermError('PM_TERM_INVALID_PAYLOAD', 'Whom? For example: pair --revoke box')
  if (flags.revoke) return revoke(configuration, pairings, name)

  refuseInsideRun(paths.stateDir)
  pairings.refuse(name)
  const who = { name: 'interactive-terminal pair', version }
  const frame = { type: 'pairing_request' as const, name }
  if (!(await approvedByHost(configuration, who, ids => ({ ...frame, ...ids }), 'pairing_answered'))) {
    needTerminal()
    await pairHere(configuration, pairings, name)
  }

  // It is mounted in there, so it has to be there.
  mkdirSync(paths.dataDir, { recursive: true, mode: 0o700 })
  return say(
    pairSnippet({
      name,
      keyFile: pairings.fileOf(name),
      dataDir: paths.dataDir,
      socketDir: paths.bridgeSocketFile.replace(/[/\\][^/\\]*$/, ''),
      address: settings.PM_TERM_BRIDGE_ADDRESS,
      port: settings.PM_INTERACTIVE_TERMINAL_HOST_PORT,
      asRoot: process.getuid?.() === 0,
    }),
  )
}

/** The key is made first: what is decided is which one. */
async function pairHere(configuration: Configuration, pairings: Pairings, name: string): Promise<void> {
  pairings.add(name)
  const key = pairings.key(name)
  try {
    const act = {
      kind: 'pairing_changed',
      body: { paired: name, by: 'command line' },
      widens: true,
      decide: (decisions: Decisions) => key && decisions.put('pairings', name, fingerprint(key)),
      effect: () => {},
    } as const
    if ((await decideHere(configuration, act)) === 'a host runs') throw hostHidden()
  } catch (cause) {
    pairings.remove(name)
    throw cause
  }
}

async function revoke(configuration: Configuration, pairings: Pairings, name: string): Promise<number> {
  if (!pairings.remove(name)) throw new TermError('PM_TERM_NOT_FOUND', `Nobody is paired as "${name}".`)
  const body = { revoked: name, by: 'command line' }
  const forget = (decisions: Decisions) => decisions.forget('pairings', name)
  const act = { kind: 'pairing_changed', body, widens: false, decide: forget, effect: () => {} } as const
  // A host that runs sees for itself that the key is gone.
  if ((await decideHere(configuration, act)) === 'a host runs') await note(configuration, body)
  return say(`"${name}" is revoked: nobody comes in under that name, and who was connected is cut off within a second.`)
}

function listed(pairings: Pairings): string {
  const all = pairings.list()
  if (all.length === 0) return `Nobody is paired. ${toType('pair <name>')} admits a container.`
  return all.map(({ name, since }) => `${name.padEnd(24)} since ${new Date(since).toISOString()}`).join('\n')
}

async function note({ paths }: Configuration, body: Readonly<Record<string, unknown>>): Promise<void> {
  const journal = await openJournal(paths.journalFile, systemClock.now)
  journal.append({ kind: 'pairing_changed', requester: null, runId: null, body })
  journal.close()
}
