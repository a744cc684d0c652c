import type { ChildProcess } from 'node:child_process'
import { getSystemErrorName } from 'node:util'
import { SpawnerFrames, type SpawnRequest, startFrame } from '../../src/base/process/spawner-frames.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { sh } from '../drivers/starters.ts'

/** Frames with a spawner by hand, and everything it said in words. */
export class Talk {
  readonly heard: string[] = []
  readonly pids = new Map<number, number>()
  readonly printed = new Map<number, Buffer[]>()
  readonly child: ChildProcess
  ended: string | null = null

  constructor(child: ChildProcess) {
    this.child = child
    const say = (text: string) => void this.heard.push(text)
    const frames = new SpawnerFrames({
      ready: version => say(`ready ${version}`),
      started: (id, pid) => {
        this.pids.set(id, pid)
        say(`started ${id}`)
      },
      failed: (id, stage, errno) => say(`failed ${id} ${stage} ${getSystemErrorName(-errno)}`),
      output: (id, _, chunk) => void this.printed.set(id, [...(this.printed.get(id) ?? []), Buffer.from(chunk)]),
      streamEnd: (id, stream) => say(`end ${id} ${stream}`),
      exited: (id, code, signal) => say(`exited ${id} ${code ?? `signal ${signal}`}`),
      closed: id => say(`closed ${id}`),
      inputTaken: (id, bytes) => say(`taken ${id} ${bytes}`),
      modes: (id, modes) => say(`modes ${id} ${JSON.stringify(modes)}`),
    })
    child.stdout?.on('data', chunk => frames.receive(chunk))
    child.stdin?.on('error', () => {}) // it has ended
    child.once('close', (code, signal) => {
      this.ended = String(signal ?? code)
    })
  }

  send(bytes: Buffer): void {
    this.child.stdin?.write(bytes)
  }

  start(id: number, line: string, more: Partial<SpawnRequest> = {}): void {
    const frame = startFrame(id, { ...sh(line), terminal: null, ...more })
    if (frame === null) throw new Error('too long')
    this.send(frame)
  }

  next(what: string): Promise<void> {
    return eventually(what, () => this.heard.some(each => each.startsWith(what)))
  }

  text = (id: number): string => Buffer.concat(this.printed.get(id) ?? []).toString('utf8')
}
