import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'

let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  client = await host.live.client()
})
afterAll(() => host.close())

const runs = (command: string, more: Record<string, unknown> = {}): string =>
  client.command(command, { working_directory: host.live.place.work, approval_required: true, ...more })

async function typed(line: string): Promise<void> {
  await window.page.keyboard.type(line)
  await window.page.keyboard.press('Enter')
}

test('a person opens a shell and types; letters of every script and pictures come out as they are', async () => {
  await window.newShell()
  await typed("printf '%s\\n' 'grün 你好 שלום 🙂' $((6*7))")
  await window.shows(/\n?42/)
  expect(await window.screen()).toMatch(/\ngrün 你好 שלום 🙂\n42\n/)
})

test('a shell has the size of its place, also after the window changed', async () => {
  const { page } = window
  const size = async (mark: string): Promise<string> => {
    await typed(`echo ${mark} $(stty size)`)
    await window.shows(new RegExp(`${mark} \\d+ \\d+`))
    return new RegExp(`\\n${mark} (\\d+ \\d+)`).exec(await window.screen())?.[1] ?? ''
  }
  const before = await size('wide')
  await page.setViewportSize({ width: 900, height: 500 })
  await expect.poll(() => size(`n${Math.trunc(performance.now())}`)).not.toBe(before)
  await page.setViewportSize({ width: 1180, height: 780 })
})

test('a shell is renamed, cleared, restarted and closed, and closing asks first', async () => {
  const { page } = window
  await page.locator('[data-rename]').click()
  await page.keyboard.type('my work')
  await page.keyboard.press('Enter')
  await page.locator('[data-tab]', { hasText: 'my work' }).waitFor()
  await page.getByRole('button', { name: 'Restart your shell' }).click()
  await page.locator('[data-close-terminal]').click()
  await page.locator('[data-screen] .xterm-helper-textarea').focus()
  await expect.poll(() => window.screen()).not.toContain('wide')
  await page.getByRole('button', { name: 'Close my work' }).click()
  await page.locator('[data-close-terminal]').click()
  await page.locator('[data-tab]', { hasText: 'my work' }).waitFor({ state: 'detached' })
})

test('a command of an agent is seen while it runs, the person types into it, and its end is told', async () => {
  const { page } = window
  const id = runs('read -s -p "Password: " x; echo; printf "%s" "$x" | wc -c; exit 3')
  await window.approve()
  await window.shows('Password:')
  await page.locator('[data-screen] .xterm-helper-textarea').focus()
  await typed('secret')
  await window.shows('6')
  await page.locator('[data-exit="3"]').waitFor()
  expect(await window.screen()).not.toContain('secret')
  expect(await client.response(id)).toMatchObject({ exit_code: 3 })
})

test('a question for a terminal shows as a count on its tab', async () => {
  const { page } = window
  const id = runs('/bin/echo waiting')
  await page.locator('[data-pending]').waitFor()
  // The keyboard is in the terminal, so the question does not take its place by itself.
  await page.keyboard.press('F6')
  await window.armed()
  await page.locator('[data-decline]').click()
  await page.locator('[data-pending]').waitFor({ state: 'detached' })
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
})

test('a line of an agent that does not listen is ended by force, and nothing else is: the window lives on', async () => {
  const { page } = window
  const approves = async (): Promise<void> => {
    await page.locator('[data-item]').first().click()
    await window.approve()
    await page.locator('[data-item]').first().waitFor({ state: 'detached' })
  }
  const place = { terminal_profile: 'bash', workspace_path: host.live.place.work }
  const opening = client.ask('command_request', { intent: 'open_only', ...place })
  await approves()
  const { terminal_id } = await client.response(opening)
  const id = client.command('sh -c "trap : INT; echo up; while :; do sleep 0.1; done"', { terminal_id })
  await approves()
  await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
  const kill = client.ask('kill', { session_id: id })
  expect(await client.heard.next('killed', frame => frame.request_id === kill)).toMatchObject({ state: 'killed' })
  await page.locator(`[data-tab="${terminal_id}"] button`).first().click()
  await page.locator(`[data-terminal="${terminal_id}"]`).waitFor()
  const close = client.ask('kill', { terminal_id })
  await client.heard.next('killed', frame => frame.request_id === close)
})

test('a page that is loaded again has the same screen again, no row doubled or lost', async () => {
  const { page } = window
  await window.newShell()
  await typed('for i in $(seq 1 500); do echo row $i; done')
  await window.shows('row 500')
  const before = await window.screen()
  const name = (await page.locator('[data-tab]').last().innerText()).split('\n')[0] ?? ''
  await page.reload()
  await window.admitted()
  await page.locator('[data-tab]', { hasText: name }).getByRole('button').first().click()
  await window.shows('row 500')
  await expect.poll(() => window.screen()).toBe(before)
})

