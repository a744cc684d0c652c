import { homedir } from 'node:os'
import type { Paths } from '../../config/paths.ts'
import { Jails, thisMachine } from '../../runs/jail/jail.ts'
import { worldOf } from './world.ts'

/** Whether and how a command could be tried, as a server that this person starts would do it. */
export function jailsHere(paths: Paths): Jails {
  const { env, ours } = worldOf(paths)
  return new Jails({ ...thisMachine(), path: env.PATH ?? '', stateDir: paths.stateDir, home: homedir(), ours })
}
