import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OutputExport } from '../../src/contract/disk/output-export.ts'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import { commandLine } from '../drivers/command-line.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { leaveOldRuns } from '../drivers/old-runs.ts'

let host: BrowserHost
let client: FakeClient
let window: WindowPage
beforeAll(async () => {
  host = await BrowserHost.open()
  client = await host.live.client()
  window = await host.window()
})
afterAll(() => host.close())

const asks = (command: string, more = {}) =>
  client.command(command, { working_directory: host.live.place.work, ...more })

/** A question never takes a page away: the person turns to it. */
async function approveNext(): Promise<void> {
  await window.page.locator('[data-item]').first().click()
  await window.approve()
}
async function openHistory(): Promise<void> {
  await window.page.locator('[data-page-link=history]').click()
  await settled()
}
/** The list is complete, as far as it is shown. */
const settled = () => window.page.locator('[data-history-status]', { hasText: /all there is|scroll|None of/ }).waitFor()
const rows = async () =>
  (await window.page.locator('[data-run]').allInnerTexts()).map(text =>
    text.replaceAll('\u00ad', '').replaceAll(/\s+/g, ' '),
  )

test(
  'the page History has every run of both lanes, newest first: command, ending, who approved, where',
  needs('git'),
  async () => {
    const server = await openStdio({ place: host.live.place, named: { name: 'codex', version: '7' } })
    await server.headless({ action: 'run', command: 'git --version' })
    await server.close()
    const ran = asks('/bin/sh -c "echo \u202eout; exit 3"')
    await window.approve()
    await client.response(ran)
    const declined = asks('/bin/echo never')
    await window.armed()
    await window.settled()
    await window.page.locator('[data-decline]').click()
    await client.response(declined)

    await openHistory()
    await expect.poll(rows).toHaveLength(3)
    const [never, failed, headless] = await rows()
    expect(never).toMatch(/^\/bin\/echo never declined .*“test client 1”.*In a terminal$/)
    expect(failed).toMatch(/U\+202E.* exit 3 .* approved by you in the window at \d\d:\d\d:\d\d .*In a terminal$/)
    expect(headless).toMatch(/^git --version exit 0 .*“codex 7”.* allowed by a rule · [\d.]+ m?s · Headless$/)
  },
)

test('runs are found by what is in the command, by ending, lane, agent and folder; with the keyboard alone', async () => {
  leaveOldRuns(host.live.state, 800, { cwd: host.live.place.work, hours: 1 })
  const { page } = window
  await page.locator('[data-filter=command]').fill('STEP-77')
  await page.locator('[data-history-status]', { hasText: '11 runs' }).waitFor()
  await page.locator('[data-filter=outcome]').selectOption('Another exit code')
  await page.locator('[data-history-status]', { hasText: '3 runs.' }).waitFor()
  expect((await rows()).map(row => /step-\d+ exit \d/.exec(row)?.[0])).toEqual([
    'step-777 exit 2',
    'step-770 exit 2',
    'step-77 exit 2',
  ])
  await page.locator('[data-filter=command]').fill('nothing like this')
  await page.locator('[data-history-status]', { hasText: 'None of 803 runs fits.' }).waitFor()

  await page.locator('[data-filter=command]').fill('')
  await page.locator('[data-filter=outcome]').selectOption('Any ending')
  await page.locator('[data-filter=agent]').fill('codex')
  await page.locator('[data-history-status]', { hasText: '1 run.' }).waitFor()
  await page.locator('[data-filter=agent]').fill('')
  await page.locator('[data-filter=lane]').selectOption('In a terminal')
  await page.locator('[data-history-status]', { hasText: '2 runs.' }).waitFor()

  await page.locator('[data-filter=lane]').focus()
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'ArrowDown']) await page.keyboard.press(key)
  const focused = await page.evaluate<string>('document.activeElement.dataset.run ?? document.activeElement.outerHTML')
  expect(focused).toBe(await page.locator('[data-run]').nth(1).getAttribute('data-run'))
  expect(window.complaints).toEqual([])
})

