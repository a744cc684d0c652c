#!/usr/bin/env node
// The extension in a real editor: `npm run reality:vscode [-- --editor DIR] [--shots DIR] [--keep]`. Installs code-server (Visual Studio
// Code in a browser) from npm, builds and installs the .vsix, and drives all of it with Chromium, on loopback, with a home of its own.
// --editor: where code-server is, or is put, to be used again · --shots: pictures of what a person sees.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { buildVsix } from '../scripts/vsix.mjs'
import { installEditor, packProbe, RealEditor, until } from './vscode-editor.mjs'
import { Person } from './vscode-person.mjs'

const { values: wanted } = parseArgs({
  options: {
    editor: { type: 'string' },
    shots: { type: 'string' },
    vsix: { type: 'string' },
    keep: { type: 'boolean' },
  },
})
const TOOL = 'memory_terminal_vscode'
const MOST_ACTIVATION_MS = 100
const place = mkdtempSync(join(tmpdir(), 'it-vscode-'))
const results = []
const facts = {}

const home = join(place, 'home')
mkdirSync(home)
const env = {
  PATH: process.env.PATH,
  HOME: home,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  PM_TERM_HOME: join(home, 'it'),
  PM_TERM_PORT: '0',
  PM_TERM_APPROVER_PORT: '0',
  PM_TERM_PTY_HOST_PORT: '0',
  PM_TERM_HTTP_PORT: '0',
}
let editor = null
let browser = null
let person = null
/** The terminal that the first command opened. */
let build = ''

