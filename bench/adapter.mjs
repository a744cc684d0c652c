// Adds us to a benchmark harness that is not in this repository (docs/speed.md): node bench.mjs --adapter …/bench/adapter.mjs --server adapter,ref-raw
// Lines with operators are refused by the strict lane: one allowlisted script runs them (BENCH_SCRIPT=1: all lines).
// Plain lines go as an agent would send them; they run without a shell.
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide } from './decide.mjs'

const root = join(import.meta.dirname, '..')
const PAGE_BYTES = 512 * 1024

const script = s => join(realpathSync(s.home), 'line.sh')

async function call(s, args, opts) {
  const { data } = await s.call('memory_terminal', args, opts)
  if (!data.success) throw new Error(`${data.error.code} ${data.error.message}`)
  return data
}

const isPlain = line => !process.env.BENCH_SCRIPT && /^(true|cat [\w./-]+|seq [\d ]+)$/.test(line)

function run(s, line, more, opts) {
  const what = isPlain(line) ? { command: line } : { command: script(s), args: [line] }
  return call(s, { action: 'run', ...what, ...more }, opts)
}

export default {
  name: 'ours',
  kind: 'pipe',
  install: join(root, 'dist'),
  server: { command: process.execPath, args: [join(root, 'dist', 'interactive-terminal.cjs'), 'mcp'], env: {} },

  prepare(s) {
    writeFileSync(script(s), '#!/bin/sh\nexec bash -c "$1"\n')
    chmodSync(script(s), 0o755)
    const dataDir = join(s.home, '.local', 'share', 'interactive-terminal')
    const workspace = join(dataDir, 'bench')
    mkdirSync(workspace, { recursive: true })
    const patterns = [`${script(s)} *`, 'cat *', 'seq *']
    const updated_at = new Date().toISOString()
    writeFileSync(join(workspace, 'terminal-allowlist.json'), JSON.stringify({ patterns, updated_at }))
    const accepted = { base: patterns, headless: [] }
    const directory = realpathSync(s.home)
    const binding = { workspace_id: 'bench', directory, trusted: false, accepted, updated_at }
    writeFileSync(join(workspace, 'workspace.v1.json'), JSON.stringify(binding))
    const stateDir = join(s.home, '.local', 'state', 'interactive-terminal')
    decide({ dataDir, stateDir }, { id: 'bench', directory, trusted: false, patterns })
  },

  async run(s, command, opts = {}) {
    const { result, identity } = await run(s, command, { timeout_ms: opts.timeoutMs ?? 60_000 }, opts)
    const { exit_code, signal, stdout, stderr } = result
    return { exitCode: exit_code, signal, stdout, stderr, failed: result.running, handle: identity.session_id }
  },
  async *pages(s, { handle }) {
    for (let cursor = 0; ; ) {
      const { result } = await call(s, { action: 'read_output', session_id: handle, cursor, max_bytes: PAGE_BYTES })
      if (result.cursor === cursor) return
      yield result.stdout
      cursor = result.cursor
    }
  },

  async start(s, command) {
    const { identity, result } = await run(s, command, { timeout_ms: 0 })
    return { id: identity.session_id, cursor: 0, first: result }
  },
  async read(s, h) {
    const { result } = await call(s, { action: 'read_output', session_id: h.id, cursor: h.cursor, wait_ms: 1000 })
    h.cursor = result.cursor
    return { text: result.stdout, done: !result.running }
  },
  kill: (s, h) => call(s, { action: 'kill', session_id: h.id }),
  list: s => call(s, { action: 'list' }),
}
