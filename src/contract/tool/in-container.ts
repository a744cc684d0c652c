import { TermError } from './errors.ts'

/** The reason of a refusal that is no fault: there is simply no host in a container. */
export const IN_CONTAINER = 'in_container'

/** One way to ask a person all the same: what it is for, and what a person types, line by line. */
export interface WayOut {
  readonly way: 'this_container_is_my_machine' | 'host_on_my_own_machine' | 'window_over_a_forwarded_port'
  readonly when: string
  readonly where: string
  readonly commands: readonly string[]
}

/** `executable`: how the program is started here. Each line is for a person in a terminal of their own, never for an agent. */
export const waysOut = (executable: string): readonly WayOut[] => [
  {
    way: 'this_container_is_my_machine',
    when: 'This container is the machine to work on (dev container, Codespaces, remote box, cloud sandbox)',
    where: 'in a terminal in here',
    commands: [`node ${executable} --here`],
  },
  {
    way: 'window_over_a_forwarded_port',
    when: 'The window is wanted for that, not the terminal',
    where: 'on the machine with the screen, while --here runs; VS Code forwards the port by itself',
    commands: ['ssh -L 9101:localhost:9101 <this machine>', 'open http://localhost:9101 in a browser'],
  },
  {
    way: 'host_on_my_own_machine',
    when: 'The container runs on the machine with the screen',
    where: 'on that machine, in a clone of interactive-terminal; then mount the key as it prints',
    commands: ['npm start', 'node dist/interactive-terminal.cjs pair <name>'],
  },
]

/** The same for people, with the command for each. */
export const waysOutText = (executable: string): string =>
  waysOut(executable)
    .map(({ when, where, commands }) => `- ${when}:\n  ${where}\n${commands.map(line => `    ${line}`).join('\n')}`)
    .join('\n')
    .concat('\nMore: docs/containers.md')

/** Nobody can be asked from in here, and trying again changes nothing: a person has to do something first. */
export const inContainerError = (
  why: readonly string[],
  executable: string,
  details: Readonly<Record<string, unknown>> = {},
): TermError =>
  new TermError(
    'PM_TERM_INVALID_MODE',
    `Nobody can be asked from here: this is a container (${why.join('; ')}), and the host does not run in a container by itself. Ways out, for a person:\n${waysOutText(executable)}`,
    { details: { ...details, reason: IN_CONTAINER, marks: why, ways_out: waysOut(executable) } },
  )
