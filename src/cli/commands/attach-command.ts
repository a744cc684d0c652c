import { seekAdmission } from '../../admission/seek-admission.ts'
import { systemClock } from '../../base/clock.ts'
import { toType } from '../../base/own-command.ts'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import { PersonPrompts } from '../../tui/approve/prompts.ts'
import { AttachSession } from '../../tui/attach/session.ts'
import { dialApprovers, nameOfPerson, needPerson } from '../reach/approver-dial.ts'
import { refuseBrokenRecord } from '../reach/approver-file.ts'

const streams = { stdin: process.stdin, stdout: process.stdout }

/** `interactive-terminal attach <terminal>`: a person joins a live terminal from their own, and leaves it running. */
export async function attachCommand(raw: RawSettings, words: readonly string[]): Promise<number> {
  needPerson('type into a terminal')
  const configuration = loadSettings(raw)
  const dialed = await dialApprovers(configuration)
  if (dialed === null) throw new TermError('PM_TERM_GUI_UNAVAILABLE', 'No host runs, so there is no terminal to join.')
  const { link, isHost } = dialed
  const session = new AttachSession({ link, clock: systemClock, streams }, words.join(' '))
  const end = () => session.leave()
  process.once('SIGTERM', end)
  process.once('SIGHUP', end)

  const admission = await seekAdmission({
    link,
    name: nameOfPerson(),
    surface: 'attach',
    prompts: new PersonPrompts(streams),
    isHost,
    onFrame: (frame: ToApprover) => session.receive(frame),
  })

  switch (admission.at) {
    case 'admitted':
      return session.over
    case 'no_passphrase':
      link.close('nothing to prove with')
      refuseBrokenRecord(configuration.paths.approverFile)
      throw new TermError('PM_TERM_APPROVAL_REQUIRED', `No passphrase is set yet. "${toType('approve')}" sets it.`)
    case 'refused':
      throw new TermError('PM_TERM_APPROVAL_REQUIRED', `The host does not admit this terminal: ${admission.reason}`)
    case 'lost':
      throw new TermError('PM_TERM_DISCONNECTED', `The connection broke: ${admission.reason}`)
  }
}
