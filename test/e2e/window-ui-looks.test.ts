import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, expect, test } from 'vitest'
import { BrowserHost, type Look, type WindowPage } from '../drivers/browser.ts'
import { VIEWS } from '../drivers/window-views.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const hosts: BrowserHost[] = []
afterAll(() => Promise.all(hosts.map(host => host.close())))

/** Goes through every view; each is looked at, then left as it was found. */
async function everyView(look: Look, see: (window: WindowPage) => Promise<unknown>): Promise<Record<string, unknown>> {
  const host = await BrowserHost.open()
  hosts.push(host)
  const window = await host.window(look)
  const seen: Record<string, unknown> = {}
  for (const view of VIEWS) {
    const client = await host.live.client()
    const asked: string[] = []
    const place = { working_directory: host.live.place.work, workspace_id: 'test' }
    const asks = (command: string, more = {}): void => void asked.push(client.command(command, { ...place, ...more }))
    await view.open(window, { host, client, asks })
    seen[view.name] = await see(window)
    await window.page.keyboard.press('Escape')
    await window.page.mouse.move(look.width ? 2 : 700, 20)
    for (const request_id of asked) client.send({ type: 'cancel', request_id, trace_id: 'trace_1' })
    await window.page.locator('[data-item]').first().waitFor({ state: 'detached' })
  }
  expect(window.complaints).toEqual([])
  return seen
}

const nothing = Object.fromEntries(VIEWS.map(({ name }) => [name, []]))

/** Between the themes only colours differ: what depends on them is looked at twice. */
const RULES = {
  light: {},
  dark: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
}

async function violations({ page }: WindowPage): Promise<unknown> {
  // A page that is still the same one has it already.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const found: unknown[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // A terminal is painted anew with the next frame.
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const rows = await page.evaluate(
      `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...RULES[colorScheme] })}).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => id + ' ' + target + ' ' + html.slice(0, 120))))`,
    )
    found.push(...(rows as string[]).map(row => `${colorScheme}: ${row}`))
  }
  return found
}

/** What a screen reader would say of it: something to press, choose or fill in that has no name. */
async function nameless({ page }: WindowPage): Promise<unknown[]> {
  const tree = await page.locator('body').ariaSnapshot()
  const rows = tree.split('\n').map(row => row.trim())
  return rows.filter(row =>
    /^- (?:button|link|textbox|checkbox|radio|switch|combobox|slider|tab|dialog)(?: \[|:|$)/.test(row),
  )
}

test.concurrent('everybody can use every view, light and dark: axe finds nothing, and whatever can be used has a name', async () => {
  const both = async (window: WindowPage) => [...((await violations(window)) as unknown[]), ...(await nameless(window))]
  expect(await everyView({ reducedMotion: true }, both)).toEqual(nothing)
}, 240_000)

test.concurrent('enlarged to 200 % the answers of a card leave most of the window to the command', async () => {
  const host = await BrowserHost.open()
  hosts.push(host)
  const window = await host.window({ width: 640, height: 400 })
  const client = await host.live.client()
  const about = { working_directory: host.live.place.work, workspace_id: 'test' }
  const id = client.command('npm run build -- --watch --mode production', about)
  await window.page.locator('[data-choice=always]').waitFor()
  // While there is more to read it says so, and takes no row of its own for it.
  const isHigh = async () => (await window.page.locator('[data-decide]').boundingBox())?.height
  await window.page.locator('[data-unseen]').waitFor()
  expect(await isHigh()).toBeLessThan(100)
  await window.armed()
  expect(await isHigh()).toBeLessThan(100)
  const tops = await window.page
    .locator('.split:has([data-approve]) > button')
    .evaluateAll(buttons => buttons.map(button => Math.round(button.getBoundingClientRect().top)))
  expect(new Set(tops).size).toBe(1)
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
}, 60_000)

test.concurrent('on a phone nothing is wider than the screen, and no text runs out of its place', async () => {
  const tooWide = ({ page }: WindowPage): Promise<unknown> =>
    page.evaluate(
      `[...document.querySelectorAll('#window *')].filter(element => {
        const box = element.getBoundingClientRect()
        if (box.width === 0 || getComputedStyle(element).visibility === 'hidden') return false
        if (element.closest('.sr-only') || element.closest('.truncate') || element.closest('ul.overflow-x-auto')) return false
        return box.right > innerWidth + 1 || box.left < -1
      }).map(element => element.outerHTML.slice(0, 160))`,
    )
  expect(await everyView({ width: 360, height: 740, reducedMotion: true }, tooWide)).toEqual(nothing)
}, 180_000)
