import { readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PersonAtTerminal } from '../drivers/approver.ts'
import { commandLine, typed } from '../drivers/command-line.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/** Files of ours that were cut short: every command that meets one names it, what is wrong, and what helps. */
let hosts: HostProcesses
const endings: (() => unknown)[] = []
beforeEach(() => {
  hosts = new HostProcesses()
})
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
  await hosts.close()
})

const HALF = '{"instance_id": "host_1", "pid": '
const noStack = (out: string) => expect(out).not.toMatch(/^\s+at .*:\d+/m)

describe('a half-written host.json', () => {
  test('that no host stands behind is told, and the next start replaces it', { timeout: 60_000 }, async () => {
    const file = hosts.place.write('home/state/host.json', HALF)
    const { code, out } = await commandLine(hosts.place, ['status'])
    expect([code, out]).toEqual([3, expect.stringContaining('No host runs.')])
    expect(out).toContain(`${file} is not JSON: half-written or broken`)
    expect(out).toContain('replaces it')
    expect(JSON.parse((await commandLine(hosts.place, ['status', '--json'])).out)).toMatchObject({
      host: 'not_running',
      problem: expect.stringContaining(file),
    })
    const checked = await commandLine(hosts.place, ['doctor', '--http-port', '0'])
    expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(`FAIL  host: ${file} is not JSON`)])
    noStack(out + checked.out)
    const child = await startsOver()
    expect(hosts.told()?.pid).toBe(child.pid)
  })

  test('of a host that runs is told by every command and to an agent, with what to do', {
    timeout: 90_000,
  }, async () => {
    await hosts.start()
    const told = readFileSync(`${hosts.place.home}/state/host.json`, 'utf8')
    const file = hosts.place.write('home/state/host.json', told.slice(0, 60))
    const why = `The host already runs, but ${file}, which says where it listens, is not JSON`
    for (const words of [['status'], ['open'], ['doctor', '--http-port', '0']]) {
      const { code, out } = await commandLine(hosts.place, words)
      expect([words, code === 0, out]).toEqual([words, false, expect.stringContaining(why)])
      expect(out).toContain('End that host')
      noStack(out)
    }
    const person = PersonAtTerminal.start(hosts.place)
    endings.push(() => person.leaves())
    await person.sees('which says where it listens')
    const agent = await openStdio({ place: hosts.place })
    endings.push(() => agent.close())
    const { data, text } = await agent.interactive({
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      execution: { command: '/bin/echo lost' },
    })
    expect(data.error?.code).toBe('PM_TERM_GUI_UNAVAILABLE')
    expect(text).toContain(`${file}, which says where it listens, is not JSON`)
    hosts.place.write('home/state/host.json', told)
  })
})

describe('a half-written approver.v1.json', needs('script'), () => {
  test('is told by approve, attach and doctor, and no new passphrase is asked for over it', {
    timeout: 60_000,
  }, async () => {
    const file = hosts.place.write('home/state/approver.v1.json', '{"v": 1, "salt": "00')
    await hosts.start()
    for (const words of [['approve'], ['attach', 'x']]) {
      const { code, out } = await typed(hosts.place, words)
      expect([words, code === 0, out]).toEqual([words, false, expect.stringContaining(`${file} is not JSON`)])
      expect(out).toContain('move it away')
      expect(out).not.toContain('New passphrase')
      noStack(out)
    }
    const checked = await commandLine(hosts.place, ['doctor', '--http-port', '0'])
    expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(`FAIL  approver passphrase: ${file} is`)])
    expect(readFileSync(file, 'utf8')).toBe('{"v": 1, "salt": "00')
  })
})

/** `start` reads the file while it waits, so it must not be the broken one. */
function startsOver() {
  rmSync(`${hosts.place.home}/state/host.json`)
  return hosts.start()
}