test('a run is opened with its facts and its output; long output comes in pages and is searched', async () => {
  const { page } = window
  host.live.place.write(
    'work/long.sh',
    'echo first >&2; i=0; while [ $i -lt 9000 ]; do echo "line $i of many"; i=$((i+1)); done; echo "the needle is here"\n',
  )
  const ran = asks('bash long.sh')
  await approveNext()
  await client.response(ran)
  await openHistory()
  await page.locator(`[data-run="${ran}"]`).click()
  const text = page.locator('[data-text]')
  await text.waitFor()
  expect(await page.locator('[data-run-command]').innerText()).toContain('bash long.sh')
  expect(await page.locator('[data-ending]').innerText()).toBe('Exit code 0')
  expect(await window.read('[data-facts]')).toMatch(/Where\s+\/.*work\s+.*Approval\s+approved by you in the window at/s)
  expect(await text.innerText()).toMatch(/^first\nline 0 of many\n/)
  expect(await text.innerText()).not.toContain('needle')
  await page.locator('[data-more-output]').click()
  await expect.poll(async () => (await text.innerText()).length).toBeGreaterThan(60_000)

  await page.locator('[data-find]').fill('need.e')
  await page.keyboard.press('Enter')
  await page.locator('[data-finds]', { hasText: 'One line in all of it.' }).waitFor()
  await page.locator('[data-find-at]').click()
  await expect.poll(() => text.innerText()).toBe('the needle is here\n')
  await page.locator('[data-find]').fill('no such thing')
  await page.keyboard.press('Enter')
  await page.locator('[data-finds]', { hasText: 'No line in all of it.' }).waitFor()

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('[data-copy-output]').click()
  await page.locator('[data-notice]', { hasText: 'The output is copied.' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect([copied.split('\n').length, copied.includes('line 8999 of many')]).toEqual([9003, true])
})

test(
  'run again asks like any other command, also where a rule covers it: nothing runs before it is approved',
  needs('git'),
  async () => {
    const { page } = window
    await page.locator('[data-back]').click()
    await page.locator('[data-filter=command]').fill('git --version')
    await page.locator('[data-history-status]', { hasText: '1 run.' }).waitFor()
    await page.locator('[data-run]').click()
    await page.locator('[data-rerun]').click()
    await page.locator('[data-notice]', { hasText: 'needs your approval' }).waitFor()
    await page.locator('[data-item]').first().click()
    expect(await window.commandText()).toBe('git --version')
    expect(await window.read('[data-ask]')).toContain('You asked for it in the history of runs.')
    await window.approve()
    await page.locator('[data-exit="0"]').waitFor()
    await openHistory()
    await page.locator('[data-filter=command]').fill('git --version')
    await page.locator('[data-history-status]', { hasText: '2 runs.' }).waitFor()
    expect((await rows())[0]).toMatch(/“Run again test”.* approved by you in the window/)
    await page.locator('[data-filter=command]').fill('')
  },
)

test('a run is exported from the page and on the command line: as text, as JSON, and as an asciicast with the approval', async () => {
  const { page } = window
  const ran = asks('/bin/echo one; sleep 0.3; /bin/echo two')
  await approveNext()
  await client.response(ran)
  await openHistory()
  await page.locator(`[data-run="${ran}"]`).click()
  const saved = async (as: string) => {
    await page.locator('[data-export-as]').selectOption(as)
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-export]').click()])
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  }
  const json = await saved('JSON')
  expect(json.name).toBe(`${ran}.json`)
  const { output } = OutputExport.parse(JSON.parse(json.text))
  const times = output.pieces.map(({ at }) => Date.parse(at ?? ''))
  expect(output.pieces.map(piece => piece.text)).toEqual(['one\r\n', 'two\r\n'])
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(250)

  const [header, ...events] = (await saved('asciicast v3')).text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(header).toMatchObject({ version: 3, command: '/bin/echo one; sleep 0.3; /bin/echo two' })
  expect(events.map(([, code, data]: [number, string, string]) => [code, data])).toEqual([
    ['m', 'asked'],
    ['m', 'approved by the person in the window'],
    ['m', 'started'],
    ['o', 'one\r\n'],
    ['o', 'two\r\n'],
    ['x', '0'],
  ])

  const typed = await commandLine(host.live.place, ['export', ran])
  expect(typed.code).toBe(0)
  expect(typed.out).toMatch(/# approved by: person\n[\s\S]*\n\none\ntwo\n$/)
})

test('a run is replayed in the window as it was printed, to its end, and from wherever the person goes', async () => {
  const { page } = window
  host.live.place.write(
    'work/slow.sh',
    "printf '\\033[32mgreen\\033[0m'; sleep 0.4; printf '\\rwhite'; sleep 0.3; echo ' end'\n",
  )
  const ran = asks('bash slow.sh')
  await approveNext()
  await client.response(ran)
  await openHistory()
  await page.getByRole('button', { name: 'Show the newest' }).click()
  await page.locator(`[data-run="${ran}"]`).click()
  await page.locator('[data-show-replay]').click()
  const screen = page.locator('[data-replay-screen] .xterm-rows')
  await page.locator('[data-replay=over]').waitFor()
  await expect.poll(() => screen.innerText()).toMatch(/^white end/)
  await page.locator('[data-marker]', { hasText: 'approved by the person in the window' }).click()
  await expect.poll(() => screen.innerText()).not.toMatch(/white|green/)
  await page.locator('[data-place]').press('End')
  await expect.poll(() => screen.innerText()).toMatch(/^white end/)
  expect(window.complaints).toEqual([])
})

test('of ten thousand runs only those in view are drawn, and the oldest is reached by scrolling', async () => {
  leaveOldRuns(host.live.state, 10_000, { cwd: host.live.place.work, hours: 2 })
  const { page } = window
  await openHistory()
  await page.getByRole('button', { name: 'Show the newest' }).click()
  await page.locator('[data-history-status]', { hasText: 'The newest' }).waitFor()
  await expect
    .poll(async () => {
      await page.evaluate('document.querySelector("[data-runs]").scrollTo(0, 1e9)')
      return page.locator('[data-history-status]').innerText()
    })
    .toMatch(/^1\d{4} runs\. That is all there is\.$/)
  await page.evaluate('document.querySelector("[data-runs]").scrollTo(0, 1e9)')
  await page.locator('[data-run=req_2_1]').waitFor()
  expect(await page.locator('[data-run]').count()).toBeLessThan(40)
})
