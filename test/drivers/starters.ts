import { systemClock } from '../../src/base/clock.ts'
import type { ChildListener, ChildStarter, PipeCommand } from '../../src/base/process/child-starter.ts'
import { forkedChildren } from '../../src/base/process/forked-children.ts'
import { SpawnerKeeper, spawnedChildren } from '../../src/base/process/spawner-keeper.ts'
import { needs, SPAWNER } from './needs.ts'

const silent = () => {}
export const silentLog = { debug: silent, info: silent, warn: silent, error: silent }

export const keeper = (onLost: (running: number) => void = () => {}, program = SPAWNER): SpawnerKeeper =>
  new SpawnerKeeper({ clock: systemClock, log: silentLog, find: () => ({ program }), onLost })

/** Both ways in which a command is started; nobody is there to fall back on. */
export const WAYS = [
  { way: 'by this process', open: () => ({ starter: forkedChildren, end() {} }), skip: {} },
  { way: 'by the spawner', open: spawned, skip: needs('the spawner') },
] as const

function spawned(): { readonly starter: ChildStarter; end(): void } {
  const kept = keeper()
  return { starter: spawnedChildren(kept, nobody), end: () => kept.dispose() }
}

const nobody: ChildStarter = { start: () => Promise.reject(new Error('there is no spawner')) }

/** Everything a child did, in order. */
export class Heard implements ChildListener {
  readonly events: string[] = []
  readonly chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  readonly over: Promise<void>
  #over: () => void = () => {}
  readonly left: Promise<string>
  #left: (how: string) => void = () => {}

  constructor() {
    this.over = new Promise(resolve => {
      this.#over = resolve
    })
    this.left = new Promise(resolve => {
      this.#left = resolve
    })
  }

  bytes = (stream: 'stdout' | 'stderr' = 'stdout'): Buffer => Buffer.concat(this.chunks[stream])
  text = (stream: 'stdout' | 'stderr' = 'stdout'): string => this.bytes(stream).toString('utf8')

  output(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this.chunks[stream].push(Buffer.from(chunk))
  }
  streamEnd(stream: 'stdout' | 'stderr'): void {
    this.events.push(`${stream} ended`)
  }
  exited(exitCode: number | null, signal: string | null): void {
    this.events.push(`exited ${exitCode ?? signal}`)
    this.#left(`${exitCode ?? signal}`)
  }
  closed(): void {
    this.events.push('closed')
    this.#over()
  }
  lost(): void {
    this.events.push('lost')
    this.#left('lost')
    this.#over()
  }
}

export const sh = (line: string, more: Partial<PipeCommand> = {}): PipeCommand => ({
  executable: '/bin/bash',
  argv: ['bash', '--noprofile', '--norc', '-c', line],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
  ...more,
})
