import { seekAdmission } from '../../admission/seek-admission.ts'
import { systemClock } from '../../base/clock.ts'
import { Disposables } from '../../base/disposable.ts'
import { keepAlive } from '../../base/link/heartbeat.ts'
import type { Configuration } from '../../config/settings.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import { PersonPrompts } from '../../tui/approve/prompts.ts'
import { dialApprovers, nameOfPerson, needPerson } from '../reach/approver-dial.ts'
import { brokenRecord } from '../reach/approver-file.ts'
import { noPassphrase } from './approve-command.ts'

type ScreenVariables = Readonly<Record<string, string>>

const OF_A_SCREEN = /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_[A-Z_]{1,64}|DBUS_SESSION_BUS_ADDRESS)$/
/** A window has 15 s to report in; this is a little more. */
export const SHOWN_WITHIN_MS = 20_000

/** What this terminal knows about the desktop it is on; null: it is on none. */
export function screenHere(env: Readonly<Record<string, string | undefined>>): ScreenVariables | null {
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return null
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value && OF_A_SCREEN.test(name)) picked[name] = value
  return picked
}

/**
 * The window is to be shown where this terminal is. Whoever says where it is shown can press what is on it, so the person proves
 * to be one first, as for answering: by their passphrase, or by a code that another approver shows (ADR 25).
 */
export async function handScreen(
  configuration: Configuration,
  screen: ScreenVariables,
): Promise<{ readonly shown: boolean; readonly message: string }> {
  needPerson('say where the window is shown')
  const streams = { stdin: process.stdin, stdout: process.stdout }
  const where = screen.WAYLAND_DISPLAY ?? screen.DISPLAY
  streams.stdout.write(
    `The host found no screen by itself. To show its window on this one (${where}), prove that it is you.\n`,
  )
  const prompts = new PersonPrompts(streams)
  const dialed = await dialApprovers(configuration)
  if (dialed === null) return { shown: false, message: 'The host has just ended.' }
  const { link, isHost } = dialed
  const life = new Disposables()
  const shown = new Promise<{ shown: boolean; message: string }>(resolve => {
    const onFrame = (frame: ToApprover) => {
      if (frame.type === 'admitted') {
        life.add(keepAlive(link, { clock: systemClock, intervalMs: frame.heartbeat_interval_ms }))
        link.send({ type: 'use_screen', env: screen })
      } else if (frame.type === 'screen_used') resolve(frame)
      else if (frame.type === 'refused') resolve({ shown: false, message: frame.reason })
    }
    link.onClose(reason => resolve({ shown: false, message: `The host ended the connection: ${reason}.` }))
    // Nothing of ours keeps the process alive by itself; this does, until there is an answer.
    const awake = setInterval(() => {}, 1000)
    life.defer(() => clearInterval(awake))
    const surface = 'attach'
    void seekAdmission({ link, name: nameOfPerson(), surface, prompts, isHost, onFrame }).then(admission => {
      const broken = admission.at === 'no_passphrase' ? brokenRecord(configuration.paths.approverFile) : null
      if (broken !== null) resolve({ shown: false, message: broken })
      else if (admission.at === 'no_passphrase') resolve({ shown: false, message: noPassphrase() })
      else if (admission.at === 'admitted') {
        life.add(
          systemClock.after(SHOWN_WITHIN_MS, () =>
            resolve({ shown: false, message: 'The host did not say whether it did.' }),
          ),
        )
      } else resolve({ shown: false, message: `The host does not admit this terminal: ${admission.reason}.` })
    })
  })
  const answer = await shown
  life.dispose()
  link.close('done with it')
  return answer
}
