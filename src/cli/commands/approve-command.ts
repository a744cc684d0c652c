import { dirname } from 'node:path'
import { type Admission, seekAdmission } from '../../admission/seek-admission.ts'
import { privateDirectory, writeAtomically } from '../../base/atomic-file.ts'
import { systemClock } from '../../base/clock.ts'
import { makeApproverRecord } from '../../base/keys/approver-key.ts'
import { toType } from '../../base/own-command.ts'
import type { Paths } from '../../config/paths.ts'
import { type Configuration, loadSettings, type RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import { hasApproverRecord } from '../../host/approvers/record.ts'
import { PersonPrompts } from '../../tui/approve/prompts.ts'
import { ApproveSession } from '../../tui/approve/session.ts'
import { askSecretly } from '../../tui/approve/terminal.ts'
import { refuseContainer } from '../machine/refuse-container.ts'
import { say } from '../machine/say.ts'
import { approverHere } from '../person/seal-here.ts'
import { type DialedHost, dialApprovers, nameOfPerson, needPerson } from '../reach/approver-dial.ts'
import { howToSet, refuseBrokenRecord } from '../reach/approver-file.ts'
import { brokenHostFile } from '../reach/host-lock.ts'

const streams = { stdin: process.stdin, stdout: process.stdout }
const LOOK_AGAIN_MS = 500
const SHORTEST_PASSPHRASE = 8

/** `interactive-terminal approve`: a person answers the questions of agents in their own terminal. */
export async function approveCommand(raw: RawSettings): Promise<number> {
  needPerson('answer questions')
  const configuration = loadSettings(raw)
  const prompts = new PersonPrompts(streams)
  let saidWhy = false
  // The first host writes down what it found, a passphrase or none. Rules that a person made before it are no host.
  const isFirst = (await approverHere(configuration.paths)) === 'no_host_yet'
  if (isFirst) await refuseContainer(configuration, raw)
  prompts.known = isFirst ? await firstPassphrase(configuration.paths) : null

  for (;;) {
    const { link, isHost } = await dialUntilThere(configuration, raw, saidWhy)
    saidWhy = false
    prompts.anew()
    let session: ApproveSession | null = null
    const onFrame = (frame: ToApprover) => {
      if (frame.type === 'admitted') session = new ApproveSession({ link, clock: systemClock, streams }, frame)
      else session?.receive(frame)
    }

    const end = () => session?.quit()
    process.once('SIGTERM', end)
    process.once('SIGHUP', end)
    const admission = await seekAdmission({ link, name: nameOfPerson(), surface: 'terminal', prompts, isHost, onFrame })
    const how = await (session as ApproveSession | null)?.over
    process.off('SIGTERM', end)
    process.off('SIGHUP', end)
    link.close('done with it')

    if (how === 'quit') return 0
    saidWhy = how === 'lost'
    if (how === 'lost') say('The host is gone. Waiting for the next one (ctrl-c ends this).')
    else afterNoAdmission(admission, configuration)
  }
}

/** Nobody was admitted: why. */
function afterNoAdmission(admission: Admission, { paths }: Configuration): void {
  switch (admission.at) {
    case 'no_passphrase':
      refuseBrokenRecord(paths.approverFile)
      throw new TermError('PM_TERM_APPROVAL_REQUIRED', noPassphrase())
    case 'refused':
      throw new TermError(
        'PM_TERM_APPROVAL_REQUIRED',
        `The host does not let this terminal answer: ${admission.reason}`,
      )
    case 'lost':
      say(`The connection broke: ${admission.reason}`)
      return
    case 'admitted':
      return
  }
}

/** A passphrase that comes up while a host runs could be anybody's, so it takes none from outside. */
export const noPassphrase = (): string =>
  `The host that runs knows no passphrase of yours, and takes none from outside: a command could have set it. Set one ${howToSet()}.`

/** Before the first host of all: what it finds is the person's. */
async function firstPassphrase({ approverFile }: Paths): Promise<string | null> {
  if (hasApproverRecord(approverFile)) return null
  refuseBrokenRecord(approverFile)
  const chosen = await choosePassphrase()
  privateDirectory(dirname(approverFile))
  writeAtomically(approverFile, `${JSON.stringify(makeApproverRecord(chosen))}\n`)
  say('The passphrase is set. Only its public half is stored; it cannot be recovered, only replaced.')
  return chosen
}

export async function choosePassphrase(): Promise<string> {
  say('Choose a passphrase. Whoever knows it can answer for you, so no agent and no command may see it.')
  for (;;) {
    const first = await askSecretly(streams, `New passphrase (${SHORTEST_PASSPHRASE} characters or more): `)
    if (first === null) throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'No passphrase was set.')
    if ([...first].length < SHORTEST_PASSPHRASE) say('That is too short.')
    else if ((await askSecretly(streams, 'The same again: ')) === first) return first
    else say('Those were two different ones.')
  }
}

/** The host may come later than the person: an agent's first command starts it. */
async function dialUntilThere(configuration: Configuration, raw: RawSettings, saidWhy: boolean): Promise<DialedHost> {
  for (let tries = 0; ; tries += 1) {
    const dialed = await dialApprovers(configuration)
    if (dialed) return dialed
    // None can come in a container: waiting would be for ever.
    if (!saidWhy) await refuseContainer(configuration, raw)
    if (tries === 0 && !saidWhy) {
      const broken = await brokenHostFile(configuration.paths.hostFile)
      if (broken) say(broken.why)
      if (!broken?.runs) say(`No host runs yet. Waiting for one; "${toType()}" starts it (ctrl-c ends this).`)
      else say('Waiting for it (ctrl-c ends this).')
    }
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}
