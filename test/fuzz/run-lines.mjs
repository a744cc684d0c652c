import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * Runs inside the jail of surroundings-jail.ts: one batch of lines per line of input, one answer per batch. Says of each what it
 * printed, which planted program it started, and which secrets it opened, told by the time of their last reading.
 */
const LONG_AGO = new Date(1_000_000_000_000)
const MOST_OUTPUT_BYTES = 2 * 1024 * 1024
const PATIENCE_MS = 5_000

for await (const text of createInterface({ input: process.stdin })) {
  const { starts, secrets, tripped } = JSON.parse(text)
  for (const secret of secrets) forget(secret)
  const ends = starts.map(({ file, argv, cwd, env }) => {
    const end = spawnSync(file, argv.slice(1), {
      argv0: argv[0],
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_OUTPUT_BYTES,
    })
    const opened = secrets.filter(secret => (statSync(secret, { throwIfNoEntry: false })?.atimeMs ?? 0) > LONG_AGO)
    for (const secret of opened) forget(secret)
    const started = existsSync(tripped) ? readFileSync(tripped, 'utf8') : null
    if (started !== null) rmSync(tripped)
    return { output: `${end.stdout ?? ''}${end.stderr ?? ''}`, failed: end.error?.code ?? end.signal, opened, started }
  })
  process.stdout.write(`${JSON.stringify(ends)}\n`)
}

function forget(secret) {
  const stat = statSync(secret, { throwIfNoEntry: false })
  if (stat) utimesSync(secret, LONG_AGO, stat.mtime)
}
