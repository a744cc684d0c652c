import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import { builtExtension, type EditorTheme, leftTab, PlayedEditor, SeenHost } from '../drivers/editor.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost, PASSPHRASE } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const THEMES: readonly EditorTheme[] = [
  'vscode-light',
  'vscode-dark',
  'vscode-high-contrast',
  'vscode-high-contrast-light',
]

/** The panel of an editor: the real extension, a real host, and the page in a real browser. The editor around it is played. */
let browser: BrowserHost
let live: LiveHost
let extension: Awaited<ReturnType<typeof builtExtension>>
let person: FakeApprover
let client: FakeClient
let editor: PlayedEditor
let seen: SeenHost
let window: WindowPage
beforeAll(async () => {
  ;[browser, extension] = await Promise.all([BrowserHost.open(), builtExtension()])
  live = browser.live
  person = await live.approver()
  client = await live.client()
  seen = new SeenHost(extension.folder).runs(live)
  editor = newEditor().activate(seen.product)
}, 120_000)
afterAll(async () => {
  editor.end()
  await live.close()
  await browser.closeBrowser()
  extension.remove()
})
afterEach(() => {
  client.takeBack()
  expect(window.complaints).toEqual([])
})

const newEditor = () =>
  new PlayedEditor({
    page: () => browser.page({ width: 1000, height: 700, reducedMotion: true }),
    folder: extension.folder,
  })
/** While the keyboard is in a shell, a question does not take its place by itself. */
const looksAt = (command: string) => window.page.locator('[data-item]', { hasText: command }).click()
const asks = (command: string, more: Record<string, unknown> = {}): string =>
  client.asks(command, { working_directory: live.place.work, workspace_id: 'test', ...more })
/** The code that the other approver shows for an editor. */
const codeFor = async (of: PlayedEditor): Promise<string> => {
  const { code } = await person.heard.next('admission_asked', each => each.surface === 'vscode')
  expect(of.fromPage.every(({ type }) => type !== 'frame')).toBe(true)
  return code
}
async function declined(id: string): Promise<void> {
  await window.armed()
  await window.page.locator('[data-decline]').click()
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
}

test('§8: an editor is admitted by a code that an admitted approver shows, and by nothing before', async () => {
  await editor.says('not admitted')
  window = await editor.reviews()
  await window.page.locator('[data-panel=not_admitted]').waitFor()
  expect(editor.panel.seen).toEqual({ at: 'up', waiting: null })
  // A question reaches nobody here yet.
  const early = asks('/bin/echo early')
  await person.heard.next('question')
  expect(await window.page.locator('[data-ask]').count()).toBe(0)
  await window.page.locator('[data-action=code]').click()
  const field = await editor.nextAsked()
  const code = await codeFor(editor)
  // A slip: the check digits do not fit, so nothing is sent.
  field.answer(`${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`)
  const again = await editor.nextAsked()
  expect(again.prompt).toContain('does not belong to this connection')
  again.answer(code)
  await window.admitted()
  expect(await person.heard.next('approver_joined')).toMatchObject({ surface: 'vscode', how: 'code' })
  await editor.says('1 waiting')
  await declined(early)
  await editor.says('connected')
})

test('§8: a command is approved in the panel, once all of it was shown, and it is the one that runs', async () => {
  const id = asks('/bin/echo from the panel', { context: 'To see it.' })
  await editor.says('1 waiting')
  expect(await window.commandText()).toContain('/bin/echo from the panel')
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved', output: 'from the panel\r\n' })
  await window.page.locator('[data-tab]').first().click()
  await window.shows('from the panel')
  const answers = live.journal().filter(({ kind, body }) => kind === 'answered' && body.includes('Played Editor'))
  expect(answers.length).toBeGreaterThan(0)
})

/** Frames that the page has sent since. */
const sentSince = (from: number, ...types: string[]) =>
  editor.fromPage
    .slice(from)
    .map(({ frame }) => frame as { type?: string } | undefined)
    .filter(frame => types.includes(frame?.type ?? ''))

