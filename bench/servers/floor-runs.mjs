// The least that a server of commands must do: spawn, keep the output, say how it ended, kill all of it. No gate, no record.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalAll, withMark } from './processes.mjs'

const IN_MEMORY_BYTES = 256 * 1024
const ANSWER_BYTES = 64 * 1024
/** How long a polite signal has before the one that cannot be ignored. */
const GRACE_MS = 300
/** What a child in the background keeps open is not waited for longer than this without a byte. */
const QUIET_MS = 50

const runs = new Map()
let count = 0

export function begin(line) {
  const id = String(++count)
  const mark = `${process.pid}.${id}`
  const options = {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, FLOOR_RUN: mark },
  }
  const child = spawn('/bin/sh', ['-c', line], options)
  const run = { id, mark: `FLOOR_RUN=${mark}`, out: output(`${mark}.out`), err: output(`${mark}.err`), end: null }
  child.stdout.on('data', chunk => run.out.add(chunk))
  child.stderr.on('data', chunk => run.err.add(chunk))
  run.ended = new Promise(resolve => {
    const end = (exitCode, signal) => {
      run.end ??= { exitCode, signal }
      run.out.wake()
      resolve()
    }
    child.on('error', () => end(127, null))
    child.on('close', end)
    child.on('exit', async (exitCode, signal) => {
      for (let seen = -1; seen !== run.out.size + run.err.size; await sleep(QUIET_MS))
        seen = run.out.size + run.err.size
      end(exitCode, signal)
    })
  })
  runs.set(id, run)
  return run
}

/** Runs a line to its end. More than an answer holds stays for `read`. */
export async function run(line, signal) {
  const it = begin(line)
  const cancel = () => kill(it.id)
  signal?.addEventListener('abort', cancel, { once: true })
  await it.ended
  const [stdout, stderr] = [it.out, it.err].map(all => tail(all.last(ANSWER_BYTES), all.size <= ANSWER_BYTES))
  const isWhole = it.out.size <= ANSWER_BYTES
  if (isWhole) forget(it)
  return { ...(isWhole ? {} : { id: it.id }), ...it.end, stdout, stderr }
}

/** What was printed after `cursor`; waits for it if there is nothing yet. */
export async function read(id, cursor, { waitMs = 0, maxBytes = 1024 * 1024 }) {
  const it = runs.get(id)
  if (it.out.size <= cursor && !it.end) await it.out.grown(waitMs)
  // Half a character at the end waits for the next read. What the benchmark prints is UTF-8.
  const text = new StringDecoder().write(it.out.slice(cursor, maxBytes))
  return { text, cursor: cursor + Buffer.byteLength(text), ended: it.end !== null }
}

export async function kill(id) {
  const it = runs.get(id)
  if (!it) return
  signalAll(withMark(it.mark), 'SIGTERM')
  for (const until = Date.now() + GRACE_MS; withMark(it.mark).length > 0 && Date.now() < until; ) await sleep(3)
  for (let left = withMark(it.mark); left.length > 0; left = withMark(it.mark)) {
    signalAll(left, 'SIGKILL')
    await sleep(3)
  }
  forget(it)
}

export const killAll = () => Promise.all([...runs.keys()].map(kill))

function forget(it) {
  it.out.drop()
  it.err.drop()
  runs.delete(it.id)
}

/** Half a character at the start of a tail is left out. */
function tail(bytes, isWhole) {
  let start = 0
  while (!isWhole && (bytes[start] & 0xc0) === 0x80) start++
  return bytes.subarray(start).toString()
}

/** Bytes in memory while they are few, then in a file. */
function output(name) {
  const file = join(tmpdir(), `floor-${name}`)
  const waiting = new Set()
  let chunks = []
  let fd = null
  return {
    size: 0,
    add(chunk) {
      this.size += chunk.length
      chunks.push(chunk)
      if (this.size > IN_MEMORY_BYTES) {
        fd ??= openSync(file, 'w+')
        for (const each of chunks) writeSync(fd, each)
        chunks = []
      }
      this.wake()
    },
    slice(start, maxBytes) {
      if (fd === null) return Buffer.concat(chunks).subarray(start, start + maxBytes)
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(maxBytes, this.size - start)))
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start))
    },
    last(maxBytes) {
      return this.slice(Math.max(0, this.size - maxBytes), maxBytes)
    },
    grown: ms =>
      new Promise(resolve => {
        const timer = setTimeout(done, ms)
        function done() {
          clearTimeout(timer)
          waiting.delete(done)
          resolve()
        }
        waiting.add(done)
      }),
    wake() {
      for (const each of waiting) each()
    },
    drop() {
      if (fd === null) return
      closeSync(fd)
      rmSync(file, { force: true })
    },
  }
}
