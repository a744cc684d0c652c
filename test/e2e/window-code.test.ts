import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeCodePage } from '../drivers/code-page.ts'
import type { FakeApprover, LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { FakeWindow, openWindowHost, ticketIn } from '../drivers/window.ts'

/** A host in a container: a page on a forwarded port is let in by the code that an admitted approver shows. */
let live: LiveHost
let terminal: FakeApprover
let port: number
beforeEach(async () => {
  live = (await openWindowHost({ inContainer: true })).live
  port = live.host.approverPort
  terminal = await live.approver()
})
afterEach(() => live.close())

async function asking(forwarded = port): Promise<FakeCodePage> {
  const page = await FakeCodePage.connect(port, forwarded)
  page.ask()
  await page.open()
  return page
}
/** What the terminal shows: six secret digits and three to check. */
async function codeShown() {
  const { code, name, surface, admission_id } = await terminal.heard.next('admission_asked')
  return { secret: code.replaceAll(' ', '').slice(0, 6), check: code.slice(-3), name, surface, admission_id }
}
const feedAt = (number: number) =>
  FakeWindow.connect(port, { host: `localhost:${number}`, origin: `http://localhost:${number}` })

test('the code of the terminal lets the page in, on the port it was typed for and on no other', async () => {
  const page = await asking(45_678)
  const shown = await codeShown()
  expect([shown.name, shown.surface]).toEqual(['a page on http://localhost:45678', 'window'])
  expect(page.check).toBe(shown.check)
  page.enter(shown.secret)
  const ticket = await page.ticket()
  const elsewhere = await feedAt(45_679)
  elsewhere.send({ type: 'window_hello', protocol_version: 1, credential: ticket, nonce: 'ab'.repeat(32) })
  await elsewhere.heard.next('refused')
  const window = await feedAt(45_678)
  Object.assign(window, { origin: 'http://localhost:45678' })
  await window.prove(ticket)
  expect(await window.heard.next('host_status')).toMatchObject({
    in_container: true,
    protection: { detail: expect.stringContaining('everything in this container can reach it') },
  })
})

test('three wrong codes cut the page off, with an alarm, and nobody is shown one for a minute', async () => {
  const page = await asking()
  const { secret } = await codeShown()
  const wrong = secret === '000000' ? '000001' : '000000'
  page.enter(wrong)
  await eventually('it is told', () => page.heard.all.filter(each => each.type === 'window_code_shown').length === 2)
  page.enter(wrong)
  page.enter(wrong)
  expect(await page.heard.next('window_code_over')).toMatchObject({ why: 'wrong' })
  expect(await terminal.heard.next('alarm')).toMatchObject({ message: expect.stringContaining('Three wrong codes') })
  page.enter(secret)
  const next = await asking()
  expect(await next.heard.next('window_code_over')).toMatchObject({ why: 'later' })
  expect(page.heard.all.some(({ type }) => type === 'window_code_right')).toBe(false)
})

test('the person says that it is not them', async () => {
  const page = await asking()
  const { admission_id } = await codeShown()
  terminal.send({ type: 'refuse_admission', admission_id })
  expect(await page.heard.next('window_code_over')).toMatchObject({ why: 'refused' })
})

test('what was not committed to is not opened, and nothing is shown', async () => {
  const page = await FakeCodePage.connect(port)
  page.ask()
  await page.open('cd'.repeat(32))
  await eventually('it is refused', () => page.refused !== null)
  expect(terminal.heard.all.some(({ type }) => type === 'admission_asked')).toBe(false)
})

test('each connection has a check of its own, so a code shown for one is none for another', async () => {
  const pages = await Promise.all(Array.from({ length: 4 }, () => asking()))
  await Promise.all(pages.map(page => page.heard.next('window_code_shown')))
  // Four of a thousand alike by chance: once in a thousand million.
  expect(new Set(pages.map(({ check }) => check)).size).toBeGreaterThan(1)
})

test('without anybody who could show a code the page hears so', async () => {
  terminal.link.close('leaves')
  await eventually('nobody is there', async () => {
    const page = await asking()
    const over = await page.heard.next('window_code_over').catch(() => null)
    return over?.why === 'nobody'
  })
})

test('a host on a machine of one’s own lets no page in by a code', async () => {
  const { live: own } = await openWindowHost()
  try {
    const page = await FakeCodePage.connect(own.host.approverPort)
    page.ask()
    await eventually('it is refused', () => page.refused !== null)
  } finally {
    await own.close()
  }
})

test('A9: a browser of the person’s own that the host has opened is let in by a code, and never by a ticket', async () => {
  const other = await openWindowHost({ notOurs: true })
  const person = await other.live.approver()
  const at = other.live.host.approverPort
  const early = await FakeCodePage.connect(at)
  early.ask()
  await eventually('nobody is let in by a code yet', () => early.refused !== null)
  const showing = other.live.host.showWindow()
  await eventually('it was opened', () => other.opened.length > 0)
  const stolen = ticketIn(other.opened[0] ?? { url: '' })
  await expect((await FakeWindow.connect(at)).prove(stolen)).rejects.toThrow('admitted by another host')
  const page = await FakeCodePage.connect(at)
  page.ask()
  await page.open()
  const { code, process: program } = await person.heard.next('admission_asked')
  expect(program).toMatchObject({ pid: process.pid })
  page.enter(code.replaceAll(' ', '').slice(0, 6))
  await (await FakeWindow.connect(at)).admitted(await page.ticket())
  expect(await showing).toMatchObject({ shown: true })
  await other.live.close()
})
