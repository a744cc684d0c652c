// The person at the editor: what they see of it, and what they click and type. Everything goes through the page, as for anybody.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './vscode-editor.mjs'

const SEES_MS = 90_000

export class Person {
  constructor(page, editor, shots) {
    this.page = page
    this.editor = editor
    this.shots = shots
    if (shots) mkdirSync(shots, { recursive: true })
  }

  async shot(name) {
    if (this.shots) await this.page.screenshot({ path: join(this.shots, `${name}.png`) })
  }

  async opensWindow() {
    await this.page.goto(`${this.editor.address}/?folder=${this.editor.work}`, {
      timeout: SEES_MS,
      waitUntil: 'commit',
    })
    await this.page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: SEES_MS })
    // The side with the chat takes room away from the panel.
    await this.editor.ask({ do: 'command', id: 'workbench.action.closeAuxiliaryBar' })
  }

  async status() {
    const all = await this.page.locator('.part.statusbar .statusbar-item').allInnerTexts()
    return all.map(each => each.trim()).join(' | ')
  }

  async statusSays(words) {
    await until(`the status bar says "${words}"`, async () => (await this.status()).includes(words))
  }

  async sees(words) {
    await this.page.getByText(words).first().waitFor({ timeout: SEES_MS })
  }

  /** What the terminal in front shows, without the breaks of its rows. */
  async terminalText() {
    const rows = await this.page.locator('.terminal-wrapper.active .xterm-rows > div').allInnerTexts()
    return rows.map(row => row.replaceAll('\u00a0', ' ')).join('\n')
  }

  async typesInTerminal(text) {
    // While one takes the place of another both are there for a moment; the newest comes last.
    await this.page.locator('.terminal-wrapper.active .xterm-helper-textarea').last().focus()
    if (text !== '') await this.page.keyboard.type(text)
    await this.page.keyboard.press('Enter')
  }

  /** Says which way it was: a container is declared by hand. */
  async startsHostInTerminal() {
    const dialog = this.page.locator('.monaco-dialog-box')
    const terminals = async () => (await this.editor.ask({ do: 'terminals' })).length
    const before = await terminals()
    this.editor.begin({ do: 'command', id: 'interactive-terminal.startHost' })
    await until('the host is asked for', async () => (await dialog.count()) > 0 || (await terminals()) > before)
    if ((await dialog.count()) === 0) return 'started in a terminal of the editor'
    await this.shot('container')
    await dialog.getByRole('button', { name: 'Open a terminal' }).click()
    await until('the command is typed', async () =>
      /--here\s*$/.test((await this.terminalText()).replace(/\s+/g, ' ').trim()),
    )
    await this.typesInTerminal('')
    const code = await until(
      'it shows what to type',
      async () => /type (\d{4}) and/.exec(await this.terminalText())?.[1],
    )
    await this.typesInTerminal(code)
    return 'declared in a container, in a terminal of the editor'
  }

  /** The page of the newest panel: a frame in a frame. */
  panel() {
    return this.page
      .frames()
      .filter(frame => /webview\/browser\/pre\/fake\.html/.test(frame.url()))
      .at(-1)
  }

  async opensPanel() {
    await this.editor.ask({ do: 'command', id: 'interactive-terminal.review' })
    await until('the panel is there', async () => {
      const frame = this.panel()
      return frame !== undefined && (await frame.locator('[data-machine]').count()) > 0
    })
  }

  /** The code is on the screen of the host's own terminal. */
  async admitsEditor() {
    await this.panel().locator('[data-action=code]').click()
    const field = this.page.locator('.quick-input-widget input')
    await field.waitFor()
    await this.editor.ask({ do: 'focusTerminal', name: 'Host of the terminals' })
    const code = await until(
      'the terminal of the host shows a code',
      async () => /\b(\d{3} \d{3} \d{3})\b/.exec(await this.terminalText())?.[1],
    )
    await this.shot('code')
    await field.focus()
    await this.page.keyboard.type(code)
    await this.page.keyboard.press('Enter')
    await this.panel().locator('[data-link=open]').waitFor({ state: 'attached', timeout: SEES_MS })
  }

  /** All the words of the card with this command. */
  async seesCard(words) {
    await this.#allowsEditor(words)
    const card = this.panel().locator('[data-ask]', { hasText: words })
    await card.waitFor({ timeout: SEES_MS })
    for (const closed of await card.locator('details:not([open]) > summary').all()) await closed.click()
    return card.innerText()
  }

  async approves() {
    const panel = this.panel()
    const unseen = panel.locator('[data-unseen]')
    const button = panel.locator('[data-approve][aria-disabled=false]')
    await button.or(unseen).first().waitFor({ timeout: SEES_MS })
    while (await unseen.isVisible()) await unseen.click({ timeout: 1000 }).catch(() => {})
    await button.waitFor()
    await button.click()
  }

  async declines() {
    await this.panel().locator('[data-approve][aria-disabled=false]').waitFor({ timeout: SEES_MS })
    await this.panel().locator('[data-decline]').click()
  }

  /** Out of the editor's own list of servers. */
  async startsMcpServer() {
    this.editor.begin({ do: 'command', id: 'workbench.mcp.listServer' })
    for (const words of ['interactive-terminal', 'Start Server'])
      await this.page
        .locator('.quick-input-list .monaco-list-row', { hasText: words })
        .first()
        .click({ timeout: SEES_MS })
    await this.shot('mcp')
  }

  panelTabs() {
    return this.page.locator('.tabs-container .tab', { hasText: 'Approvals' }).count()
  }

  /** The editor may ask once whether a tool may be used at all. */
  async #allowsEditor(words) {
    await until(`a card with "${words}"`, async () => {
      const dialog = this.page.locator('.monaco-dialog-box .monaco-button')
      for (const yes of ['Yes', 'Allow', 'Trust', 'Continue'])
        if ((await dialog.filter({ hasText: yes }).count()) > 0) await dialog.filter({ hasText: yes }).first().click()
      return (await this.panel()?.locator('[data-ask]', { hasText: words }).count()) > 0
    })
  }

  /** The editor's own measurement, in milliseconds. */
  async activationOf(id) {
    await this.editor.ask({ do: 'command', id: 'workbench.action.showRuntimeExtensions' })
    const row = this.page.locator(`.runtime-extensions-editor .monaco-list-row[aria-label="${id}"]`)
    // The list draws only what is in view, slowest first.
    const list = this.page.locator('.runtime-extensions-editor .monaco-list')
    await list.waitFor({ timeout: SEES_MS })
    await until('its row is there', async () => {
      if ((await row.count()) > 0) return true
      await list.hover()
      await this.page.mouse.wheel(0, 200)
      return false
    })
    const time = /Activation: (\d+)\s*ms/.exec(await row.innerText())?.[1]
    await this.shot('activation')
    await this.editor.ask({ do: 'command', id: 'workbench.action.closeActiveEditor' })
    return time === undefined ? null : Number(time)
  }
}
