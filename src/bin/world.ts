import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Paths } from '../config/paths.ts'
import type { World } from '../mcp/headless-lane.ts'
import { realPath } from '../runs/disk-facts.ts'

/** What this process was started with, and which files are ours. */
export function worldOf(paths: Paths): World {
  const { platform } = process
  const ours = [paths.stateDir, paths.dataDir, paths.settingsFile, realpathSync(process.argv[1] ?? process.execPath)]
  return {
    env: process.env,
    cwd: process.cwd(),
    platform,
    tmp: platform === 'win32' ? [] : ['/tmp', '/var/tmp', '/dev/shm', tmpdir()].map(dir => realPath(dir)),
    ours: ours.map(path => realPath(path)),
  }
}
