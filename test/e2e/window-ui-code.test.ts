import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrowserHost, WindowPage } from '../drivers/browser.ts'
import type { FakeApprover } from '../drivers/live-host.ts'

/** What `ssh -L` and editors do: another port at the person's end, bytes unchanged. */
function forward(port: number): Promise<Server> {
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => [near, far].forEach(each => void each.destroy()))
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe('a page over a forwarded port', () => {
  let host: BrowserHost
  let terminal: FakeApprover
  let forwarded: Server
  let address: string
  beforeAll(async () => {
    host = await BrowserHost.open({ inContainer: true })
    terminal = await host.live.approver()
    forwarded = await forward(host.live.host.approverPort)
    address = `http://localhost:${(forwarded.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await host.close()
    forwarded.close()
  })

  const shot = async (page: WindowPage, name: string) => {
    const folder = process.env.IT_SHOTS
    if (folder) await page.page.screenshot({ path: `${folder}/${name}.png` })
  }

  test('asks for the code that the terminal shows, and is the window then, also when it is loaded again', async () => {
    const window = new WindowPage(await host.page())
    await window.page.goto(address)
    const field = window.page.getByLabel('Code')
    await window.page.locator('[data-code-page=shown]').waitFor()
    await shot(window, 'code-asked')
    expect(await window.read('[data-code-page]')).toContain(new URL(address).host)
    const { code, name } = await terminal.heard.next('admission_asked')
    expect(name).toBe(`a page on ${address}`)
    // A slip: the check digits do not fit, so nothing is sent.
    const last = code.endsWith('0') ? '1' : '0'
    await field.fill(`${code.slice(0, -1)}${last}`)
    await field.press('Enter')
    await window.page.getByText('does not belong to this page').waitFor()
    await shot(window, 'code-slip')
    await field.fill(code)
    await field.press('Enter')
    await window.admitted()
    await window.page.locator('[data-in-container]', { hasText: 'Host in a container.' }).waitFor()
    const client = await host.live.client()
    const id = client.command('/bin/echo forwarded', { working_directory: host.live.place.work })
    await window.approve()
    expect(await client.response(id)).toMatchObject({ status: 'approved', output: 'forwarded\r\n' })
    await shot(window, 'code-let-in')
    await window.page.reload()
    await window.admitted()
    expect(window.complaints).toEqual([])
  })

  test('is refused under any other name, with the line that forwards it', async () => {
    const page = await host.page()
    await page.goto(address.replace('localhost', 'other.localhost'))
    expect(await page.locator('body').innerText()).toContain('ssh -L')
  })
})
