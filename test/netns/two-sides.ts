import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { type FaultProxy, faultProxy } from '../drivers/fault-proxy.ts'
import { type FakeApprover, LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, type Opened, type OpenOptions, openCommand, openStdio } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'
import { type ContainerOptions, type Engine, openEngine } from './engine.ts'
import { soon } from './soon.ts'

const ANYWHERE = { PM_TERM_BRIDGE_ADDRESS: '0.0.0.0' }
const SECRET = 'interactive-terminal.key'

/** keyOf: two containers may share one pairing. */
type ContainerMore = Partial<ContainerOptions> & { readonly keyOf?: string }

/** One person with one host, an MCP server beside it and others in containers, all real. */
export class TwoSides {
  readonly place: Place
  readonly engine: Engine
  readonly #servers: Opened[] = []
  readonly #hostEnv: Record<string, string>
  readonly #proxies: FaultProxy[] = []
  #host: ChildProcess | null = null
  #approver: FakeApprover | null = null
  #waiting: { readonly done: () => void; readonly fail: (cause: Error) => void } | null = null

  constructor(settings: Readonly<Record<string, string>> = {}, place = new Place()) {
    this.engine = openEngine(inject('engine'))
    this.place = place
    place.shell('')
    this.#hostEnv = { PM_TERM_PORT: '9100', PM_TERM_APPROVER_PORT: '9101', ...ANYWHERE, ...settings }
  }

  pair(name: string): string {
    return this.place.pair(name)
  }

  async startHost(): Promise<ChildProcess> {
    setPassphrase(this.place)
    const host = spawn(process.execPath, [PRODUCT, 'host', '--idle-timeout', '0'], {
      cwd: this.place.root,
      env: this.place.env(this.#hostEnv),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#host = host
    await soon('the host is ready', () => this.place.read('home/state/host.json').includes(`"pid": ${host.pid}`))
    return host
  }

  get host(): ChildProcess {
    if (!this.#host) throw new Error('no host was started')
    return this.#host
  }

  /** Somebody who can be asked comes, and stays until `leave`. */
  async attach(): Promise<FakeApprover> {
    const live = new LiveHost(this.place, { port: 9100, approverPort: 9101 } as Host)
    const approver = await live.approver()
    this.#approver = approver
    return approver
  }

  async leave(): Promise<void> {
    this.approver.send({ type: 'detach' })
    await soon('the approver is gone', () => this.approver.closed !== null)
  }

  get approver(): FakeApprover {
    if (!this.#approver) throw new Error('nobody is attached')
    return this.#approver
  }

  async killHost(): Promise<void> {
    const { host } = this
    host.kill('SIGKILL')
    await soon('it is gone', () => host.signalCode !== null)
  }

  /** What happens to both sides: it is done once, when both have come to it. */
  async together(act: () => Promise<unknown>): Promise<void> {
    const other = this.#waiting
    if (other === null)
      return new Promise((done, fail) => {
        this.#waiting = { done, fail }
      })
    this.#waiting = null
    await act().then(() => other.done(), other.fail)
  }

  /** A line between a server and the host that a test can cut. */
  async proxy(to: number, listen: { host: string; port: number }): Promise<FaultProxy> {
    const proxy = await faultProxy({ host: '127.0.0.1', port: to }, listen)
    this.#proxies.push(proxy)
    return proxy
  }

  /** A server beside the host. */
  async local(options: OpenOptions = {}): Promise<Opened> {
    const env = { PM_TERM_PORT: '9100', PM_TERM_APPROVER_PORT: '9101', ...options.env }
    return this.#keep(await openStdio({ ...options, place: this.place, env }))
  }

  /** A server in a container of that name, with its key as a secret and the person's rules mounted read-only. */
  async container(name: string, more: ContainerMore = {}): Promise<Opened> {
    return this.#keep(
      await openCommand(this.engine.start(this.inContainer(name, more)), this.place, { place: this.place }),
    )
  }

  inContainer(name: string, { keyOf = name, ...more }: ContainerMore = {}): ContainerOptions {
    const { home, work } = this.place
    return {
      name,
      cwd: work,
      secret: { file: join(home, 'state', 'keys', `${keyOf}.key`), target: SECRET },
      command: ['node', '/opt/interactive-terminal/interactive-terminal.cjs', 'mcp'],
      ...more,
      mounts: [{ path: work, how: 'rw' }, { path: join(home, 'data'), at: '/data', how: 'ro' }, ...(more.mounts ?? [])],
      env: {
        LANG: 'C.UTF-8',
        PM_RUNNING_IN_CONTAINER: 'true',
        PM_TERM_DATA_DIR: '/data',
        PM_INTERACTIVE_TERMINAL_KEY_FILE: `/run/secrets/${SECRET}`,
        ...more.env,
      },
    }
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#servers.map(server => server.close()))
    for (const proxy of this.#proxies) await proxy.close()
    if (this.#host) await endOf(this.#host)
    this.engine.end()
    this.place.remove()
  }

  #keep(server: Opened): Opened {
    this.#servers.push(server)
    return server
  }
}
