import { randomInt } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Configuration, RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { RUN_VARIABLE } from '../../runs/run/run-registry.ts'
import { askSecretly } from '../../tui/approve/terminal.ts'
import { belowAgent, procFamily } from '../person/below-agent.ts'
import { type ContainerBoot, containerBoot } from './container-boot.ts'
import { findContainer } from './refuse-container.ts'

/** A person has said that this container is the machine they work on (docs/spec.md D25). Good for one host, as long as it lives. */
export interface HereDeclaration extends ContainerBoot {
  /** Who, and at which terminal. */
  readonly by: string
  readonly terminal: string
  readonly marks: readonly string[]
}

const MOST_TRIES = 3
const streams = { stdin: process.stdin, stdout: process.stdout }

/**
 * `--here`: asks the person in front of this terminal to repeat a code. null: this is no container, so there is nothing to
 * declare. It is a person's act: not below an agent, not without a terminal, and nothing on disk repeats it.
 */
export async function declareHere(configuration: Configuration, raw: RawSettings): Promise<HereDeclaration | null> {
  const { inContainer, why } = await findContainer(configuration, raw)
  if (inContainer === 'no') return null
  const agent = belowAgent(process.pid, procFamily, RUN_VARIABLE)
  if (agent !== null) throw refused(`${agent}. Use a terminal of your own.`)
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw refused('it needs a terminal in the foreground.')
  const code = String(randomInt(10_000)).padStart(4, '0')
  process.stdout.write(
    `This is a container (${why.join('; ')}).
With --here the host runs in it, for as long as this terminal stays open: commands of agents run in this container, and you
approve them in here. Everything in this container can reach the host: start it only where you trust what runs beside it.

`,
  )
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const typed = await askSecretly(streams, `If this container is your machine, type ${code} and press Enter: `)
    if (typed === null) break
    if (typed.trim() === code)
      return { by: userInfo().username, terminal: terminalName(), marks: why, ...containerBoot() }
    process.stdout.write('That was not the code.\n')
  }
  throw refused('the code was not repeated. Nothing was started.')
}

const refused = (why: string): TermError =>
  new TermError('PM_TERM_APPROVAL_REQUIRED', `Only a person can start a host in a container: ${why}`)

function terminalName(): string {
  try {
    return readlinkSync('/proc/self/fd/0')
  } catch {
    return 'a terminal' // a system without /proc
  }
}
