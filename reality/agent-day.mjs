// One agent's working day, inside a namespace: the real host, the scripted model, the agent in print mode and in its terminal, and a
// person at `approve`. Writes what it counted as JSON. Started by agents.mjs.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { loadTestPart } from '../scripts/load-test-part.mjs'
import { AgentCache } from './agent-install.mjs'
import { AGENTS } from './agent-kinds.mjs'
import { AgentTerminal, pause, until } from './agent-terminal.mjs'
import { MORNING, OVER_HTTP, understood } from './day-calls.mjs'
import { interrupts } from './day-interrupts.mjs'
import { left, processes } from './day-processes.mjs'
import { makeProject } from './day-project.mjs'
import { ScriptedModel } from './scripted-model.mjs'

const [agent, place, result, PRODUCT] = process.argv.slice(2)
/** The person starts `approve` of the same copy. */
const STANDS_IN = 'node_modules/.cache/reality-agents/test/drivers'
const PROMPT = 'Please work through the list.'
/** No phase of the day takes that long, however busy the machine. */
const LONGEST_MS = Number(process.env.DAY_LONGEST_MS ?? 240_000)

export class Day {
  calls = 0
  right = 0
  bytes = 0
  tokens = 0
  doublePrompts = 0
  wrong = []
  missed = []
  #host
  #last = understood('')

  constructor(agent, cache, place, countTokens) {
    this.agent = agent
    this.kind = AGENTS[agent]
    this.place = place
    this.home = join(place, 'home')
    mkdirSync(this.home, { recursive: true })
    this.executable = cache.agent(agent, this.kind)
    this.countTokens = countTokens
    this.project = makeProject(place)
    const { HTTP_PROXY: _, HTTPS_PROXY: __, ...kept } = { LANG: 'C.UTF-8', TERM: 'xterm-256color' }
    this.env = { ...kept, PATH: cache.path, HOME: this.home, SHELL: '/bin/bash' }
  }

  async open() {
    const state = this.product(['where', 'state']).trim()
    const settings = this.product(['where', 'settings']).trim()
    mkdirSync(join(settings, '..'), { recursive: true })
    writeFileSync(settings, JSON.stringify({ PM_TERM_WINDOW: 'never' }))
    // The person trusts the project and allows two of its commands, in a terminal of theirs.
    await this.#types(['policy', 'trust'])
    await this.#types(['policy', 'add', 'npm run flood'])
    await this.#types(['policy', 'add', 'npm run long *'])
    this.model = await ScriptedModel.listen()
    const about = { home: this.home, project: this.project.dir, url: this.model.url }
    Object.assign(this.env, this.kind.model(about))
    await this.#types(['setup', this.agent, '--only-terminal', '--write'])
    const at = { root: this.place, env: more => ({ ...this.env, ...more }) }
    const { PersonAtTerminal } = await loadTestPart('test/drivers/approver.ts', { standsIn: STANDS_IN })
    // The person is there first and chooses a passphrase: a host that runs takes none from outside.
    const attached = PersonAtTerminal.attach(at, {}, { size: { cols: 140, rows: 60 } })
    if (!(await until(() => existsSync(join(state, 'approver.v1.json')), 30_000)))
      throw new Error('no passphrase could be chosen')
    this.#host = spawn(process.execPath, [PRODUCT], {
      cwd: this.place,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [this.#host.stdout, this.#host.stderr])
      stream.on('data', chunk => {
        said += chunk
      })
    if (!(await until(() => /127\.0\.0\.1:\d+\/mcp/.test(said), 30_000)))
      throw new Error(`the host does not come up\n${said}`)
    this.http = {
      url: /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)[0],
      token: readFileSync(join(state, 'http-token'), 'utf8').trim(),
    }
    this.journal = join(state, 'journal.db')
    this.person = await attached
  }

  product(words) {
    return execFileSync(process.execPath, [PRODUCT, ...words], {
      cwd: this.project.dir,
      env: this.env,
      encoding: 'utf8',
    })
  }

