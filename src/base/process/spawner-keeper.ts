import type { Clock } from '../clock.ts'
import type { Disposable } from '../disposable.ts'
import type { Log } from '../log.ts'
import type { ChildStarter } from './child-starter.ts'
import { Spawner } from './spawner.ts'
import type { spawnerProgram } from './spawner-program.ts'

export interface SpawnerKeeperDeps {
  readonly clock: Clock
  readonly log: Log
  /** Looked for once, when it is first needed or `look` is called. */
  readonly find: () => ReturnType<typeof spawnerProgram>
  /** The spawner died while this many programs of it ran, or were to. Each of them was told. */
  readonly onLost?: (running: number) => void
}

const READY_WITHIN_MS = 5000
const MOST_DEATHS = 3
const WITHIN_MS = 60_000

/**
 * The spawner of this process: started when the first command needs it, started again when it died, and given up after three
 * deaths in a minute. Null everywhere stands for: there is none, start it yourself.
 */
export class SpawnerKeeper implements Disposable {
  readonly #deps: SpawnerKeeperDeps
  #found: ReturnType<typeof spawnerProgram> | null = null
  #now: Spawner | null = null
  #coming: Promise<Spawner | null> | null = null
  #deaths: number[] = []
  #over = false

  constructor(deps: SpawnerKeeperDeps) {
    this.#deps = deps
  }

  /** Where to start things: the answer is there at once once it runs. */
  get(): Spawner | null | Promise<Spawner | null> {
    if (this.#now) return this.#now
    const found = this.look()
    if (this.#over || 'why' in found) return null
    this.#coming ??= this.#launch(found.program)
    return this.#coming
  }

  /** Whether there is one to be used; reads its file once. */
  look(): ReturnType<typeof spawnerProgram> {
    if (this.#found) return this.#found
    this.#found = this.#deps.find()
    if ('why' in this.#found)
      this.#deps.log[this.#found.changed ? 'warn' : 'debug']('commands are started without the spawner', {
        why: this.#found.why,
      })
    return this.#found
  }

  dispose(): void {
    this.#over = true
    this.#now?.dispose()
    this.#now = null
  }

  async #launch(program: string): Promise<Spawner | null> {
    const { clock, log } = this.#deps
    const spawner = new Spawner(program, running => this.#gone(spawner, running))
    const late = clock.after(READY_WITHIN_MS, () => spawner.dispose())
    try {
      await spawner.ready
      this.#now = spawner
      if (this.#over) this.dispose()
      return this.#now
    } catch (cause) {
      // It never said a word, so nothing was asked of it: nothing is lost by doing without.
      this.#found = { why: cause instanceof Error ? cause.message : String(cause), changed: false }
      log.warn('the spawner cannot be used', { cause })
      spawner.dispose()
      return null
    } finally {
      late.dispose()
      this.#coming = null
    }
  }

  #gone(spawner: Spawner, running: number): void {
    if (this.#over || this.#now !== spawner) return
    this.#now = null
    const { clock, log, onLost } = this.#deps
    this.#deaths = [...this.#deaths.filter(at => at > clock.elapsed() - WITHIN_MS), clock.elapsed()]
    log.error('the spawner died', { running, deaths: this.#deaths.length })
    if (this.#deaths.length >= MOST_DEATHS) this.#found = { why: `it died ${MOST_DEATHS} times`, changed: false }
    onLost?.(running)
  }
}

/** Through the spawner where there is one, else by `otherwise`. */
export const spawnedChildren = (keeper: SpawnerKeeper, otherwise: ChildStarter): ChildStarter => ({
  async start(command, listener) {
    const got = keeper.get()
    const spawner = got instanceof Promise ? await got : got
    return spawner ? spawner.start({ ...command, terminal: null }, listener) : otherwise.start(command, listener)
  },
})