test('§6.3: nothing is shown, and nothing can be approved, while another tab is in front of the panel', async () => {
  editor.webview?.show(false)
  const from = editor.fromPage.length
  const notified = editor.notified.length
  const id = asks('/bin/echo covered')
  await editor.says('1 waiting')
  await window.page.locator('[data-ask]').waitFor()
  // The person is notified, without a word of the agent and without a way to approve.
  await eventually('a notification', () => editor.notified.length > notified)
  expect(editor.notified.at(-1)).toMatchObject({ text: '1 question waits for your answer.', actions: ['Review'] })
  await window.page.keyboard.press('Control+Enter')
  await window.page.locator('[data-approve]').click({ force: true })
  expect(await window.page.locator('[data-approve]').getAttribute('aria-disabled')).toBe('true')
  expect(sentSince(from, 'shown', 'in_view', 'answer')).toEqual([])
  // Review only puts it before them: from then on it has to be read and waited for as ever.
  editor.notified.at(-1)?.press('Review')
  await window.armed()
  expect(sentSince(from, 'shown').length).toBe(1)
  expect(sentSince(from, 'answer')).toEqual([])
  await declined(id)
})

test('§6.3: keys that are typed while a question comes decide nothing', async () => {
  const from = editor.fromPage.length
  const { keyboard } = window.page
  let typing = true
  const rest = window.longestRest(async () => {
    while (typing) await keyboard.press('Control+Enter')
  })
  const id = asks('/bin/echo typed ahead')
  await window.page.locator('[data-ask]').waitFor()
  for (let i = 0; i < 20; i++) await window.page.evaluate('new Promise(requestAnimationFrame)')
  const answered = sentSince(from, 'answer').length
  typing = false
  // With a rest of the arming time a key may be meant for the card: a busy machine makes some.
  if ((await rest) < 350) expect(answered).toBe(0)
  if (answered === 0) await declined(id)
})

test('§6.3: what is hard to undo is approved in the panel by the same gesture, and by nothing shorter', async () => {
  const from = editor.fromPage.length
  const id = asks('git push --force origin main')
  const { page } = window
  await page.locator('[data-typed]').fill('run it')
  const button = await window.armed()
  await button.click()
  await page.keyboard.press('Control+Enter')
  expect(sentSince(from, 'answer')).toEqual([])
  await button.hover()
  await page.mouse.down()
  expect(await client.response(id)).toMatchObject({ approved_by: 'person' })
  await page.mouse.up()
})