  agentRuns(words) {
    const { dir } = this.project
    return execFileSync(this.executable, words, {
      cwd: dir,
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  async #types(words) {
    const terminal = new AgentTerminal(process.execPath, [PRODUCT, ...words], { cwd: this.project.dir, env: this.env })
    await until(() => terminal.exitCode !== null || /Type yes|\[y\/N\]/.test(terminal.text), 20_000)
    if (terminal.exitCode === null) terminal.type(/Type yes/.test(terminal.text) ? 'yes\r' : 'y\r')
    await until(() => terminal.exitCode !== null, 20_000)
    if (terminal.exitCode !== 0) throw new Error(`${words.join(' ')}\n${terminal.text}`)
  }

  /** The script of a phase, each call with what becomes of its answer. */
  script(calls) {
    const { dir, facts } = this.project
    const its = { dir, facts, exists: file => existsSync(join(dir, file)) }
    return calls.map(call => ({
      tool: call.tool,
      args: () => (typeof call.args === 'function' ? call.args(this.#last, its) : call.args),
      told: text => {
        const told = understood(text)
        this.calls += 1
        this.bytes += Buffer.byteLength(text ?? '')
        this.tokens += this.countTokens(text ?? '')
        this.#last = told
        const { right, wrong } = call.check?.(told, its) ?? { right: true }
        if (right) this.right += 1
        else this.missed.push(`call ${this.calls} ${nameOf(call)}: ${(text ?? 'nothing').slice(0, 600)}`)
        if (wrong) this.wrong.push(wrong)
        if (process.env.DAY_SHOWS)
          console.error(
            `[${this.calls}] ${nameOf(call)} → ${right} ${wrong ?? ''}\n${(text ?? '').slice(0, Number(process.env.DAY_SHOWS))}`,
          )
      },
    }))
  }

  /** One prompt without a terminal: the agent works through the calls and ends. */
  async printed(calls) {
    const phase = this.model.begin(this.script(calls))
    const agent = spawn(this.executable, this.kind.print(PROMPT), {
      cwd: this.project.dir,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let said = ''
    for (const stream of [agent.stdout, agent.stderr])
      stream.on('data', chunk => {
        said += chunk
      })
    const ended = new Promise(resolve => agent.once('exit', resolve))
    const answers = this.#answers(calls)
    const late = setTimeout(() => process.kill(-agent.pid, 'SIGKILL'), LONGEST_MS)
    await ended
    clearTimeout(late)
    phase.giveUp()
    const before = this.calls
    await answers.stop()
    if (process.env.DAY_SHOWS)
      console.error(`the agent said: ${said.slice(-1500)}\nthe person sees: ${this.person.screen}`)
    await this.looksForLeft(`after ${before} calls`)
  }

  /** The person answers whatever comes, each question as its call says. */
  #answers(calls) {
    let over = false
    const open = calls.flatMap(({ person }) => person ?? [])
    const work = (async () => {
      while (!over && open.length > 0) {
        const next = open.findIndex(each => this.asks(each.command))
        if (next < 0) {
          await pause(100)
          continue
        }
        const [{ command, declines, edits }] = open.splice(next, 1)
        if (declines) await this.person.declines(command, declines)
        else if (edits) await this.person.edits(command, edits)
        else await this.person.approves(command)
        await until(() => over || !this.asks(command), 10_000)
      }
    })().catch(cause => this.missed.push(`the person: ${cause.message}`))
    return {
      stop: () => {
        over = true
        return work
      },
    }
  }

  /** Whether the person is asked about it now, and may answer. */
  asks(command) {
    return this.person.screen.includes(command) && /^a approve/m.test(this.person.screen)
  }

  /** By pid, so that none is counted twice. */
  processesLeft = new Map()
  async looksForLeft(when) {
    await until(() => left().length === 0, 6000)
    for (const { pid, line } of left())
      if (!this.processesLeft.has(pid)) this.processesLeft.set(pid, `${when}: ${line}`)
  }

  questions() {
    const journal = new DatabaseSync(this.journal, { readOnly: true })
    const [row] = journal.prepare("SELECT count(*) AS n FROM journal WHERE kind = 'asked'").all()
    journal.close()
    return Number(row.n)
  }

  async close() {
    await this.person?.leaves()
    this.model?.close()
    this.#host?.kill('SIGTERM')
    await until(() => this.#host.exitCode !== null || this.#host.signalCode !== null, 15_000)
    await this.looksForLeft('after the host ended')
  }
}

const nameOf = ({ tool, args }) =>
  typeof args === 'function' ? `${tool} goes on` : (args.command ?? args.execution?.command ?? args.action)

/** DAY_PARTS=interrupts: only that part, to find a fault. */
const does = part => (process.env.DAY_PARTS ?? part).includes(part)

const cache = new AgentCache()
const began = Date.now()
const day = new Day(agent, cache, place, await cache.tokenizer())
let failure = null
try {
  await day.open()
  if (does('morning')) await day.printed(MORNING)
  if (does('interrupts')) await interrupts(day)
  Object.assign(day.env, day.kind.http({ home: day.home, run: words => day.agentRuns(words), ...day.http }) ?? {})
  await day.printed(OVER_HTTP)
} catch (cause) {
  failure = cause.stack
}
const questions = existsSync(day.journal ?? '') ? day.questions() : 0
await day.close().catch(cause => {
  failure ??= cause.stack
})
const ours = [...(day.model?.offered ?? [])].filter(([name]) => /memory_terminal/.test(name))
writeFileSync(
  result,
  JSON.stringify({
    agent,
    failure,
    calls: day.calls,
    right: day.right,
    questions,
    doublePrompts: day.doublePrompts,
    // The same words whichever directory is the temporary one.
    wrong: day.wrong.map(each => each.replaceAll(place, '<place>')),
    missed: day.missed,
    offered: [...(day.model?.offered.keys() ?? [])],
    ownShell: day.kind.ownShell.filter(name => day.model?.offered.has(name)),
    definitionTokens: ours.reduce((sum, [, definition]) => sum + day.countTokens(JSON.stringify(definition)), 0),
    bytes: day.bytes,
    tokens: day.tokens,
    seconds: Math.round((Date.now() - began) / 1000),
    processesLeft: [...day.processesLeft.values()],
    others: processes().map(({ line }) => line.slice(0, 120)),
  }),
)
process.exit(0)
