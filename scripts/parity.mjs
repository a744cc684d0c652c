#!/usr/bin/env node
// Does everything an agent can do twice, beside the host and in a container, compares the answers and writes docs/parity.md.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = `${root}node_modules/vitest/vitest.mjs`
const args = [process.execPath, vitest, 'run', '--config', `${root}test/netns/vitest.config.ts`, 'test/netns/parity']
const { status } = spawnSync(`${root}test/netns/in-netns.sh`, args, {
  cwd: root,
  env: { ...process.env, IT_WRITE_PARITY: '1' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
