import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import type { CDPSession, Page } from 'playwright-core'
import type { Host } from '../../src/host/host.ts'
import type { WindowPage } from '../drivers/browser.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { drivableBrowser, HostWindows } from '../drivers/host-window.ts'
import { type FakeClient, LiveHost } from '../drivers/live-host.ts'
import { eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { PRODUCT } from '../drivers/place.ts'

/** Rows about the window: real host, pty-host, MCP client and Chromium, each in a process of its own. */
type Say = (text: string) => void

const MB = 1024 * 1024
const LONG_MS = 300_000

interface World {
  readonly at: HostProcesses
  readonly live: LiveHost
  readonly agent: Opened
  readonly client: FakeClient
  readonly window: WindowPage
  readonly page: Page
  readonly cdp: CDPSession
}

export async function windowRows(say: Say, only = ''): Promise<void> {
  firstPaint(say)
  const at = new HostProcesses({ DISPLAY: ':none' })
  const windows = new HostWindows(at.place)
  // An env value that a launched host would not take: this one is started by hand.
  await at.start([], { PM_TERM_BROWSER: drivableBrowser(at.place, ['--headless=new', '--disable-3d-apis']) })
  const { port = 0, approver_port: approverPort = 0 } = at.told() ?? {}
  const live = new LiveHost(at.place, { port, approverPort } as Host)
  const client = beating(await live.client())
  client.ask('show_window')
  const window = await windows.next()
  const { page } = window
  page.setDefaultTimeout(LONG_MS)
  const env = { PM_TERM_PORT: String(port), PM_TERM_APPROVER_PORT: String(approverPort) }
  const agent = await openStdio({ place: at.place, env })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const world = { at, live, agent, client, window, page, cdp }
  const rows = { cards, flood, interrupt, reconnect, crowd }
  try {
    for (const [name, row] of Object.entries(rows)) if (name.includes(only)) await row(say, world)
  } finally {
    await agent.close()
    await windows.close()
    await at.close()
  }
}

/** Without a sign of life the host takes a client for gone. */
function beating(client: FakeClient): FakeClient {
  setInterval(() => client.link.open && client.send({ type: 'heartbeat' }), 2000).unref()
  return client
}

function firstPaint(say: Say): void {
  const web = join(PRODUCT, '../web')
  const html = readFileSync(join(web, 'index.html'), 'utf8')
  const files = ['index.html', ...[...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)]
  const bytes = files.map(file => gzipSync(readFileSync(join(web, file))).length).reduce((a, b) => a + b, 0)
  say(`first paint: ${files.length} files, ${(bytes / 1024).toFixed(1)} KB gz`)
}

const CARDS = 25

/** From the question in the host's journal to the frame in which the whole card was painted. */
async function cards(say: Say, { live, agent, page }: World): Promise<void> {
  await page.evaluate(`window.painted = []
    new MutationObserver(() => {
      const ask = document.querySelector('[data-ask] [data-command]')?.closest('[data-ask]').dataset.ask
      if (!ask || window.painted.some(one => one.ask === ask)) return
      const one = { ask, at: 0 }
      window.painted.push(one)
      requestAnimationFrame(() => requestAnimationFrame(() => { one.at = performance.timeOrigin + performance.now() }))
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`)
  for (let i = 0; i < CARDS; i++) {
    const taken = new AbortController()
    const call = agent.interactive(
      {
        action: 'execute',
        invocation: { mode: 'interactive', intent: 'execute_command' },
        execution: { command: `/bin/echo ${i} && git status --short` },
      },
      { signal: taken.signal, timeoutMs: LONG_MS },
    )
    call.catch(() => {}) // taken back below
    await page.locator('[data-command]', { hasText: `/bin/echo ${i} ` }).waitFor()
    await eventually('it is painted', () => page.evaluate<boolean>('window.painted.at(-1).at > 0'))
    taken.abort()
    await page.locator('[data-item]').first().waitFor({ state: 'detached' })
  }
  const painted = await page.evaluate<{ ask: string; at: number }[]>('window.painted')
  const database = new DatabaseSync(join(live.state, 'journal.db'), { readOnly: true })
  const asked = database.prepare("SELECT at FROM journal WHERE kind = 'asked' ORDER BY seq").all() as { at: number }[]
  database.close()
  const waits = painted.map(({ at }, i) => at - (asked[i]?.at ?? Number.NaN))
  say(`card on the screen after the host has the question: ${spread(waits)} (${waits.length} cards)`)
}

const FLOOD_MB = 100

/** Keys while a flood runs: how long the page lets them wait, and how long until another terminal has echoed them. */
async function flood(say: Say, { window, page, cdp, at }: World): Promise<void> {
  const flooded = await shell(window)
  const calm = await shell(window)
  const tab = (name: string) => page.locator(`[data-tab="${name}"] button`).first()
  const line = (mark: string) =>
    `yes "a row of a flood that goes on and on" | head -c ${FLOOD_MB}M; echo ${mark} > ${mark}`
  const over = (mark: string) => at.place.read(`work/${mark}`) !== ''
  const heap = async () =>
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'JSHeapUsedSize')
  await cdp.send('HeapProfiler.collectGarbage')
  const before = (await heap())?.value ?? 0

  const quiet: number[] = []
  for (let i = 0; i < 30; i++) quiet.push(await echo(window))
  say(`a key is echoed, with nothing else going on, after ${spread(quiet)}`)
  await tab(flooded).click()
  await focus(window)
  await typed(window, line('one'))
  await page.evaluate(`window.delays = []; window.late = []
    addEventListener('keydown', event => {
      window.delays.push(performance.now() - event.timeStamp)
      requestAnimationFrame(() => window.late.push(performance.now() - event.timeStamp))
    }, { capture: true })`)
  let most = 0
  const began = performance.now()
  while (!over('one')) {
    await page.keyboard.press('Shift')
    most = Math.max(most, (await heap())?.value ?? 0)
    await pause(50)
  }
  const ms = performance.now() - began
  await typed(window, 'echo the end')
  await window.shows('the end')
  const delays = await page.evaluate<number[]>('window.delays')
  say(`${FLOOD_MB} MB flood on the screen, ${(ms / 1000).toFixed(1)} s: a key is handled after ${spread(delays)}`)
  say(`  … and is in the next frame after ${spread(await page.evaluate<number[]>('window.late'))}`)
  await cdp.send('HeapProfiler.collectGarbage')
  const after = (await heap())?.value ?? 0
  say(`  page memory: ${mb(before)} before, at most ${mb(most)} meanwhile, ${mb(after)} after`)

  await typed(window, line('two'))
  await tab(calm).click()
  await focus(window)
  const echoes: number[] = []
  while (!over('two')) echoes.push(await echo(window))
  say(`another terminal while the flood goes on: a key is echoed after ${spread(echoes)} (${echoes.length} keys)`)
}