test('everybody can use the panel in every theme of an editor, also one that would hide what is approved: axe finds nothing', async () => {
  const found: Record<string, unknown> = {}
  const look = async (name: string, themes: readonly EditorTheme[]) => {
    await window.page.evaluate(AXE)
    for (const theme of themes) {
      await editor.webview?.wear(theme)
      const rows = await window.page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(
        ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target)))`)
      if (rows.length > 0) found[`${name} ${theme}`] = rows
      const folder = process.env.IT_SHOTS
      if (folder) await window.page.screenshot({ path: `${folder}/panel-${name}-${theme}.png` })
    }
  }
  const id = asks('rm -f old.txt; npm install lodash | tee log.txt', {
    context: 'The tests need it.',
    env: { CI: '1' },
  })
  await window.armed()
  await look('card', THEMES)
  await declined(id)
  await window.empty()
  await look('start', ['vscode-dark', 'vscode-high-contrast'])
  expect(found).toEqual({})
  await editor.webview?.wear('vscode-light')
}, 120_000)

test('§8: the host’s terminals are there: the person types in a shell of theirs, in the panel', async () => {
  await window.newShell()
  await window.page.keyboard.type('echo in the $((40 + 2)). panel\n')
  await window.shows('in the 42. panel')
})

test('§8: a page that is loaded again, or a panel that is opened again, knows what waits; the editor stays admitted', async () => {
  const id = asks('/bin/echo still here')
  await looksAt('still here')
  await window.page.locator('[data-ask]').waitFor()
  await window.page.reload()
  await window.armed()
  const admissions = live.journal().filter(({ kind }) => kind === 'approver_admitted').length
  await editor.webview?.close()
  await editor.says('1 waiting')
  expect(editor.panel.seen).toEqual({ at: 'up', waiting: 1 })
  window = await editor.reviews()
  expect(live.journal().filter(({ kind }) => kind === 'approver_admitted').length).toBe(admissions)
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved' })
})

test('no command of the extension answers a question, whoever runs it and with whatever words', async () => {
  const id = asks('/bin/echo by command')
  await window.page.locator('[data-ask]').waitFor()
  const question = await person.heard.next('question', ({ request_id }) => request_id === id)
  const from = editor.fromPage.length
  const before = live.journal().filter(({ kind }) => kind === 'answered').length
  expect([...editor.commands.keys()]).toEqual(['interactive-terminal.review'])
  for (const words of [[], ['approve'], [question], [{ type: 'answer', ask_id: question.ask_id, approve: true }]])
    for (const act of editor.commands.values()) await act(...words)
  expect(sentSince(from, 'answer')).toEqual([])
  expect(live.journal().filter(({ kind }) => kind === 'answered').length).toBe(before)
  await declined(id)
})

test('the passphrase is neither set nor given in an editor, and the host refuses it from there', async () => {
  const heard = window.page.evaluate<{ type: string; error: { message: string } }>(`new Promise(done =>
    addEventListener('message', ({ data }) => data.frame?.request_id === 'w_p' && done(data.frame)))`)
  const set = { type: 'passphrase_set', request_id: 'w_p', passphrase: 'one of my own' }
  await window.page.evaluate(`postToExtension(${JSON.stringify({ type: 'frame', frame: set })})`)
  const { type, error } = await heard
  expect(type).toBe('failed')
  expect(error.message).toContain('The passphrase is not typed into an editor')
  expect(await window.page.locator('input[type=password]').count()).toBe(0)
})

test('the page takes no words from another origin, runs no code but its own, and reaches no network', async () => {
  const { page } = window
  const refused: string[] = []
  const complaints = window.complaints.length
  await page.exposeFunction('refusedBy', (directive: string) => void refused.push(directive))
  await page.evaluate(
    `addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refusedBy(effectiveDirective))`,
  )
  // Trusted Types refuse the first two by throwing: whether anything ran is looked at below.
  await page.evaluate(`{ const script = document.createElement('script')
    try { script.textContent = 'window.ran = 1'; document.head.append(script) } catch {}
    try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.ran = 1">') } catch {}
    const image = new Image(); image.src = 'https://elsewhere.test/x.png'
    fetch('https://elsewhere.test/').catch(() => {})
    const frame = document.createElement('iframe'); frame.src = 'https://elsewhere.test/'; document.body.append(frame); frame.remove() }`)
  await eventually('all of it is refused', () => ['connect-src', 'img-src'].every(each => refused.includes(each)))
  expect(await page.evaluate('window.ran')).toBe(undefined)
  expect(refused).toContain('require-trusted-types-for')
  window.complaints.splice(complaints)
  // A message that another page sends in has another origin.
  const alien = { type: 'link', link: { at: 'no_host', why: 'alien' }, machine: { name: 'alien', remote: null } }
  await page.evaluate(
    `dispatchEvent(new MessageEvent('message', { origin: 'https://elsewhere.test', data: ${JSON.stringify(alien)} }))`,
  )
  await window.page.locator('[data-link=open]').waitFor({ state: 'attached' })
})

test('§8: a second editor window is admitted by the code that the panel of the first one shows', async () => {
  const first = window
  const second = newEditor().activate(seen.product)
  try {
    const its = await second.reviews()
    await its.page.locator('[data-action=code]').click()
    const field = await second.nextAsked()
    await first.page.locator('[data-admission] [data-code]').waitFor()
    field.answer(await first.read('[data-admission] [data-code]'))
    await its.admitted()
    const id = asks('/bin/echo two')
    await Promise.all([editor.says('1 waiting'), second.says('1 waiting')])
    await its.approve()
    expect(await client.response(id)).toMatchObject({ status: 'approved' })
    await Promise.all([editor.says('connected'), second.says('connected')])
    expect(its.complaints).toEqual([])
  } finally {
    second.end()
  }
})

test('§8: an extension host that begins anew puts a live panel in the place of the dead one, and takes no keys away', async () => {
  const anew = newEditor()
  const other = leftTab('markdown.preview', true)
  anew.tabs.push(leftTab('interactive-terminal.approvals', true), other)
  anew.activate(seen.product)
  try {
    await eventually('the panel opens', () => anew.webview !== null)
    const panel = await anew.webview?.window
    await panel?.page.locator('[data-panel=not_admitted]').waitFor()
    expect(anew.openedIn).toEqual({ viewColumn: 2, preserveFocus: true })
    expect(anew.tabs).toEqual([other])
  } finally {
    anew.end()
  }

  // Behind another tab nobody looked at it: it goes, and comes when it is asked for.
  const behind = newEditor()
  behind.tabs.push(leftTab('interactive-terminal.approvals', false))
  behind.activate(seen.product)
  await behind.says('not admitted')
  expect([behind.webview, behind.tabs]).toEqual([null, []])
  behind.end()
})

test('§8: when the host ends the panel says so, and the next host is proved to anew, by passphrase if nobody is there', async () => {
  seen.ended()
  await live.close()
  await window.page.locator('[data-panel=no_host]').waitFor()
  await editor.says('no host')
  expect(editor.panel.seen).toEqual({ at: 'none' })
  await window.page.locator('[data-action=start_host]').click()
  await eventually('the editor is asked to start one', () => editor.executed.length > 0)
  expect(editor.executed).toEqual([['interactive-terminal.startHost']])

  live = await openLiveHost()
  seen.runs(live)
  await window.page.locator('[data-panel=not_admitted]').waitFor()
  expect(await window.page.locator('[data-ask]').count()).toBe(0)
  await window.page.locator('[data-action=code]').click()
  const field = await editor.nextAsked()
  expect(field).toMatchObject({ password: true })
  field.answer(PASSPHRASE)
  await window.admitted()
  client = await live.client()
  const id = asks('/bin/echo after')
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved', output: 'after\r\n' })
})

test('D25: in a container the panel says why no host runs there, and types the command without sending it', async () => {
  const inside = newEditor()
  inside.remoteName = 'dev-container'
  inside.theme = 'vscode-high-contrast'
  inside.activate(new SeenHost(join(extension.folder, 'page')).product)
  try {
    await inside.says('no host')
    const panel = await inside.reviews()
    await panel.page.locator('[data-panel=no_host_in_container]').waitFor()
    expect(await panel.read('[data-machine=dev-container]')).toContain('where this window is connected to')
    await panel.page.locator('[data-action=type_here_command]').click()
    await eventually('it is typed', () => inside.typed.length > 0)
    expect(inside.typed).toEqual([{ text: '/usr/bin/interactive-terminal --here', sent: false }])
    await panel.page.evaluate(AXE)
    expect(
      await panel.page.evaluate('axe.run(document).then(({ violations }) => violations.map(({ id }) => id))'),
    ).toEqual([])
    expect(panel.complaints).toEqual([])
  } finally {
    inside.end()
  }
})

test('a host of another version is not shown: its cards could say something else than what runs', async () => {
  const other = newEditor()
  other.activate(new SeenHost(extension.folder).runs(live, '9.9.9').product)
  try {
    await other.says('other version')
    const panel = await other.reviews()
    await panel.page.locator('[data-panel=other_version]').waitFor()
    expect(await panel.page.locator('[data-action=code]').count()).toBe(0)
    expect(other.fromPage.some(({ type }) => type === 'frame')).toBe(false)
  } finally {
    other.end()
    seen.runs(live)
  }
})
