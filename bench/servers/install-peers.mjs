// Installs each peer into a folder of its own, at its pinned version.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PATIENCE_MS = 10 * 60_000

/** The peers with `start`; one that could not be installed has `unable` instead, which says why. */
export async function installPeers(peers, folder, say) {
  const installed = []
  for (const peer of peers) {
    say(`installing ${peer.package}@${peer.version}`)
    installed.push({ ...peer, ...(await install(peer, join(folder, peer.name))) })
  }
  return installed
}

async function install(peer, folder) {
  const { package: name, version, overrides = {}, installScripts, file, args = [] } = peer
  const start = [join(folder, 'node_modules', name, file), ...args]
  const done = join(folder, `installed-${version}`)
  if (existsSync(done)) return { start }
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, dependencies: { [name]: version }, overrides }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  // Only those that compile something at their installation may run scripts.
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', ...(installScripts ? [] : ['--ignore-scripts'])]
  try {
    await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags], { cwd: folder, timeout: PATIENCE_MS })
  } catch (error) {
    const reason = /npm error (?!code|A complete).*/.exec(error.stderr)?.[0] ?? error.message
    return { unable: `not installed: ${reason}` }
  }
  if (!existsSync(start[0])) return { unable: `not installed: there is no ${file}` }
  writeFileSync(done, '')
  return { start }
}
