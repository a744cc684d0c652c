import { type ChildProcess, spawn } from 'node:child_process'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { asLine, NdjsonReader } from '../../base/link/ndjson.ts'
import type { Log } from '../../base/log.ts'
import {
  PREVIEW_MS,
  type PreviewItem,
  PreviewLine,
  type PreviewRequest,
} from '../../contract/preview/preview-frames.ts'
import type { LookedUp, Previewer } from '../questions/previews.ts'

export interface PreviewProcessDeps {
  readonly clock: Clock
  readonly log: Log
  /** How this product is started: the program and what precedes the subcommand. */
  readonly program: {
    readonly node: string
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
  /** How long one look may take; other than usual for tests on busy machines. */
  readonly ms?: number
}

/** It stops by itself before this is over, so that what it has so far is heard. */
const OWN_SHARE = 0.75
/** A Node that is just being started on a busy machine. */
const READY_WITHIN_MS = 5000
/** Nobody asked for so long: it is not needed. */
const IDLE_MS = 60_000
const LONGEST_LINE = 64 * 1024

interface WaitingLook {
  readonly request: PreviewRequest
  readonly items: PreviewItem[]
  readonly done: (found: LookedUp) => void
}

/**
 * A small process that looks at the disk, so that a path that never answers holds up nobody: what it has not said within its time is
 * unknown, it is killed with all that it started, and the next question gets another one. Questions wait in a row.
 */
export class PreviewProcess implements Previewer {
  readonly #deps: PreviewProcessDeps
  #child: Child | null = null
  #now: { readonly asked: WaitingLook; readonly late: Disposable; readonly since: number } | null = null
  readonly #next: WaitingLook[] = []
  #idle: Disposable = { dispose() {} }
  #isClosed = false

  constructor(deps: PreviewProcessDeps) {
    this.#deps = deps
  }

  look(request: Omit<PreviewRequest, 'ms'>): Promise<LookedUp> {
    if (this.#isClosed) return Promise.resolve(NOTHING)
    return new Promise(done => {
      this.#next.push({ request: { ...request, ms: Math.round(this.#ms * OWN_SHARE) }, items: [], done })
      this.#start()
    })
  }

  get #ms(): number {
    return this.#deps.ms ?? PREVIEW_MS
  }

  close(): void {
    this.#isClosed = true
    this.#idle.dispose()
    this.#child?.kill()
    this.#child = null
    this.#over(false)
    for (const { done } of this.#next.splice(0)) done(NOTHING)
  }

  #start(): void {
    if (this.#now !== null || this.#next.length === 0 || this.#isClosed) return
    this.#idle.dispose()
    if (this.#child === null) {
      const child = startChild(
        this.#deps,
        line => this.#hear(child, line),
        why => this.#lost(child, why),
      )
      this.#child = child
    }
    const asked = this.#next.shift()
    if (asked === undefined) return
    // Until it is up the time of the question has not begun.
    const ms = this.#child.isReady ? this.#ms : READY_WITHIN_MS
    const late = this.#deps.clock.after(ms, () => this.#late())
    this.#now = { asked, late, since: this.#deps.clock.elapsed() }
    if (this.#child.isReady) this.#child.ask(asked.request)
  }

  #hear(child: Child, line: PreviewLine): void {
    if (child !== this.#child) return
    const now = this.#now
    if ('ready' in line) {
      child.isReady = true
      if (now === null) return
      now.late.dispose()
      const late = this.#deps.clock.after(this.#ms, () => this.#late())
      this.#now = { ...now, late, since: this.#deps.clock.elapsed() }
      child.ask(now.asked.request)
    } else if (now === null || line.id !== now.asked.request.id) return
    else if ('item' in line) now.asked.items.push(line.item)
    else this.#over(line.complete)
  }

  /** What came so far counts; whoever does not answer is not asked again. */
  #late(): void {
    this.#child?.kill()
    this.#child = null
    this.#over(false)
  }

  #lost(child: Child, why: string): void {
    if (child !== this.#child) return
    this.#deps.log.warn('the process that looks at the disk for previews ended', { why })
    this.#child = null
    this.#over(false)
  }

  #over(complete: boolean): void {
    const now = this.#now
    this.#now = null
    now?.late.dispose()
    const tookMs = now === null ? 0 : Math.round(this.#deps.clock.elapsed() - now.since)
    now?.asked.done({ items: now.asked.items, complete, tookMs })
    this.#start()
    if (this.#now === null && this.#child !== null) this.#idle = this.#deps.clock.after(IDLE_MS, () => this.#rest())
  }

  #rest(): void {
    this.#child?.kill()
    this.#child = null
  }
}

const NOTHING: LookedUp = { items: [], complete: false, tookMs: 0 }

interface Child {
  isReady: boolean
  ask(request: PreviewRequest): void
  kill(): void
}

function startChild(
  { program }: PreviewProcessDeps,
  hear: (line: PreviewLine) => void,
  lost: (why: string) => void,
): Child {
  // A session of its own: what it started ends with it.
  const child = spawn(program.node, [...program.args, 'preview'], {
    detached: true,
    cwd: '/',
    env: program.env,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  })
  child.unref()

  const life = new Disposables()
  const reader = new NdjsonReader(LONGEST_LINE)
  child.on('error', cause => lost(cause.message))
  child.on('exit', (code, signal) => lost(`${code ?? signal}`))
  // Without a file descriptor left there are no pipes; then 'error' says so.
  child.stdin?.on('error', () => {}) // its end says so

  child.stdout?.on('data', (chunk: Buffer) => {
    const { frames, fault } = reader.push(chunk)
    for (const frame of frames) {
      const line = PreviewLine.safeParse(frame)
      if (line.success) hear(line.data)
    }
    if (fault !== null) killTree(child)
  })

  life.defer(() => killTree(child))
  return {
    isReady: false,
    ask: request => void child.stdin?.write(asLine(request)),
    kill: () => life.dispose(),
  }
}

function killTree(child: ChildProcess): void {
  for (const stream of [child.stdin, child.stdout]) stream?.destroy()
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // it has ended, or this system has no groups
  }
}
