// One server with a client of its own, in a home of its own. What a server can do is data (own-servers.mjs, peers.mjs):
//
//   run    a line to its end           exit   the exit code, where it needs a second call
//   page   the rest of a large output  begin, more, kill   a line that goes on
//
// Each is { tool, args(what we know), read(answer, what we know) }.
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import {
  childrenOf,
  commandLine,
  cpuMs,
  descriptors,
  fineCpuMs,
  peakMb,
  rssMb,
  signalAll,
  withMark,
} from './processes.mjs'

/** No shims of version managers: they would be measured too. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const LARGEST_MESSAGE_BYTES = 1024 ** 3
const PATIENCE_MS = 60_000

/** Starts the server and waits for its list of tools; `readyMs` and `readyCpuMs` are what that took. */
export async function openSession(server, scratch) {
  const home = server.home ?? realpathSync(mkdtempSync(join(scratch, 'home-')))
  mkdirSync(join(home, 'tmp'))
  server.prepare?.(home)
  const id = randomUUID()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: server.start,
    cwd: home,
    stderr: 'ignore',
    maxBufferSize: LARGEST_MESSAGE_BYTES,
    env: {
      PATH,
      HOME: home,
      TMPDIR: join(home, 'tmp'),
      SHELL: '/bin/bash',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      BENCH_SESSION: id,
      BENCH_RUN: String(process.pid),
      ...server.env,
    },
  })
  const session = new Session(server, { home, mark: `BENCH_SESSION=${id}`, transport })
  try {
    await session.connect()
  } catch (error) {
    await session.close()
    throw error
  }
  return session
}

/** For a benchmark that is interrupted. */
export const endAllSessions = () => signalAll(withMark(`BENCH_RUN=${process.pid}`), 'SIGKILL')

class Session {
  client = new Client({ name: 'interactive-terminal-bench', version: '1' })
  #names = 0

  constructor(server, { home, mark, transport }) {
    Object.assign(this, { server, home, mark, transport })
  }

  async connect() {
    const start = performance.now()
    await this.client.connect(this.transport)
    await this.client.listTools()
    this.readyMs = performance.now() - start
    this.readyCpuMs = this.sum(cpuMs)
  }

  async #call({ tool, args, read }, known, { patienceMs = PATIENCE_MS, signal } = {}) {
    const asked = { home: this.home, patienceMs, ...known }
    const options = { timeout: patienceMs + 5_000, signal }
    const result = await this.client.callTool({ name: tool, arguments: args(asked) }, options)
    const texts = result.content.filter(({ type }) => type === 'text').map(({ text }) => text)
    const answer = { texts, text: texts.join('\n'), isError: result.isError === true, data: result.structuredContent }
    return read?.(answer, asked)
  }

  /** { exitCode, signal, stdout, stderr, handle }, as far as the server says. */
  async run(line, options = {}) {
    const { run, exit } = this.server
    if (!run) return this.#runByPolling(line, options)
    const outcome = await this.#call(run, { line }, options)
    if (exit && options.wantsExit) outcome.exitCode = await this.#call(exit, { handle: outcome.handle })
    return outcome
  }

  /** For a server that cannot wait for the end itself. */
  async #runByPolling(line, { patienceMs = PATIENCE_MS, pollMs = this.server.pollMs } = {}) {
    const handle = await this.begin(line)
    let all = ''
    for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(pollMs)) {
      all += (await this.more(handle)).text
      const outcome = this.server.ending(all)
      if (!outcome) continue
      await this.kill(handle)
      return outcome
    }
    throw new Error(`no end after ${patienceMs} ms`)
  }

  /** All of a finished run's output that can still be read. */
  async *pages({ handle }) {
    const { page } = this.server
    if (!page || handle === undefined) return
    for (let at = page.first, text = null; text !== ''; ) {
      ;({ text, at } = await this.#call(page, { handle, at }))
      if (text !== '') yield text
    }
  }

  /** The answer's output and all that can be read after it. */
  async allOf(outcome) {
    let all = outcome.stdout
    for await (const page of this.pages(outcome)) all += page
    return all
  }

  async begin(line) {
    const name = `run-${++this.#names}`
    return { id: await this.#call(this.server.begin, { line, name }), at: 0 }
  }

  /** { text, ended }: what is new, or at least what there is. */
  async more(handle) {
    const { text, ended, at } = await this.#call(this.server.more, { handle: handle.id, at: handle.at })
    handle.at = at
    return { text, ended }
  }

  kill(handle) {
    return this.#call(this.server.kill, { handle: handle.id })
  }

  /** The server and its helpers, never the commands it runs. */
  #pids() {
    const { helpers } = this.server
    const others = helpers ? withMark(this.mark).filter(pid => helpers.test(commandLine(pid).join(' '))) : []
    return [...new Set([this.transport.pid, ...others])]
  }
  sum = what => this.#pids().reduce((sum, pid) => sum + what(pid), 0)
  rssMb = () => this.sum(rssMb)
  peakMb = () => this.sum(peakMb)
  descriptors = () => this.sum(descriptors)

  /** Processor time of the server and of what it keeps running, a spawner for one, while `act` goes on; never of commands. */
  async busyMs(act) {
    const kept = [...this.#pids(), ...childrenOf(this.transport.pid)]
    const sum = () => kept.reduce((all, pid) => all + fineCpuMs(pid), 0)
    const before = sum()
    await act()
    return sum() - before
  }

  /** Ends the server and whatever it left behind. */
  async close() {
    // A server that does not end is killed below.
    await this.client.close().catch(() => {})
    signalAll(withMark(this.mark), 'SIGKILL')
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
  }
}
