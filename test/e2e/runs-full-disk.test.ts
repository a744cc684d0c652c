import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeAtomically } from '../../src/base/atomic-file.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place } from '../drivers/place.ts'
import { SmallDisk } from '../drivers/small-disk.ts'

describe('on a disk that is full or cannot be written', needs('root'), () => {
  let place: Place
  let disk: SmallDisk
  let server: Opened | null = null

  beforeEach(async () => {
    place = new Place()
    disk = new SmallDisk(1)
    place.state = join(disk.root, 'home', 'state')
    place.shell('true')
    const env = { PM_TERM_HOME: join(disk.root, 'home'), PM_TERM_DATA_DIR: join(place.home, 'data') }
    server = await openStdio({ place, env })
  })
  afterEach(async () => {
    await server?.close()
    disk.close()
    place.remove()
  })

  const run = async (line: string, more: Readonly<Record<string, unknown>> = {}) => {
    const answer = await server?.headless({ action: 'run', ...place.shell(line), ...more })
    if (!answer) throw new Error('no server')
    return answer.data
  }
  test('a command that prints more than fits goes on to its end, and every byte is shown, kept or counted as lost', async () => {
    const { result, identity, success } = await run('head -c 3000000 /dev/zero | tr "\\0" x; echo done > finished', {
      max_bytes: 256,
    })
    expect([success, result.exit_code, place.read('work/finished')]).toEqual([true, 0, 'done\n'])
    expect(result.output_bytes).toBe(3_000_000)
    let cursor = 0
    let read = 0
    let lost = 0
    for (let pages = 0; cursor < 3_000_000 && pages < 100; pages++) {
      const page = await server?.headless({
        action: 'read_output',
        session_id: identity.session_id,
        cursor,
        max_bytes: 100_000,
      })
      read += page?.data.result.stdout?.length ?? 0
      lost += page?.data.result.lost_bytes ?? 0
      cursor = page?.data.result.cursor ?? 0
    }
    expect([cursor, read + lost, lost > 1_000_000]).toEqual([3_000_000, 3_000_000, true])
  })

  test('what is said not to have run has not run, and what has run is said to have', async () => {
    const said: string[] = []
    // Each time the last free byte is used up by another line of what we write down about a run.
    for (let round = 0; round < 12; round++) {
      await run(`true ${'x'.repeat(round * 131)}`)
      disk.fill()
      for (let i = 0; i < 6; i++) {
        const { error, result } = await run(`echo ${round}.${i} >> ran`)
        if (error === null && result.exit_code === 0) said.push(`${round}.${i}`)
      }
      disk.empty()
    }
    expect(place.read('work/ran').split('\n').filter(Boolean)).toEqual(said)
    expect((await run('echo again')).result.stdout).toBe('again\n')
  })

  test('a server that starts on a full disk with something to clear up still answers, and works once there is room', async () => {
    await run('sleep 60', { timeout_ms: 1, request_id: 'left' })
    process.kill(server?.pid ?? 0, 'SIGKILL')
    disk.fill()
    const env = { PM_TERM_HOME: join(disk.root, 'home'), PM_TERM_DATA_DIR: join(place.home, 'data') }
    const before = server
    server = await openStdio({ place, env })
    await before?.close()
    const list = await server.headless({ action: 'list' })
    expect(list.data.result.items?.map(({ session_id, state }) => ({ session_id, state }))).toEqual([
      { session_id: 'left', state: 'lost' },
    ])
    disk.empty()
    await server.headless({ action: 'kill', session_id: 'left' })
    expect((await run('echo fine')).result.stdout).toBe('fine\n')
  })

  test('where the state is read-only new commands are refused with the reason, and run once it is not', async () => {
    disk.remount('ro')
    const { error, success } = await run('echo never >> ran')
    disk.remount('rw')
    expect([success, error?.code, error?.message, place.read('work/ran')]).toEqual([
      false,
      'PM_TERM_INTERNAL',
      expect.stringMatching(/state directory cannot be written, so nothing was started: E/),
      '',
    ])
    expect((await run('echo yes')).result.stdout).toBe('yes\n')
  })

  test('a rule file is the whole new one or the whole old one', () => {
    const file = join(disk.root, 'rules.json')
    writeAtomically(file, 'the old rules')
    disk.fill()
    // Room for a part of the new one, and not for all of it.
    disk.giveBack(50_000)
    const text = 'x'.repeat(200_000)
    try {
      writeAtomically(file, text)
    } catch {
      // refused: then the old one must still be there
    }
    expect(['the old rules', text]).toContain(readFileSync(file, 'utf8'))
  })
})