async function step(name, run) {
  const began = performance.now()
  try {
    await run()
    results.push({ name, ok: true })
    console.log(`ok      ${name}  (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  } catch (cause) {
    results.push({ name, ok: false })
    console.log(`NOT OK  ${name}: ${cause.message}`)
    await person?.shot('not-ok').catch(() => {})
    throw cause
  }
}

function needs(what, is) {
  if (!is) throw new Error(what)
}

const call = (input, more = {}) => editor.begin({ do: 'invoke', tool: TOOL, input, ...more })
const answerOf = async begun => JSON.parse(await begun.answer())
const ask = input => answerOf(call(input))
const file = name => join(editor.work, name)

try {
  await main()
} catch (cause) {
  console.error(cause.stack)
} finally {
  await browser?.close()
  await editor?.stop()
  endHost()
  const failed = results.filter(({ ok }) => !ok)
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`)
  for (const [name, value] of Object.entries(facts)) console.log(`${name}: ${value}`)
  if (failed.length > 0 || results.length === 0) process.exitCode = 1
  if (wanted.keep) console.log(`kept: ${place}`)
  else rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

async function main() {
  const there = installEditor(wanted.editor ?? join(place, 'code-server'))
  const [vsix] = wanted.vsix ? [wanted.vsix] : await buildVsix({ quiet: true })
  packProbe(join(import.meta.dirname, 'vscode-probe'), join(place, 'probe.vsix'))
  editor = new RealEditor(there, place, env)
  editor.install(join(place, 'probe.vsix'))
  editor.install(vsix)
  await editor.start()
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  person = new Person(page, editor, wanted.shots)
  await person.opensWindow()

  await withoutHost()
  await startsHost()
  await isAdmitted()
  await terminals()
  await endings()
  await theOtherTools()
  await looks()
}

async function withoutHost() {
  await step('the extension is active once the editor is up, and takes its time for it', async () => {
    await editor.ask({ do: 'hello' })
    await until('it is active', async () => (await editor.ask({ do: 'extension' })).active)
    facts['activation'] = await activation()
  })

  await step('its tool is registered, with the schema and the words that tell models when to use it', async () => {
    const tool = (await editor.ask({ do: 'tools' })).find(({ name }) => name === TOOL)
    needs(`${TOOL} is not there`, tool)
    needs('its schema names no action', JSON.stringify(tool.inputSchema).includes('"create"'))
    for (const other of ['memory_terminal.', 'memory_terminal_interactive,'])
      needs(`it does not say when to use ${other}`, tool.description.includes(other))
  })

  await step('without a host nothing is typed, and the answer says what a person has to do', async () => {
    const { success, error } = await ask({ action: 'create', command: `touch ${file('never')}` })
    needs(`it was ${JSON.stringify(error)}`, !success && error.details.reason === 'no_host')
    needs('a terminal was opened', (await editor.ask({ do: 'terminals' })).length === 0)
    await person.statusSays('no host')
  })

  await step('a payload of another tool is refused with the name of the right one', async () => {
    for (const [input, right] of [
      [{ action: 'execute', invocation: { mode: 'interactive' } }, 'memory_terminal_interactive'],
      [{ action: 'run', command: 'ls' }, 'memory_terminal'],
      [{ action: 'update_allowlist', patterns: [] }, 'memory_terminal'],
    ]) {
      const { error } = await ask(input)
      needs(`${input.action}: ${error?.message}`, error?.message.includes(right))
    }
  })
}

async function startsHost() {
  await step('the host is started by a command; in a container it is typed, and the person presses Enter', async () => {
    facts['host'] = await person.startsHostInTerminal()
    await until('a host runs', () => existsSync(join(home, 'it/state/host.json')))
    await person.statusSays('not admitted')
  })
}

async function isAdmitted() {
  await step('the panel shows the page, and the code in the terminal of the host admits this editor', async () => {
    await person.opensPanel()
    await person.admitsEditor()
    await person.statusSays('connected')
    await person.shot('panel')
  })
}

async function terminals() {
  await step(
    'a terminal opens with a command once it is approved in the panel; output and exit code come back',
    async () => {
      const begun = call({
        action: 'create',
        name: 'build',
        command: 'echo out-$((40+2)); (exit 3)',
        context: 'to see it',
      })
      const card = await person.seesCard('echo out-')
      needs(`the card says ${card}`, card.includes('terminal "build"'))
      await person.statusSays('1 waiting')
      await person.shot('card')
      await person.approves()
      const answer = await answerOf(begun)
      facts['first answer'] = JSON.stringify(answer)
      build = answer.terminal_id
      needs('it was not done', answer.success && /^term_\d+_build$/.test(answer.terminal_id))
      needs(
        `exit code ${answer.exit_code}, output ${answer.output}`,
        answer.exit_code === 3 && answer.output.includes('out-42'),
      )
      needs(
        'nobody can see it',
        (await editor.ask({ do: 'terminals' })).some(({ name }) => name === 'build'),
      )
      await person.shot('terminal')
    },
  )

  await step('a line is sent there, once approved, and runs where the last one left the shell', async () => {
    const begun = call({ action: 'send', terminal_id: build, command: 'cd / && pwd' })
    await person.seesCard('cd / && pwd')
    await person.approves()
    const { exit_code, output } = await answerOf(begun)
    needs(`${exit_code} ${output}`, exit_code === 0 && output.trim().endsWith('/'))
    const again = call({ action: 'send', terminal_id: build, command: 'pwd -P' })
    const card = await person.seesCard('pwd -P')
    needs(`the card says ${card}`, /Directory\s*\/\s/.test(card))
    await person.declines()
    const { error } = await answerOf(again)
    needs(`it was ${error?.code}`, error?.code === 'PM_TERM_DECLINED')
  })

  await step('what wipes everything is refused without a question', async () => {
    const { error } = await ask({ action: 'send', terminal_id: build, command: 'rm -rf /' })
    needs(`it was ${error?.code}`, error?.code === 'PM_TERM_BLOCKED_DESTRUCTIVE')
  })

  await step('a line that runs on is told as running, and another one is not typed into it', async () => {
    const begun = call({ action: 'send', terminal_id: build, command: 'sleep 300', timeout_ms: 1500 })
    await person.seesCard('sleep 300')
    await person.approves()
    const answer = await answerOf(begun)
    needs(JSON.stringify(answer), answer.status === 'accepted' && answer.running === true)
    const { error } = await ask({ action: 'send', terminal_id: build, command: 'echo x' })
    needs(JSON.stringify(error), error?.details.reason === 'shell_busy')
  })

  await step('a terminal that the person has closed is told as that', async () => {
    await editor.ask({ do: 'closeTerminal', name: 'build' })
    const { terminals: listed } = await until('it is known', async () => {
      const answer = await ask({ action: 'list' })
      return answer.terminals.some(({ state }) => state === 'closed') && answer
    })
    needs(JSON.stringify(listed), listed[0].terminal_id === build)
    const { error } = await ask({ action: 'send', terminal_id: build, command: 'echo x' })
    needs(JSON.stringify(error), error?.code === 'PM_TERM_NOT_FOUND' && /closed/.test(error.message))
  })
}

async function endings() {
  await step(
    'an extension host that is killed while a question is open types nothing, and finds its terminals again',
    async () => {
      const opening = call({ action: 'create', name: 'kept' })
      await person.seesCard('kept')
      await person.approves()
      const { terminal_id } = await answerOf(opening)
      call({ action: 'send', terminal_id, command: `touch ${file('killed')}` })
      await person.seesCard('killed')
      const { pid } = await editor.ask({ do: 'hello' })
      process.kill(pid, 'SIGKILL')
      await until('another one runs', async () => {
        const said = await editor.ask({ do: 'hello' }, 5000).catch(() => null)
        return said !== null && said.pid !== pid
      })
      await until('ours is active again', async () => (await editor.ask({ do: 'extension' })).active)
      await until('a live panel is in the place of the dead one', async () => {
        const lives = (await person.panel()?.locator('[data-panel=not_admitted]').count()) > 0
        return lives && (await person.panelTabs()) === 1
      })
      const { terminals: listed } = await ask({ action: 'list' })
      needs(
        JSON.stringify(listed),
        listed.some(each => each.terminal_id === terminal_id && each.state !== 'closed'),
      )
      needs('it was typed', !existsSync(file('killed')))
      await person.opensPanel()
      await person.admitsEditor()
      const again = call({ action: 'send', terminal_id, command: 'echo again-$((1+1))' })
      await person.seesCard('again-')
      await person.approves()
      const answer = await answerOf(again)
      needs(JSON.stringify(answer), answer.success)
    },
  )

  await step('a host that ends while a question is open: nothing is typed, also not by the next host', async () => {
    const listed = await ask({ action: 'list' })
    const { terminal_id } = listed.terminals.find(({ state }) => state === 'open')
    const begun = call({ action: 'send', terminal_id, command: `touch ${file('lost')}` })
    await person.seesCard('lost')
    endHost()
    const { error } = await answerOf(begun)
    needs(JSON.stringify(error), error?.code === 'PM_TERM_DISCONNECTED')
    await until('it says so', async () => /no host|not admitted/.test(await person.status()))
    await person.startsHostInTerminal()
    await person.statusSays('not admitted')
    await person.opensPanel()
    await person.admitsEditor()
    const again = call({ action: 'send', terminal_id, command: 'echo next-$((1+2))' })
    await person.seesCard('next-')
    await person.approves()
    const answer = await answerOf(again)
    needs(JSON.stringify(answer), answer.success)
    needs('it was typed later', !existsSync(file('lost')))
  })

  await step('close ends a terminal, and list says by whom', async () => {
    const { terminals: before } = await ask({ action: 'list' })
    const { terminal_id } = before.find(({ state }) => state !== 'closed')
    const { success } = await ask({ action: 'close', terminal_id })
    needs('it did not close', success)
    const { terminals: after } = await ask({ action: 'list' })
    needs(JSON.stringify(after), after.find(each => each.terminal_id === terminal_id)?.closed_by === 'agent')
  })

  await step(
    'a window that is loaded anew brings back no terminal of an agent, and gives no number twice',
    async () => {
      const opening = call({ action: 'create', name: 'reloaded' })
      await person.seesCard('reloaded')
      await person.approves()
      const { terminal_id } = await answerOf(opening)
      await person.opensWindow()
      await until('ours is active again', async () => (await editor.ask({ do: 'extension' })).active)
      const { error } = await ask({ action: 'send', terminal_id, command: 'echo x' })
      needs(JSON.stringify(error), error?.code === 'PM_TERM_NOT_FOUND')
      await person.opensPanel()
      await person.admitsEditor()
      const next = call({ action: 'create', name: 'reloaded' })
      await person.seesCard('reloaded')
      await person.declines()
      await answerOf(next)
    },
  )
}

async function theOtherTools() {
  await step(
    'the MCP server of the extension has the two other tools, and its card says that it is the extension',
    async () => {
      await person.startsMcpServer()
      const name = await until('its tools are there', async () =>
        (await editor.ask({ do: 'tools' })).map(each => each.name).find(each => /^mcp_.*interactive$/.test(each)),
      )
      const input = {
        action: 'execute',
        invocation: { mode: 'interactive', intent: 'execute_command' },
        execution: { command: 'bash -c "echo from-mcp"' },
        runtime: { cwd: editor.work },
      }
      const begun = editor.begin({ do: 'invoke', tool: name, input })
      const card = await person.seesCard('from-mcp')
      needs(`the card says ${card}`, /extension/i.test(card))
      await person.approves()
      const said = await begun.answer()
      needs(said, said.includes('from-mcp'))
    },
  )
}

async function looks() {
  await step('the walkthrough opens', async () => {
    await editor.ask({
      do: 'command',
      id: 'workbench.action.openWalkthrough',
      args: ['interactive-terminal.interactive-terminal#start', false],
    })
    await person.sees('Start the host')
    await editor.ask({ do: 'command', id: 'workbench.action.closePanel' })
    await person.sees('It runs on the machine of this window')
    await person.shot('walkthrough')
  })
}

/** The editor's own figure: how long our extension took to be loaded and activated. Only a quiet machine can be held to it. */
async function activation() {
  const ms = await person.activationOf('interactive-terminal')
  needs('the editor does not say how long it took', ms !== null)
  const load = loadavg()[0] / availableParallelism()
  const quiet = load < 1
  needs(`activation took ${ms} ms`, !quiet || ms <= MOST_ACTIVATION_MS)
  return `${ms} ms${quiet ? '' : `, not judged: the machine had ${load.toFixed(1)} times as much to do as it can`}`
}

/** The host that ran here, by the pid that it wrote down. */
function endHost() {
  const hostFile = join(home, 'it/state/host.json')
  if (!existsSync(hostFile)) return
  const { pid } = JSON.parse(readFileSync(hostFile, 'utf8'))
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    return // it has ended already
  }
  for (let look = 0; look < 100; look++) {
    if (!existsSync(`/proc/${pid}`)) return
    execFileSync('sleep', ['0.1'])
  }
  process.kill(pid, 'SIGKILL')
}