test('ten thousand rows come in order, and text in them is found', async () => {
  const { page } = window
  await page.locator('[data-screen] .xterm-helper-textarea').focus()
  await typed('clear; seq -f "number %.0f" 1 10000')
  await window.shows('number 10000')
  const rows = (await window.screen()).split('\n').filter(row => /^number \d+$/.test(row))
  const last = rows.map(row => Number(row.slice(7)))
  expect(last).toEqual(Array.from({ length: last.length }, (_, i) => 10_000 - last.length + 1 + i))
  await page.keyboard.press('Control+Shift+F')
  await page.getByLabel('Search in this terminal').fill('number 7777')
  await window.shows('number 7777')
  const place = page.getByRole('status').filter({ hasText: / of \d+$/ })
  await expect.poll(() => place.textContent()).toBe('1 of 1')
  await page.getByLabel('Search in this terminal').fill('number 999')
  await expect.poll(() => place.textContent()).toMatch(/^\d+ of 10$/)
  await page.keyboard.press('Escape')
})

test('a flood does not freeze the page, and ends with its last row', async () => {
  const { page } = window
  await page.locator('[data-screen] .xterm-helper-textarea').focus()
  await typed('clear; yes "a row of a flood that goes on and on" | head -c 30000000; echo; echo the end of it')
  const slow = await page.evaluate<number>(`new Promise(resolve => {
    let longest = 0, last = performance.now(), left = 120
    const look = () => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
      left-- > 0 ? requestAnimationFrame(look) : resolve(longest)
    }
    requestAnimationFrame(look)
  })`)
  await window.shows('the end of it')
  // Generous: other tests share the machine. Frozen would be the whole flood long.
  expect(slow).toBeLessThan(1500)
}, 60_000)