/** One letter, from the key to the row it is in; both times are the page's. */
async function echo({ page }: WindowPage): Promise<number> {
  await page.evaluate(`window.echoed = new Promise(resolve => {
    const rows = document.querySelector('[data-screen] .xterm-rows')
    const before = rows.textContent
    addEventListener('keydown', ({ timeStamp }) => {
      const look = new MutationObserver(() => {
        if (rows.textContent === before) return
        look.disconnect()
        resolve(performance.now() - timeStamp)
      })
      look.observe(rows, { subtree: true, childList: true, characterData: true })
    }, { once: true, capture: true })
  }); 0`)
  await page.keyboard.press('x')
  return page.evaluate<number>('window.echoed')
}

const INTERRUPTS = 9

/** A flood that goes on and on, from Ctrl+C to the prompt on the screen; both times are the page's. */
async function interrupt(say: Say, { window, page }: World): Promise<void> {
  await shell(window)
  const times: number[] = []
  for (let i = 0; i < INTERRUPTS; i++) {
    await typed(window, 'yes "a row of a flood that goes on and on"')
    await window.shows('a row of a flood')
    await pause(1500)
    await page.evaluate(`window.prompted = new Promise(resolve => {
      const rows = document.querySelector('[data-screen] .xterm-rows')
      const isPrompt = () => /[$#]\\s*$/.test([...rows.children].map(row => row.textContent).join('\\n').trimEnd())
      addEventListener('keydown', ({ key, timeStamp }) => {
        if (key !== 'c') return
        const look = () => isPrompt() ? resolve(performance.now() - timeStamp) : requestAnimationFrame(look)
        look()
      }, { capture: true })
    }); 0`)
    await page.keyboard.press('Control+c')
    times.push(await page.evaluate<number>('window.prompted'))
  }
  say(`Ctrl+C in a flood until the prompt is on the screen: ${spread(times)} (${times.length} floods)`)
}

