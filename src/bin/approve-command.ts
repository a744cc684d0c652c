import { readFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { makeApproverRecord } from '../base/approver-key.ts'
import { writeAtomically } from '../base/atomic-file.ts'
import { systemClock } from '../base/clock.ts'
import { ensureKeyFile } from '../base/key-file.ts'
import type { Link } from '../base/link.ts'
import { DialError, dialPsk } from '../base/psk-socket.ts'
import { type Configuration, loadSettings, type RawSettings } from '../config/settings.ts'
import type { ToApprover } from '../contract/approver-frames.ts'
import { TermError } from '../contract/errors.ts'
import { type Admission, type AdmissionPrompts, seekAdmission } from './approve-admission.ts'
import { drawn } from './approve-drawn.ts'
import { ApproveSession } from './approve-session.ts'
import { askSecretly } from './approve-terminal.ts'

const streams = { stdin: process.stdin, stdout: process.stdout }
const LOOK_AGAIN_MS = 500
const SHORTEST_PASSPHRASE = 8

/** `interactive-terminal approve`: a person answers the questions of agents in their own terminal. */
export async function approveCommand(raw: RawSettings): Promise<number> {
  needPerson()
  const configuration = loadSettings(raw)
  // Kept in memory only, so that a host that starts anew need not ask again.
  let known: string | null = null
  let tried: string | null = null
  const prompts: AdmissionPrompts = {
    async passphrase({ problem, orCode }, signal) {
      // It was tried on this link already, and was wrong.
      if (known !== null && known === tried) known = null
      if (problem !== null) say(problem)
      const more = orCode ? ' (enter alone: another code)' : ''
      const typed = known ?? (await askSecretly(streams, `Approver passphrase${more}: `, signal))
      if (typed) known = tried = typed
      return typed
    },
    code: ({ problem, shownIn, expiresInMs }, signal) => {
      say(problem ?? whereTheCodeIs(shownIn, expiresInMs))
      return askSecretly(streams, shownIn.length === 0 ? '' : 'Code: ', signal)
    },
  }
  for (;;) {
    const link = await dialUntilThere(configuration)
    tried = null
    let session: ApproveSession | null = null
    const onFrame = (frame: ToApprover) => {
      if (frame.type === 'admitted') session = new ApproveSession({ link, clock: systemClock, streams }, frame)
      else session?.receive(frame)
    }
    const end = () => session?.quit()
    process.once('SIGTERM', end)
    process.once('SIGHUP', end)
    const admission = await seekAdmission({ link, name: nameOfPerson(), surface: 'terminal', prompts, onFrame })
    const how = await (session as ApproveSession | null)?.over
    process.off('SIGTERM', end)
    process.off('SIGHUP', end)
    link.close('done with it')
    if (how === 'quit') return 0
    if (how === 'lost') say('The host is gone. Waiting for the next one (ctrl-c ends this).')
    else known = await afterNoAdmission(admission, configuration, known)
  }
}

function whereTheCodeIs(shownIn: readonly string[], expiresInMs: number): string {
  const seconds = Math.round(expiresInMs / 1000)
  const after = `In ${seconds} s the passphrase is taken as well.`
  if (shownIn.length === 0) return `Somebody else is being let in, so no code can be shown now. ${after}`
  const where = shownIn.map(drawn).join(', ')
  return `Another approver is there already, and shows a code now: ${where}.\nType it here. Cannot see it? ${after}`
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
  const { settings, paths } = configuration
  for (let tries = 0; ; tries += 1) {
    try {
      const port = approverPort(configuration)
      if (port === 0) throw new DialError('refused', 'No host has said yet where it listens.')
      return await dialPsk({
        host: '127.0.0.1',
        port,
        identity: 'approver',
        key: ensureKeyFile(paths.localKeyFile),
        timeoutMs: settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS,
        clock: systemClock,
        signal: new AbortController().signal,
      })
    } catch (cause) {
      if (!(cause instanceof DialError) || cause.problem !== 'refused') throw asAdvice(cause)
      if (tries === 0) say('No host runs yet. Waiting for one; "interactive-terminal" starts it (ctrl-c ends this).')
      await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS))
    }
  }
}

const asAdvice = (cause: unknown): unknown =>
  cause instanceof DialError
    ? new TermError('PM_TERM_GUI_UNAVAILABLE', `${cause.message} Another program may hold the port.`, { cause })
    : cause

function approverPort({ settings, sources, paths }: Configuration): number {
  const chosen = settings.PM_TERM_APPROVER_PORT
  if (sources.PM_TERM_APPROVER_PORT.kind !== 'default' && chosen !== 0) return chosen
  try {
    const { approver_port } = JSON.parse(readFileSync(paths.hostFile, 'utf8')) as { approver_port?: unknown }
    return typeof approver_port === 'number' && approver_port > 0 && approver_port < 65_536 ? approver_port : chosen
  } catch {
    // No host has run here yet.
    return chosen
  }
}

function needPerson(): void {
  if (process.env.INTERACTIVE_TERMINAL_RUN !== undefined)
    throw new TermError(
      'PM_TERM_APPROVAL_REQUIRED',
      'A command that runs here cannot answer questions. Use a terminal of your own.',
    )
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'Only a person can answer questions: use a terminal.')
}

const nameOfPerson = (): string => `${userInfo().username}@${hostname()} (terminal)`

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