test('Ctrl+C in a flood brings the prompt, and the page says how much is in the log only', async () => {
  const { page } = window
  await page.locator('[data-screen] .xterm-helper-textarea').focus()
  const flooded = join(host.live.place.work, 'flooded')
  const flood = 'yes "a row of a flood that goes on and on"'
  await typed(`clear; ${flood} | head -c 4000000; touch ${flooded}; ${flood}`)
  await expect.poll(() => existsSync(flooded), { timeout: 45_000 }).toBe(true)
  await page.keyboard.press('Control+c')
  await window.shows(/[$#]\s*$/)
  await page.locator('[data-foot]', { hasText: /[1-9][\d,]* earlier bytes are in the log only/ }).waitFor()
  await typed('echo still "here"')
  await window.shows('still here')
}, 60_000)

test('the browser had nothing to complain about', () => {
  expect(window.complaints.filter(text => !text.includes('task queue exceeded'))).toEqual([])
})

test('what waits for its turn says behind which command, with what hides in it drawn', async () => {
  const { page } = window
  const first = runs('sleep 60 #\u202e')
  // Whether the keyboard is in a terminal or not: the question is looked at.
  await page.locator('[data-item]').click()
  await window.approve()
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === first)
  const second = runs('/bin/echo next', { terminal_id })
  const waiting = page.locator('[data-foot] [data-waiting]')
  await waiting.waitFor()
  expect(await waiting.innerText()).toMatch(/^1 more waiting behind sleep 60 #‹.*›$/)
  client.send({ type: 'cancel', request_id: second, trace_id: 'trace_1' })
  client.ask('kill', { session_id: first })
  await client.response(first)
  await waiting.waitFor({ state: 'detached' })
})

test('a tab is called after who runs there and where, and the person’s own name for it wins', async () => {
  const { page } = window
  const id = runs('/bin/echo named')
  await page.locator('[data-item]').last().click()
  await window.approve()
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  await client.response(id)
  const tab = page.locator(`[data-tab="${terminal_id}"]`)
  await tab.getByText(/^test client · work( \d+)?$/).waitFor()
  await tab.getByRole('button').first().click()
  await page.locator('[data-rename]').click()
  await page.keyboard.type('builds')
  await page.keyboard.press('Enter')
  await tab.getByText('builds').waitFor()
  await page.getByRole('button', { name: 'Close builds' }).click()
  await tab.waitFor({ state: 'detached' })
})

test('all idle tabs of agents are closed at once; the list says so, and one comes back as it was', async () => {
  const { page } = window
  const id = runs('/bin/echo kept in the runs; cd ..')
  await page.locator('[data-item]').last().click()
  await window.approve()
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  await client.response(id)
  await page.locator('[data-all-terminals]').click()
  await page.locator('[data-close-idle]').click()
  await page.locator(`[data-closed="${terminal_id}"]`).waitFor()
  await page.locator('[data-tab]', { hasText: 'test client' }).first().waitFor({ state: 'detached' })
  await page.locator('[data-tab]', { hasText: 'You · ' }).first().waitFor()
  const again = page
    .locator(`[data-closed="${terminal_id}"]`)
    .getByRole('button', { name: /^Open again: test client · work/ })
  await again.click()
  await page.locator(`[data-tab="${terminal_id}"] [aria-current]`).waitFor()
  await window.shows('kept in the runs')
  // An agent that names one whose tab was closed has it back, where it stood.
  await page.locator('[data-all-terminals]').click()
  await page.locator('[data-close-idle]').click()
  await page.locator(`[data-closed="${terminal_id}"]`).waitFor()
  await page.keyboard.press('Escape')
  const asked = client.command('pwd', { terminal_id, approval_required: true })
  await page.locator(`[data-tab="${terminal_id}"]`).waitFor()
  await page.locator('[data-item]').last().click()
  await window.approve()
  expect(await client.response(asked)).toMatchObject({ output: `${join(host.live.place.work, '..')}\r\n` })
})

test('a person chooses shell, directory and virtual environment with the keyboard; what is wrong is said, and nothing is lost', async () => {
  const { page } = window
  const { place } = host.live
  place.write('work/env/bin/mine', '#!/bin/sh\necho mine', 0o755)
  place.write('.bashrc', 'PATH=/first/of/all:$PATH\n')
  await page.locator('[data-choose-shell]').focus()
  await page.keyboard.press('Enter')
  const dialog = page.locator('[data-shell-dialog]')
  await dialog.getByLabel('Shell').selectOption('bash')
  await dialog.getByLabel('Directory').fill('/no/such/place')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('There is no directory /no/such/place.').waitFor()
  await dialog.getByLabel('Directory').fill(place.work)
  await dialog.getByLabel('Virtual environment').fill('none')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('none is no virtual environment').waitFor()
  await dialog.getByLabel('Virtual environment').fill('env')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('[data-terminal] .xterm-helper-textarea:focus').waitFor({ state: 'attached' })
  await window.shows(/[$#]/)
  const first = '$(echo "$PATH" | cut -d: -f1)|$(printenv INTERACTIVE_TERMINAL_FIRST || echo gone)'
  await typed(`echo "$PWD|$VIRTUAL_ENV|${first}" | tr -d "\\n"; mine`)
  await window.shows('gonemine')
  const shown = (await window.screen()).replaceAll('\n', '')
  expect(shown).toContain(`${place.work}|${place.work}/env|${place.work}/env/bin|gonemine`)

  await page.getByRole('button', { name: 'Restart your shell' }).click()
  await dialog.getByLabel('Directory').fill('/also/not/there')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await window.shows('gonemine')
  await dialog.getByLabel('Directory').fill(place.root)
  await dialog.getByLabel('Virtual environment').fill('')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('[data-terminal] .xterm-helper-textarea').focus()
  await expect.poll(() => window.screen()).not.toContain('gonemine')
  await window.shows(/[$#]/)
  await typed('echo "now in $PWD, $(printenv VIRTUAL_ENV || echo in none)"')
  await window.shows(`now in ${place.root}, in none`)
})

test('a link opens in the person’s own browser; one that leads elsewhere than it says is shown first, and only the web is opened', async () => {
  const { page } = window
  await window.newShell()
  const behind = (address: string, words: string) => `\\033]8;;${address}\\a${words}\\033]8;;\\a`
  const rows = [
    'https://plain.example/a',
    behind('https://evil.example/b', 'https://bank.example'),
    behind('file:///etc/passwd', 'a file'),
  ]
  await typed(`clear; printf '${rows.join('\\n')}\\nall links\\n'`)
  await window.shows(/^(?!.*printf).*all links/s)
  const pointsAt = async (text: string): Promise<[number, number]> => {
    const row = page.locator('[data-screen] .xterm-rows > div', { hasText: text }).last()
    const { x = 0, y = 0 } = (await row.boundingBox()) ?? {}
    await page.mouse.move(x + 60, y + 6)
    await page.mouse.move(x + 20, y + 8)
    return [x + 20, y + 8]
  }
  const follows = async (text: string): Promise<void> => {
    const place = await pointsAt(text)
    await page.keyboard.down('Control')
    await page.mouse.click(...place)
    await page.keyboard.up('Control')
  }
  const plain = await pointsAt('plain.example')
  await page.locator('[data-pointed-at]', { hasText: 'https://plain.example/a' }).waitFor()
  await page.mouse.click(...plain)
  await follows('plain.example')
  await expect.poll(() => host.links).toEqual(['https://plain.example/a'])

  await follows('a file')
  await follows('bank.example')
  const dialog = page.locator('[data-link-dialog]')
  expect(await window.read('[data-link-host]')).toBe('evil.example')
  expect(await dialog.innerText()).toContain('bank.example')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await follows('bank.example')
  await dialog.locator('[data-open-link]').click()
  await expect.poll(() => host.links).toEqual(['https://plain.example/a', 'https://evil.example/b'])
  expect(page.context().pages()).toHaveLength(1)
})
