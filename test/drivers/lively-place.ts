import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSPHRASE, PersonAtTerminal } from './approver.ts'
import { KnownProcess } from './known-process.ts'
import { type Called, type CallOptions, eventually, type Opened, type OpenOptions, openStdio } from './mcp-client.ts'
import { Place } from './place.ts'
import { quickRecord } from './quick-passphrase.ts'

const RECORD = quickRecord(PASSPHRASE)

/** Any free ports: the host writes down which, and everybody reads it there. */
const PORTS = { PM_TERM_PORT: '0', PM_TERM_APPROVER_PORT: '0' }

/** A place with servers, a host and people in it. Everything that was started in it ends with it. */
export class LivelyPlace {
  readonly place: Place
  readonly #servers: Opened[] = []
  readonly #people: PersonAtTerminal[] = []
  readonly #hosts = new Map<number, KnownProcess>()

  /** `firstDay`: nobody has chosen a passphrase yet. */
  constructor({ firstDay = false } = {}) {
    this.place = new Place({ later: firstDay })
    if (!firstDay) this.place.write('home/state/approver.v1.json', JSON.stringify(RECORD))
    this.settings({})
  }

  async server(options: Omit<OpenOptions, 'place'> = {}): Promise<Opened> {
    const server = await openStdio({ ...options, place: this.place, env: { ...PORTS, ...options.env } })
    this.#servers.push(server)
    return server
  }

  async person(size?: { cols: number; rows: number }): Promise<PersonAtTerminal> {
    const person = await PersonAtTerminal.attach(this.place, PORTS, {
      size,
      other: this.#people.find(({ exitCode }) => exitCode === null),
    })
    this.#people.push(person)
    return person
  }

  /** The person is there first and waits for a host that an agent's first command starts. */
  early(): PersonAtTerminal {
    const person = PersonAtTerminal.start(this.place, PORTS)
    this.#people.push(person)
    return person
  }

  /** Settings as a person writes them: a launched host reads nothing else. */
  settings(values: Readonly<Record<string, string | number>>): void {
    // A launched host looks for a desktop by itself, and that of whoever runs the tests is nothing to a test.
    this.place.write('home/settings.json', JSON.stringify({ PM_TERM_WINDOW: 'never', ...values }))
  }

  /** The host as its file tells of it, also when it was killed and has left that. */
  get host(): KnownProcess | null {
    try {
      const { pid, start } = JSON.parse(readFileSync(join(this.place.home, 'state', 'host.json'), 'utf8')) as {
        pid: number
        start: string | null
      }
      const host = new KnownProcess(pid, start)
      this.#hosts.set(pid, host)
      return host
    } catch {
      return null
    }
  }

  get hostPid(): number | null {
    return this.host?.pid ?? null
  }

  /** A host runs that a server has started, because somebody asked it for something. */
  async hostRuns(server: Opened): Promise<void> {
    void this.asks(server, 'true', { runtime: { approval_timeout_ms: 1 } }).catch(() => {})
    await eventually('a host', () => this.host?.lives === true, 15_000)
  }

  asks(
    server: Opened,
    command: string,
    more: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<Called> {
    return server.interactive(
      {
        action: 'execute',
        invocation: { mode: 'interactive', intent: 'execute_command' },
        execution: { command },
        ...more,
      },
      { timeoutMs: 50_000, ...options },
    )
  }

  async end(): Promise<void> {
    const last = this.host
    await Promise.allSettled(this.#people.map(person => person.leaves()))
    await Promise.allSettled(this.#servers.map(server => server.close()))
    const hosts = new Set([...this.#hosts.values(), ...(last ? [last] : [])])
    for (const host of hosts) host.kill('SIGTERM')
    for (const host of hosts) await eventually('the host ends', () => !host.lives).catch(() => host.kill('SIGKILL'))
    this.place.remove()
  }
}