const LOG_MB = 50

/** A page that is loaded again, from asking for the terminal to its right screen. */
async function reconnect(say: Say, { window, page, at }: World): Promise<void> {
  const other = await shell(window)
  const mine = await shell(window)
  const signs = 'seq -f "%.0f of a long log with \\033[32mcolours\\033[0m" 1 100000000'
  await typed(
    window,
    `${signs} | head -c ${LOG_MB}M | sed 's/\\\\033/\\x1b/g'; printf '\\nthe last row\\n'; echo x > done`,
  )
  await eventually('it is printed', () => at.place.read('work/done') !== '', LONG_MS)
  await window.shows('the last row')
  const screen = await window.screen()
  const times: number[] = []
  for (let i = 0; i < 7; i++) {
    await page.reload()
    await window.admitted()
    // With another one, whose screen is small, the code of terminals is there: as after a lost connection.
    await page.locator(`[data-tab="${other}"] button`).first().click()
    await window.shows(/[$#]/)
    times.push(
      await page.evaluate<number>(`new Promise(resolve => {
        const began = performance.now()
        const look = () => {
          const rows = document.querySelector('[data-screen] .xterm-rows')
          rows?.textContent.includes('the last row') ? resolve(performance.now() - began) : requestAnimationFrame(look)
        }
        document.querySelector('[data-tab="${mine}"] button').click()
        look()
      })`),
    )
    await eventually('the same screen', async () => (await window.screen()) === screen)
  }
  say(
    `a page that comes back to a terminal with a ${LOG_MB} MB log has its screen after ${spread(times)}: ${times.map(ms => ms.toFixed(0)).join(' ')} ms`,
  )
}

/** 200 questions and 50 tabs, and nobody does anything. */
async function crowd(say: Say, { live, window, page }: World): Promise<void> {
  while ((await page.locator('[data-tab]').count()) < 50) await shell(window)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  for (let i = 0; i < 13; i++) {
    live.pair(`box-${i}`)
    const client = beating(await live.client(`box-${i}`))
    // Each command has a terminal, and there are no more than 64: the others ask for rules.
    client.command(`/bin/echo ${i} && npm run build`, { working_directory: live.place.work })
    for (let n = 1; n < 16; n++)
      client.ask('allowlist_update', {
        workspace_id: 'test',
        operation: 'add',
        patterns: [`npm run build-${i}-${n} *`],
      })
  }
  await eventually(
    'all have come',
    async () => Number((await page.locator('[data-count]').innerText()).trim()) >= 200,
    60_000,
  )
  const idle = `new Promise(resolve => {
    const long = []
    const watch = new PerformanceObserver(list => long.push(...list.getEntries().map(({ duration }) => duration)))
    watch.observe({ type: 'longtask' })
    setTimeout(() => { watch.disconnect(); resolve(long) }, 15000)
  })`
  await pause(3000)
  const long = await page.evaluate<number[]>(idle)
  const count = await page.locator('[data-item]').count()
  say(
    `${count} questions and ${await page.locator('[data-tab]').count()} tabs, 15 s of nothing: ${long.length} tasks over 50 ms, the longest ${Math.max(0, ...long).toFixed(0)} ms`,
  )
}

/** A shell of the person in the work directory, shown; its name. */
async function shell(window: WindowPage): Promise<string> {
  const name = await window.newShell()
  await typed(window, 'cd ~/work; clear')
  return name
}

const focus = ({ page }: WindowPage) => page.locator('[data-screen] .xterm-helper-textarea').focus()
async function typed({ page }: WindowPage, line: string): Promise<void> {
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const mb = (bytes: number): string => `${(bytes / MB).toFixed(0)} MB`
function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0)
  return `${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms at most`
}
