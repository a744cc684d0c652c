#!/usr/bin/env node
// A newcomer's path from `git clone` to an approved command, typed and timed: `npm run reality:newcomer [-- bare desktop here]`.
// At most 6 steps and 2 minutes each.
//   bare     a machine with Node and nothing else: the person answers in the terminal
//   desktop  a screen with windows, and a real agent started from its own configuration: the person answers in the window
//   here     a container that is the person's machine, as docs/containers.md says under "This container is my machine"
// A clean clone of HEAD and a clean home each. Where this machine is a container, bare and desktop get a root without its marks.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentCache } from './agent-install.mjs'
import { AGENTS } from './agent-kinds.mjs'
import { cleanEnv, NAMESPACES, rootOfOnesOwn } from './bare-machine.mjs'

const LONGEST_MS = 10 * 60_000
const PATHS = ['bare', 'desktop', 'here']
const words = process.argv.slice(2)
const typed = join(import.meta.dirname, 'newcomer-paths.mjs')
if (words[0] === '--inside') {
  const [, path, place] = words
  const root = rootOfOnesOwn(join(place, 'over'))
  const { status } = spawnSync('chroot', [root, process.execPath, typed, path, place], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else for (const path of words.length > 0 ? words : PATHS) walk(path)

/** What was started in a terminal ends with it, and writes to its end. */
function removed(place) {
  for (let tries = 0; ; tries += 1) {
    try {
      return rmSync(place, { recursive: true, force: true })
    } catch (cause) {
      if (tries === 40 || cause.code !== 'ENOTEMPTY') throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
    }
  }
}

function walk(path) {
  if (!PATHS.includes(path)) throw new Error(`There is no path ${path}. There are ${PATHS.join(', ')}.`)
  // An agent that a newcomer has already.
  if (path === 'desktop') new AgentCache().agent('claude', AGENTS.claude)
  const place = mkdtempSync(join(tmpdir(), `it-newcomer-${path}-`))
  try {
    for (const name of ['home', 'over']) mkdirSync(join(place, name))
    console.log(`\n── ${path} ──`)
    const start = [process.execPath, import.meta.filename, '--inside', path, place]
    const [command, ...args] =
      path === 'here'
        ? [process.execPath, typed, path, place]
        : ['unshare', ...NAMESPACES, 'sh', '-c', '"$@"; exit $?', 'sh', ...start]
    const env = cleanEnv(join(place, 'home'))
    const { status } = spawnSync(command, args, { stdio: 'inherit', env, timeout: LONGEST_MS, killSignal: 'SIGKILL' })
    if (status !== 0) process.exitCode = 1
  } finally {
    removed(place)
  }
}
