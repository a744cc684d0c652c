import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { randomIds } from '../../src/base/ids.ts'
import { PROTOCOL_VERSION } from '../../src/contract/wire/host-frames.ts'
import { BrowserHost, type Look } from '../drivers/browser.ts'
import { VIEWS } from '../drivers/window-views.ts'

const LOOKS: Readonly<Record<string, Look>> = {
  light: { theme: 'light', width: 1280, height: 800 },
  dark: { theme: 'dark', width: 1280, height: 800 },
  phone: { theme: 'light', width: 420, height: 860 },
  wide: { theme: 'dark', width: 1920, height: 1080 },
  // 1280 x 800 at 200 %.
  zoomed: { theme: 'light', width: 640, height: 400 },
}

/** Pictures of every view in both themes, on a phone, on a large screen and enlarged, for people to look at. `only`: those whose name starts with it. */
export async function takeShots(folder: string, only: string, say: (text: string) => void): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const views = VIEWS.filter(({ name }) => name.startsWith(only))
  for (const [name, look] of Object.entries(LOOKS)) {
    const host = await BrowserHost.open({ webgl: true })
    try {
      const window = await host.window(look)
      for (const view of views) {
        const client = await agent(host)
        const asked: string[] = []
        const place = { working_directory: host.live.place.work, workspace_id: 'test' }
        const asks = (command: string, more = {}): void =>
          void asked.push(client.command(command, { ...place, ...more }))
        await view.open(window, { host, client, asks })
        const file = join(folder, `${view.name}-${name}.png`)
        await window.page.screenshot({ path: file, animations: 'disabled' })
        say(file)
        await window.page.keyboard.press('Escape')
        // Away from the list: what is over stays there while somebody points at it.
        await window.page.mouse.move((look.width ?? 1180) < 700 ? 2 : 700, 20)
        for (const request_id of asked) client.send({ type: 'cancel', request_id, trace_id: 'trace_1' })
        await window.page.locator('[data-item]').first().waitFor({ state: 'detached' })
      }
      if (window.complaints.length > 0) say(`the browser complained: ${window.complaints.join(' · ')}`)
    } catch (cause) {
      say(`it ended here: ${cause}`)
    } finally {
      await host.close()
    }
  }
}

/** A client with a name people know. */
async function agent(host: BrowserHost) {
  const client = await host.live.stranger()
  const about = { protocol_version: PROTOCOL_VERSION, capabilities: [], trace_id: 'trace_1' }
  const named = { name: 'Claude Code', version: '2.1', pid: null }
  client.send({ type: 'hello', ...about, runtime_session_id: randomIds().make('ses'), client: named })
  await client.heard.next('hello_ack')
  return client
}
