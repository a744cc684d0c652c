import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'

export interface Paths {
  readonly settingsFile: string
  /** Rules of the workspaces: the person's. */
  readonly dataDir: string
  /** The host's copy of what a person has decided (ADR 44). */
  readonly decisionsFile: string
  /** Runs, output, tokens: ours. */
  readonly stateDir: string
  readonly httpTokenFile: string
  /** What an MCP server of this person proves itself with to the host. */
  readonly localKeyFile: string
  /** Keys of clients that were paired by name. */
  readonly keysDir: string
  /** What the stand-alone bridge proves itself with to the host. */
  readonly bridgeKeyFile: string
  /** For containers without a network: its directory is what they mount, and there is nothing else in it. */
  readonly bridgeSocketFile: string
  /** The public half of the approver passphrase. */
  readonly approverFile: string
  readonly journalFile: string
  /** What receipts are sealed with. */
  readonly receiptKeyFile: string
  /** Where a running host says which ports it has, and who it is. */
  readonly hostFile: string
  readonly hostLogFile: string
  /** What a host proves itself with to pty-host. Only hosts read it. */
  readonly hostKeyFile: string
  /** Where a running pty-host says which port it has, and who it is. */
  readonly ptyHostFile: string
  readonly ptyHostLogFile: string
}

/** The usual places of the system, or everything below one directory. */
export function pathsFor(env: Readonly<Record<string, string | undefined>>, home: string, dataDir: string): Paths {
  const usual = envPaths('interactive-terminal', { suffix: '' })
  const root = home === '' ? null : resolve(expand(home, env))
  const stateDir = root ? join(root, 'state') : usual.log
  const rules = dataDir !== '' ? resolve(expand(dataDir, env)) : root ? join(root, 'data') : usual.data
  return {
    settingsFile: join(root ?? usual.config, 'settings.json'),
    dataDir: rules,
    decisionsFile: join(rules, 'decisions.v1.json'),
    stateDir,
    httpTokenFile: join(stateDir, 'http-token'),
    localKeyFile: join(stateDir, 'local.key'),
    keysDir: join(stateDir, 'keys'),
    bridgeKeyFile: join(stateDir, 'bridge.key'),
    bridgeSocketFile: join(stateDir, 'bridge', 'host.sock'),
    approverFile: join(stateDir, 'approver.v1.json'),
    journalFile: join(stateDir, 'journal.db'),
    receiptKeyFile: join(stateDir, 'receipt.key'),
    hostFile: join(stateDir, 'host.json'),
    hostLogFile: join(stateDir, 'host.log'),
    hostKeyFile: join(stateDir, 'host.key'),
    ptyHostFile: join(stateDir, 'pty-host.json'),
    ptyHostLogFile: join(stateDir, 'pty-host.log'),
  }
}

/** A client's configuration file passes `~` as it stands. */
const expand = (path: string, env: Readonly<Record<string, string | undefined>>): string =>
  path === '~' || path.startsWith('~/') ? join(env.HOME ?? homedir(), path.slice(1)) : path
