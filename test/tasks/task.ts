import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Opened } from '../drivers/mcp-client.ts'
import type { Place } from '../drivers/place.ts'
import type { ScriptedPerson } from '../drivers/scripted-person.ts'
import type { Program } from './programs.ts'
import type { Lane, ScriptedAgent } from './scripted-agent.ts'

/** What the agent believes at the end, or what is true: the same names in both. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

export interface World {
  readonly place: Place
  /** Of this task alone. */
  readonly directory: string
  readonly person: ScriptedPerson
  readonly port: number
  /** How many megabytes the flood has. */
  readonly megabytes: number
  /** How long the long build takes. */
  readonly buildMs: number
  /** The server dies, and the agent's client starts another one. */
  restart(): Promise<Opened>
}

export interface Task {
  readonly name: string
  readonly lanes: readonly Lane[]
  readonly needs: readonly string[]
  /** What is there before. */
  prepare?(world: World): void
  /** What the agent does, and what it believes afterwards. */
  act(agent: ScriptedAgent, world: World): Promise<Facts>
  /** Looked up on the disk, in the process table and on the network, not in any answer. */
  truth(world: World): Facts | Promise<Facts>
}

/** How a program of the workspace is called: headless only as the script that a rule covers. */
export function command(world: World, lane: Lane, program: Program, ...args: readonly (string | number)[]): string {
  const file = join(world.place.work, program)
  const interpreter = program === 'deploy' ? 'bash' : 'node'
  return [...(lane === 'interactive' ? [interpreter] : []), file, ...args].join(' ')
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
