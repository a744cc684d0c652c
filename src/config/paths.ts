import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'

export interface Paths {
  readonly settingsFile: string
  /** Rules of the workspaces: the person's. */
  readonly dataDir: string
  /** Runs, output, tokens: ours. */
  readonly stateDir: string
  readonly httpTokenFile: string
}

/** The usual places of the system, or everything below one directory. */
export function pathsFor(env: Readonly<Record<string, string | undefined>>, home: string, dataDir: string): Paths {
  const usual = envPaths('interactive-terminal', { suffix: '' })
  const root = home === '' ? null : resolve(expand(home, env))
  const stateDir = root ? join(root, 'state') : usual.log
  return {
    settingsFile: join(root ?? usual.config, 'settings.json'),
    dataDir: dataDir !== '' ? resolve(expand(dataDir, env)) : root ? join(root, 'data') : usual.data,
    stateDir,
    httpTokenFile: join(stateDir, 'http-token'),
  }
}

/** A client's configuration file passes `~` as it stands. */
const expand = (path: string, env: Readonly<Record<string, string | undefined>>): string =>
  path === '~' || path.startsWith('~/') ? join(env.HOME ?? homedir(), path.slice(1)) : path
