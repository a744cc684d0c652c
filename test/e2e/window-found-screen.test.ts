import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM_CHROMIUM } from '../drivers/chromium.ts'
import { HostWindows } from '../drivers/host-window.ts'
import { eventually, type Opened } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { agentOnOwnMachine } from '../drivers/own-machine.ts'
import { Place } from '../drivers/place.ts'

let place: Place
let windows: HostWindows
let agent: Opened | null = null

beforeEach(() => {
  place = new Place()
  place.shell('')
  windows = new HostWindows(place)
  // Notes on which screen it was started; then the real one, which a test may drive.
  const notes = `echo "$DISPLAY" >> ${join(place.root, 'screens')}`
  const browser = place.write(
    'browser.sh',
    `#!/bin/sh\n${notes}\nexec ${SYSTEM_CHROMIUM} --remote-debugging-port=0 "$@"\n`,
    0o755,
  )
  // A launched host listens to nothing else.
  place.program('PM_TERM_BROWSER', browser)
})
afterEach(async () => {
  await windows.close()
  await agent?.close()
  agent = null
  place.remove()
})

const asks = (line: string) =>
  agent?.interactive(
    {
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      runtime: { cwd: place.work },
      execution: { command: line },
    },
    { timeoutMs: 60_000 },
  )

/** A command of the agent that goes on in the background: an X server, newer than any, and a program on it that leads a session. */
async function ownXServer(): Promise<string> {
  const file = join(place.work, 'own-display')
  const lines = [
    `setsid Xvfb -displayfd 3 -nolisten tcp 3>${file} >/dev/null 2>&1 &`,
    `until [ -s ${file} ]; do sleep 0.05; done`,
    `DISPLAY=":$(cat ${file})" setsid sleep 500 >/dev/null 2>&1 &`,
  ]
  await agent?.headless({ action: 'run', ...place.shell(lines.join('\n')), cwd: place.work, workspace_id: 'test' })
  await eventually('the agent has a screen of its own', () => place.read('work/own-display').includes('\n'))
  return `:${place.read('work/own-display').trim()}`
}

describe('a host that an agent started', needs('a screen', 'processes of its own'), () => {
  test('a client whose environment was stripped gets its window, and the person answers there', {
    timeout: 90_000,
  }, async () => {
    agent = await agentOnOwnMachine(place, { desktop: true })
    const called = asks('/bin/echo seen > file; cat file')
    const window = await windows.next()
    await window.approve()
    expect((await called)?.data).toMatchObject({ success: true, result: { stdout: 'seen\n' } })
    expect(place.read('screens')).toBe(`:${place.read('display')}`)
  })

  test('a run with its own X server, newest by time, does not get the window: the person does', {
    timeout: 90_000,
  }, async () => {
    agent = await agentOnOwnMachine(place, { desktop: true })
    const own = await ownXServer()
    const called = asks('/bin/echo seen > file; cat file')
    await (await windows.next()).approve()
    expect((await called)?.data).toMatchObject({ success: true })
    expect(place.read('screens')).toBe(`:${place.read('display')}`)
    expect(place.read('screens')).not.toContain(own)
  })

  test('a run with its own X server on a machine without a desktop gets none, and it is said', {
    timeout: 90_000,
  }, async () => {
    agent = await agentOnOwnMachine(place, { desktop: false })
    await ownXServer()
    const answer = await asks('/bin/echo seen > file')
    expect(answer?.data).toMatchObject({ success: false, error: { code: 'PM_TERM_GUI_UNAVAILABLE' } })
    expect(JSON.stringify(answer?.data)).toContain('no desktop session of yours was found')
    expect(existsSync(join(place.root, 'screens'))).toBe(false)
  })
})
