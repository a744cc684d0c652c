// We and the two floors: how they are started, which tool runs a line, how its answer is read.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide } from '../decide.mjs'

const root = join(import.meta.dirname, '../..')
const PAGE_BYTES = 512 * 1024

/** Lines with operators are refused without a person: one allowed script runs them. Plain ones run as an agent sends them. */
const script = home => join(home, 'line.sh')
const isPlain = line => /^(true|cat [\w./-]+|seq [\d ]+)$/.test(line)
const command = ({ line, home }) => (isPlain(line) ? { command: line } : { command: script(home), args: [line] })

function ourResult({ data }) {
  if (!data.success) throw new Error(`${data.error.code} ${data.error.message}`)
  return { ...data.result, id: data.identity?.session_id }
}

const tool = 'memory_terminal'
const readMore = (answer, { at }) => {
  const { stdout, cursor = at, running } = ourResult(answer)
  return { text: stdout, at: cursor, ended: !running }
}

export const OURS = {
  name: 'ours',
  start: [join(root, 'dist/interactive-terminal.cjs'), 'mcp'],
  prepare: acceptLines,
  run: {
    tool,
    args: known => ({ action: 'run', ...command(known), timeout_ms: known.patienceMs }),
    read: answer => {
      const { exit_code, id, running, ...rest } = ourResult(answer)
      if (running) throw new Error('still running')
      return { exitCode: exit_code, handle: id, ...rest }
    },
  },
  page: {
    tool,
    first: 0,
    args: ({ handle, at }) => ({ action: 'read_output', session_id: handle, cursor: at, max_bytes: PAGE_BYTES }),
    read: readMore,
  },
  begin: {
    tool,
    args: known => ({ action: 'run', ...command(known), timeout_ms: 0 }),
    read: answer => ourResult(answer).id,
  },
  more: {
    tool,
    args: ({ handle, at }) => ({ action: 'read_output', session_id: handle, cursor: at, wait_ms: 1000 }),
    read: readMore,
  },
  kill: { tool, args: ({ handle }) => ({ action: 'kill', session_id: handle }), read: ourResult },
}

/** What a person would have decided before: the script, `cat` and `seq` may run in this home. */
function acceptLines(home) {
  writeFileSync(script(home), '#!/bin/sh\nexec bash -c "$1"\n')
  chmodSync(script(home), 0o755)
  const dataDir = join(home, '.local/share/interactive-terminal')
  const workspace = join(dataDir, 'bench')
  mkdirSync(workspace, { recursive: true })
  const patterns = [`${script(home)} *`, 'cat *', 'seq *']
  const updated_at = new Date().toISOString()
  writeFileSync(join(workspace, 'terminal-allowlist.json'), JSON.stringify({ patterns, updated_at }))
  const binding = { workspace_id: 'bench', directory: home, trusted: false, updated_at }
  const accepted = { base: patterns, headless: [] }
  writeFileSync(join(workspace, 'workspace.v1.json'), JSON.stringify({ ...binding, accepted }))
  const stateDir = join(home, '.local/state/interactive-terminal')
  decide({ dataDir, stateDir }, { id: 'bench', directory: home, trusted: false, patterns })
}

const parsed = ({ text, isError }) => {
  if (isError) throw new Error(text)
  return JSON.parse(text)
}
const floorPage = answer => {
  const { text, cursor, ended } = parsed(answer)
  return { text, at: cursor, ended }
}

const floor = (name, file) => ({
  name,
  start: [join(import.meta.dirname, file)],
  run: {
    tool: 'run',
    args: ({ line }) => ({ command: line }),
    read: answer => {
      const { id, ...rest } = parsed(answer)
      return { handle: id, ...rest }
    },
  },
  page: {
    tool: 'read',
    first: 0,
    args: ({ handle, at }) => ({ id: handle, cursor: at, maxBytes: 4 * 1024 * 1024 }),
    read: floorPage,
  },
  begin: { tool: 'begin', args: ({ line }) => ({ command: line }), read: answer => parsed(answer).id },
  more: { tool: 'read', args: ({ handle, at }) => ({ id: handle, cursor: at, waitMs: 1000 }), read: floorPage },
  kill: { tool: 'kill', args: ({ handle }) => ({ id: handle }) },
})

export const FLOOR = floor('floor', 'floor.mjs')
export const FLOOR_ON_SDK = floor('floor on the SDK', 'floor-sdk.mjs')
