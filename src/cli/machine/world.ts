import { realpathSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { Paths } from '../../config/paths.ts'
import type { ServerEnvironment } from '../../mcp/headless/headless-gate.ts'
import type { TrustGround } from '../../policy/files/trust-ground.ts'
import { realPath } from '../../runs/facts/disk-facts.ts'

/** What this process was started with, and which files are ours. */
export function worldOf(paths: Paths): ServerEnvironment {
  const { platform } = process
  const ours = [paths.stateDir, paths.dataDir, paths.settingsFile, realpathSync(process.argv[1] ?? process.execPath)]
  return {
    env: process.env,
    cwd: process.cwd(),
    platform,
    tmp: sharedDirectories(),
    ours: ours.map(path => realPath(path)),
  }
}

/** Where this person may trust a folder, on this machine. */
export function trustGround(paths: Paths): TrustGround {
  const { uid, gid, homes } = person()
  return {
    homes: homes.map(path => realPath(path)),
    tmp: sharedDirectories(),
    ours: [paths.stateDir, paths.dataDir, dirname(paths.settingsFile)].map(path => realPath(path)),
    user: uid < 0 ? null : { uid, gid },
  }
}

/** Directories anybody may write to. */
export const sharedDirectories = (): readonly string[] =>
  process.platform === 'win32' ? [] : ['/tmp', '/var/tmp', '/dev/shm', tmpdir()].map(dir => realPath(dir))

function person(): { readonly uid: number; readonly gid: number; readonly homes: readonly string[] } {
  try {
    const { uid, gid, homedir: known } = userInfo()
    return { uid, gid, homes: [homedir(), known] }
  } catch {
    // A user without an entry, as in some containers.
    return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1, homes: [homedir()] }
  }
}
