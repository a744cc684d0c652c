import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { randomIds } from '../../src/base/ids.ts'
import { jsonLog } from '../../src/base/log.ts'
import { readRange } from '../../src/base/output/output-segments.ts'
import { processTable } from '../../src/base/process/process-table.ts'
import type { PtyCommand, PtyOwner } from '../../src/base/process/pty.ts'
import { ptyOwner } from '../../src/bin/pty-host-owner.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { ptyCommand } from '../drivers/live-pty-host.ts'
import { eventually, isAlive } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'
import { LogFollower } from '../fakes/log-follower.ts'

const ids = randomIds()
const log = jsonLog({ level: 'silent', write: () => {}, now: systemClock.now })

interface World {
  readonly owner: PtyOwner
  readonly place: Place
  command(line: string, more?: Partial<PtyCommand>): PtyCommand
  printed(command: PtyCommand): Buffer
}

function world(kind: string): World {
  const place = new Place()
  const configuration = loadSettings({ flags: {}, env: place.env({ PM_TERM_PTY_HOST: kind }) })
  const table = processTable(process.platform)
  const make = ptyOwner(configuration, { clock: systemClock, ids, log, table, script: PRODUCT })
  const owner = make({ id: ids.make('host'), record: () => {}, approver: () => null })
  return {
    owner,
    place,
    command: (line, more = {}) => ptyCommand(place, line, more),
    printed: ({ log: { directory } }) =>
      Buffer.concat(readRange(directory, 0, 2 ** 30).pieces.map(piece => piece.bytes)),
  }
}

/** What a host may expect of whoever owns its terminals. */
const SCENARIOS: Readonly<Record<string, (at: World) => Promise<void>>> = {
  'a command runs, its output is in its log, and its exit code is its own': async at => {
    const command = at.command("printf 'one\\ntwo'; exit 5")
    const pty = await at.owner.start(command, () => {})
    expect(await pty.ended).toMatchObject({ exitCode: 5, signal: null, drained: true })
    expect([at.printed(command).toString(), pty.output.size, pty.output.lost]).toEqual(['one\r\ntwo', 8, 0])
  },
  'a signal is told as a signal': async at => {
    const pty = await at.owner.start(at.command('kill -9 $$'), () => {})
    expect(await pty.ended).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  },
  'bytes that are no text come through as they are': async at => {
    const command = at.command("stty -opost; printf '\\000\\377\\303'")
    await (await at.owner.start(command, () => {})).ended
    expect(at.printed(command)).toEqual(Buffer.from([0, 0xff, 0xc3]))
  },
  'growth is told, and a waiting program gets what is typed': async at => {
    let told = 0
    const command = at.command('stty -echo; printf name?; read -r name; /bin/echo "hello $name"')
    const pty = await at.owner.start(command, () => {
      told += 1
    })
    await eventually('it asks', () => at.printed(command).includes('name?'))
    await eventually('and that was told', () => told > 0 && pty.output.size === 5)
    pty.write(Buffer.from('Ada\n'))
    await pty.ended
    expect(at.printed(command).toString()).toBe('name?hello Ada\r\n')
  },
  'a new size reaches the program': async at => {
    const command = at.command('stty -echo; /bin/echo up; read -r line; stty size')
    const pty = await at.owner.start(command, () => {})
    await eventually('it is up', () => at.printed(command).includes('up'))
    pty.resize(132, 50)
    pty.write(Buffer.from('\n'))
    await pty.ended
    expect(at.printed(command).toString()).toBe('up\r\n50 132\r\n')
  },
  'kill ends the whole tree': async at => {
    const command = at.command('setsid sleep 300 & /bin/echo $!; sleep 300')
    const pty = await at.owner.start(command, () => {})
    await eventually('it runs', () => at.printed(command).includes('\n'))
    expect([await pty.kill(200), await pty.ended]).toMatchObject([[], { signal: 'SIGTERM' }])
    await eventually('its child is gone', () => !isAlive(Number(at.printed(command).toString())))
  },
  'a follower gets every byte from then on, and holds nothing up while it lags': async at => {
    const command = at.command('stty -echo -opost; printf 12345; read -r line; seq 1 200000')
    let following: LogFollower | null = null
    const pty = await at.owner.start(command, () => following?.grown())
    await eventually('the first bytes', () => pty.output.size === 5)
    following = new LogFollower(pty, command, 256 * 1024)
    pty.write(Buffer.from('\n'))
    await pty.ended
    expect(following.next).toBeGreaterThan(256 * 1024)
    expect(following.next).toBeLessThan(1_000_000)
    following.resume()
    expect(following.bytes.equals(at.printed(command).subarray(5))).toBe(true)
  },
  'over its quota the head and the tail stay, and the gap is counted': async at => {
    const directory = join(at.place.root, 'logs', 'quota')
    const command = at.command('seq 1 400000; printf end', { log: { directory, quotaBytes: 2 ** 20 } })
    const pty = await at.owner.start(command, () => {})
    await pty.ended
    const text = at.printed(command).toString()
    expect([text.startsWith('1\r\n2\r\n'), text.endsWith('end')]).toEqual([true, true])
    expect(text.length).toBe(pty.output.size - pty.output.lost)
    expect(text.length).toBeLessThanOrEqual(2 ** 20)
  },
  'a disk that cannot be written stops no command: what is lost is counted': async at => {
    const directory = join(at.place.write('blocked', 'a file'), 'below')
    const command = at.command('seq 1 100; exit 2', { log: { directory, quotaBytes: 2 ** 20 } })
    const pty = await at.owner.start(command, () => {})
    expect([await pty.ended, pty.output]).toMatchObject([{ exitCode: 2 }, { size: 392, lost: 392 }])
  },
  'two runs of different requesters may have the same id': async at => {
    const first = at.command('read -r line')
    const [one, two] = await Promise.all([
      at.owner.start(first, () => {}),
      at.owner.start(
        { ...first, requester: 'box', log: { ...first.log, directory: `${first.log.directory}-box` } },
        () => {},
      ),
    ])
    one.write(Buffer.from('\n'))
    await one.ended
    two.write(Buffer.from('\n'))
    expect(await two.ended).toMatchObject({ exitCode: 0 })
  },
  'ending it ends every tree, background children of finished commands included': async at => {
    const left = at.command('setsid sleep 300 & /bin/echo $!')
    await (await at.owner.start(left, () => {})).ended
    const running = await at.owner.start(at.command('sleep 300'), () => {})
    await at.owner.end(200)
    await eventually('all is gone', () => !isAlive(Number(at.printed(left).toString())) && !isAlive(running.pid))
  },
  'ending it leaves alone what else this process has started, the browser of the window say': async at => {
    const browser = spawn('sleep', ['300'], { stdio: 'ignore' })
    await (await at.owner.start(at.command(':'), () => {})).ended
    await at.owner.end(200)
    expect([browser.signalCode, isAlive(browser.pid ?? 0)]).toEqual([null, true])
    browser.kill()
  },
}

describe.each(['own_process', 'in_process'])('terminals in %s', kind => {
  let at: World
  afterEach(async () => {
    await at.owner.end(100)
    rmSync(at.place.root, { recursive: true, force: true, maxRetries: 5 })
  })

  test.each(Object.entries(SCENARIOS))('%s', async (_, scenario) => {
    at = world(kind)
    expect(await at.owner.takeBack()).toEqual([])
    await scenario(at)
    expect(at.owner.health.now()).toMatchObject({ at: 'up', restarts: 0 })
  })
})
