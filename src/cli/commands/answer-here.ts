import { hostname, userInfo } from 'node:os'
import { seekAdmission } from '../../admission/seek-admission.ts'
import { systemClock } from '../../base/clock.ts'
import { linkPair } from '../../base/link/link.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Host } from '../../host/host.ts'
import { PersonPrompts } from '../../tui/approve/prompts.ts'
import { ApproveSession } from '../../tui/approve/session.ts'
import { provePassphrase } from '../person/passphrase-here.ts'
import { needPerson } from '../reach/approver-dial.ts'
import { choosePassphrase } from './approve-command.ts'

/** `--passphrase`: whoever started this host is in front of its terminal. Another one than before only with the one before. */
export async function chooseHere({ passphrase }: Host): Promise<void> {
  needPerson('set the passphrase')
  if (passphrase.isSet) await provePassphrase(passphrase, 'The passphrase until now: ')
  passphrase.set(await choosePassphrase(), 'the terminal the host was started in')
}

/** This terminal answers questions until the person quits. */
export async function answerHere({ attach, needsProof }: Host, welcome: readonly string[]): Promise<void> {
  const [hostEnd, link] = linkPair('approver')
  attach(hostEnd)
  const streams = { stdin: process.stdin, stdout: process.stdout }
  if (needsProof === 'passphrase')
    streams.stdout.write(
      'The host before this one did not end where it was started: it was killed, or asked to end. To answer here, prove that it is you.\n',
    )

  const over = new Promise<ApproveSession>((resolve, reject) => {
    let session: ApproveSession | null = null
    void seekAdmission({
      link,
      name: `${userInfo().username}@${hostname()} (the host's own terminal)`,
      surface: 'host_terminal',
      // Without a reason to ask, this terminal is admitted without being asked.
      prompts: new PersonPrompts(streams),
      isHost: () => true,
      onFrame: frame => {
        if (frame.type !== 'admitted') session?.receive(frame)
        else {
          session = new ApproveSession({ link, clock: systemClock, streams, welcome }, frame)
          resolve(session)
        }
      },
    }).then(admission => {
      if (admission.at === 'refused')
        reject(new TermError('PM_TERM_APPROVAL_REQUIRED', `This terminal does not answer: ${admission.reason}.`))
    })
  })
  await (await over).over
}
