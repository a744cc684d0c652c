// One newcomer's path, on the machine it is for. Started by newcomer.mjs.
import { execFileSync, spawn as spawnProgram } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AgentCache } from './agent-install.mjs'
import { AGENTS } from './agent-kinds.mjs'
import { hidePackages } from './bare-machine.mjs'
import { ScriptedModel } from './scripted-model.mjs'
import { Typed } from './typed-terminal.mjs'

const MOST_SECONDS = 120
const MOST_STEPS = 6
const LINE = '/bin/echo "approved" > said; cat said'
const [path, place] = process.argv.slice(2)
const root = join(import.meta.dirname, '..')
const clone = join(place, 'interactive-terminal')
const home = join(place, 'home')
const env = { ...process.env, HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
const closing = []
let steps = 0
let seconds = 0

/** What happens between two steps is not the newcomer's time. */
async function step(what, act) {
  const from = performance.now()
  const outcome = await act()
  const took = (performance.now() - from) / 1000
  steps += 1
  seconds += took
  console.log(`${String(steps).padStart(2)}. ${what.padEnd(72)} ${took.toFixed(1).padStart(6)} s`)
  return outcome
}

const wanted = {
  action: 'execute',
  invocation: { mode: 'interactive', intent: 'execute_command' },
  runtime: { cwd: home },
  execution: { command: LINE },
}

function openTerminal(name, cwd) {
  const { spawn } = createRequire(join(clone, 'package.json'))('@lydell/node-pty')
  const terminal = new Typed(spawn, { name, cwd, env })
  closing.push(() => terminal.end())
  return terminal
}

async function connectedAgent() {
  const needs = createRequire(join(clone, 'package.json'))
  const load = name => import(pathToFileURL(needs.resolve(name)).href)
  const { Client } = await load('@modelcontextprotocol/client')
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio')
  const client = new Client({ name: 'an agent', version: '1' })
  const args = [join(clone, 'dist/interactive-terminal.cjs'), 'mcp']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home, stderr: 'ignore' }))
  closing.push(() => client.close())
  return client
}

async function approvedIn(terminal, client) {
  const answer = await step(`it asks, the person approves: ${LINE}`, async () => {
    const asked = client.callTool({ name: 'memory_terminal_interactive', arguments: wanted })
    await terminal.approve(text => text.includes('said; cat said'), asked)
    return (await asked).structuredContent
  })
  console.log(`    ${answer.result.stdout.trim()} (by ${answer.result.approved_by})`)
  if (answer.result.stdout !== 'approved\n') throw new Error(`The agent heard ${JSON.stringify(answer)}`)
  return answer.result
}

async function cloned() {
  await step('git clone', () => execFileSync('git', ['clone', '-q', root, clone]))
  if (path === 'bare') {
    mkdirSync(join(place, 'usr'))
    console.log(`    (now ${hidePackages(join(place, 'usr')).packages} packages are hidden)`)
  }
  await step('npm ci', () => execFileSync('npm', ['ci'], { cwd: clone, env, stdio: ['ignore', 'ignore', 'inherit'] }))
}

