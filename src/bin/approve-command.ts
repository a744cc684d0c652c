import { makeApproverRecord } from '../base/approver-key.ts'
import { writeAtomically } from '../base/atomic-file.ts'
import { systemClock } from '../base/clock.ts'
import type { Link } from '../base/link.ts'
import { type Configuration, loadSettings, type RawSettings } from '../config/settings.ts'
import type { ToApprover } from '../contract/approver-frames.ts'
import { TermError } from '../contract/errors.ts'
import { type Admission, seekAdmission } from './approve-admission.ts'
import { ApproveSession } from './approve-session.ts'
import { askSecretly } from './approve-terminal.ts'
import { dialApprovers, nameOfPerson, needPerson } from './approver-dial.ts'

const streams = { stdin: process.stdin, stdout: process.stdout }
const LOOK_AGAIN_MS = 500
const SHORTEST_PASSPHRASE = 8

/** `interactive-terminal approve`: a person answers the questions of agents in their own terminal. */
export async function approveCommand(raw: RawSettings): Promise<number> {
  needPerson('answer questions')
  const configuration = loadSettings(raw)
  // Kept in memory only, so that a host that starts anew need not ask again.
  let known: string | null = null
  const passphrase = async (problem: string | null): Promise<string | null> => {
    if (problem !== null) known = null
    if (problem !== null) say(problem)
    known ??= await askSecretly(streams, 'Approver passphrase: ')
    return known
  }
  for (;;) {
    const link = await dialUntilThere(configuration)
    let session: ApproveSession | null = null
    const onFrame = (frame: ToApprover) => {
      if (frame.type === 'admitted') session = new ApproveSession({ link, clock: systemClock, streams }, frame)
      else session?.receive(frame)
    }
    const end = () => session?.quit()
    process.once('SIGTERM', end)
    process.once('SIGHUP', end)
    const admission = await seekAdmission({
      link,
      name: nameOfPerson(),
      surface: 'terminal',
      passphrase,
      onFrame,
    })
    const how = await (session as ApproveSession | null)?.over
    process.off('SIGTERM', end)
    process.off('SIGHUP', end)
    link.close('done with it')
    if (how === 'quit') return 0
    if (how === 'lost') say('The host is gone. Waiting for the next one (ctrl-c ends this).')
    else known = await afterNoAdmission(admission, configuration, known)
  }
}

/** Nobody was let in: set a passphrase if there is none, otherwise say why. */
async function afterNoAdmission(
  admission: Admission,
  { paths }: Configuration,
  known: string | null,
): Promise<string | null> {
  switch (admission.at) {
    case 'no_passphrase': {
      const chosen = await choosePassphrase()
      writeAtomically(paths.approverFile, `${JSON.stringify(makeApproverRecord(chosen))}\n`)
      say('The passphrase is set. Only its public half is stored; it cannot be recovered, only replaced.')
      return chosen
    }
    case 'refused':
      throw new TermError(
        'PM_TERM_APPROVAL_REQUIRED',
        `The host does not let this terminal answer: ${admission.reason}`,
      )
    case 'lost':
      say(`The connection broke: ${admission.reason}`)
      return known
    case 'admitted':
      return known
  }
}

async function choosePassphrase(): Promise<string> {
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
async function dialUntilThere(configuration: Configuration): Promise<Link> {
  for (let tries = 0; ; tries += 1) {
    const link = await dialApprovers(configuration)
    if (link) return link
    if (tries === 0) say('No host runs yet. Waiting for one; "interactive-terminal" starts it (ctrl-c ends this).')
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