const WALKS = {
  async bare() {
    await cloned()
    const terminal = openTerminal('terminal', clone)
    await step('npm start', () => terminal.begin('npm start', 'No commands waiting'))
    const client = await step('an agent connects: node dist/interactive-terminal.cjs mcp', connectedAgent)
    await approvedIn(terminal, client)
  },

  async here() {
    // Where the machine is no container it says so by a variable, as a dev container does.
    env.REMOTE_CONTAINERS = 'true'
    await cloned()
    const terminal = openTerminal('terminal', clone)
    const asks = /type (\d{4}) and press Enter/
    await step('npm start -- --here', () => terminal.begin('npm start -- --here', asks))
    const [, code] = asks.exec(terminal.text)
    await step(`repeat the code: ${code}`, () => terminal.answer(`${code}\r`, 'No commands waiting'))
    const client = await step('an agent connects: node dist/interactive-terminal.cjs mcp', connectedAgent)
    const { host } = await approvedIn(terminal, client)
    if (host !== 'host in a container') throw new Error(`It says it ran in ${host}`)
  },

  async desktop() {
    const kind = AGENTS.claude
    const cache = new AgentCache()
    const agent = cache.agent('claude', kind)
    const model = await ScriptedModel.listen()
    closing.push(() => model.close())
    const project = join(place, 'project')
    mkdirSync(project)
    const about = { home, project, url: model.url }
    Object.assign(env, kind.model(about), { DISPLAY: await desktop() })
    await cloned()
    const terminal = openTerminal('terminal', clone)
    await step('npm start (the window opens)', async () => {
      await terminal.begin('npm start', 'No commands waiting')
      await activated('Interactive Terminal')
    })
    const second = openTerminal('2nd terminal', clone)
    await step('setup claude --write, Ctrl+Enter in the window once the change was read', () =>
      pressedUntil(second.type('node dist/interactive-terminal.cjs setup claude --write', 'is set up')),
    )
    env.PATH = cache.path
    let told = ''
    const args = { ...wanted, runtime: { cwd: project } }
    const script = { tool: 'memory_terminal_interactive', args: () => args, told: text => (told = text) }
    const { done } = model.begin([script])
    await step('claude -p "…" asks, the person presses Ctrl+Enter in the window', async () => {
      const claude = spawnProgram(agent, kind.print('Please work through the list.'), {
        cwd: project,
        env,
        stdio: 'ignore',
      })
      closing.push(() => claude.kill('SIGKILL'))
      await pressedUntil(done)
    })
    console.log(`    Claude Code heard: ${told.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
    if (!told.includes('approved')) throw new Error(`Claude Code heard ${told}`)
  },
}

/** A screen with a window manager; returns its name. */
async function desktop() {
  const server = spawnProgram('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  closing.push(() => server.kill('SIGTERM'))
  const number = await new Promise(resolve => server.stdout.once('data', text => resolve(String(text).trim())))
  const manager = spawnProgram('openbox', ['--sm-disable'], { stdio: 'ignore', env: { ...env, DISPLAY: `:${number}` } })
  closing.push(() => manager.kill('SIGTERM'))
  return `:${number}`
}

const does = (...words) => execFileSync('xdotool', words, { env, timeout: 60_000 })

/** The window with this name, once it is there. xdotool gives up when any other window goes while it looks through them. */
async function activated(name) {
  for (let tries = 0; ; tries += 1) {
    try {
      return does('search', '--sync', '--onlyvisible', '--name', name, 'windowactivate', '--sync')
    } catch (cause) {
      if (tries === 10 || !String(cause.stderr).includes('BadWindow')) throw cause
    }
  }
}

/** The keys of a person who has read what is there; too early they decide nothing. */
async function pressedUntil(done) {
  let over = false
  const settle = () => {
    over = true
  }
  done.then(settle, settle)
  const last = performance.now() + MOST_SECONDS * 1000
  while (!over) {
    if (performance.now() > last) throw new Error('Ctrl+Enter in the window decides nothing')
    await new Promise(resolve => setTimeout(resolve, 1000))
    if (over) break
    // What does not fit is read on.
    does('key', 'Next')
    await new Promise(resolve => setTimeout(resolve, 600))
    if (!over) does('key', 'ctrl+Return')
  }
  return done
}

try {
  await WALKS[path]()
  console.log(`${steps} steps, ${seconds.toFixed(1)} s`)
  if (steps > MOST_STEPS || seconds > MOST_SECONDS) throw new Error(`More than ${MOST_STEPS} steps or 2 minutes`)
} catch (cause) {
  console.error(cause)
  process.exitCode = 1
} finally {
  for (const close of closing.reverse()) await close()
}
// Whatever was started in a terminal ends with it: nothing here is waited for.
process.exit()
