import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processTable } from '../../src/base/process/process-table.ts'
import { askModesFrame, INPUT_ROOM, inputFrame, SPAWNER_VERSION } from '../../src/base/process/spawner-frames.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs, SPAWNER } from '../drivers/needs.ts'
import { Talk } from '../fakes/spawner-talk.ts'
import { talkNonsense } from '../fuzz/spawner-frames.ts'

const ROUNDS = 60
const table = processTable(process.platform)

describe('what a spawner is sent', needs('the spawner'), () => {
  let dir: string
  let talk: Talk
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'it-frames-'))
    talk = new Talk(spawn(SPAWNER, [], { stdio: ['pipe', 'pipe', 'ignore'], env: {} }))
    await talk.next(`ready ${SPAWNER_VERSION}`)
  })
  afterEach(() => {
    talk.child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })

  test('nonsense neither crashes it nor starts anything else', { timeout: 120_000 }, async () => {
    const allowed = join(dir, 'allowed')
    mkdirSync(allowed)
    const wrong: string[] = []
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const problem = await talkNonsense(SPAWNER, { seed, allowed })
      if (problem !== null) wrong.push(problem)
    }
    expect(wrong).toEqual([])
  })

  const frame = (type: number, id: number, body: Buffer, size = body.length) => {
    const head = Buffer.alloc(12)
    head.writeUInt32LE(size, 0)
    head.writeUInt32LE(type, 4)
    head.writeUInt32LE(id, 8)
    return Buffer.concat([head, body])
  }

  test.each([
    ['a type that nobody knows', () => talk.send(frame(9, 1, Buffer.alloc(0)))],
    ['an oversized start', () => talk.send(frame(1, 1, Buffer.alloc(0), 0x7fffffff))],
    ['a start without an end of its texts', () => talk.send(frame(1, 1, Buffer.alloc(60, 0x2f)))],
    ['a size that is too short', () => talk.send(frame(3, 1, Buffer.alloc(4)))],
    ['a question with more than a question', () => talk.send(frame(4, 1, Buffer.alloc(4)))],
    ['a question about a terminal where there is none', () => talk.send(askModesFrame(1))],
    [
      'an id that is taken',
      () => {
        talk.start(7, 'sleep 600')
        talk.start(7, 'sleep 600')
      },
    ],
    ['a program that is not named by its path', () => talk.start(7, 'true', { executable: 'true' })],
    [
      'more input than it has room for',
      () => {
        talk.start(7, 'sleep 600', { terminal: { cols: 80, rows: 24 } })
        for (let i = 0; i < 40; i++) talk.send(inputFrame(7, Buffer.alloc(INPUT_ROOM, 0x78)))
      },
    ],
  ])('%s ends it, and everything that it started', async (_, send) => {
    talk.start(1, 'trap "" TERM; while :; do sleep 0.05; done')
    await talk.next('started 1')
    send()
    await eventually('it has ended', () => talk.ended !== null)
    expect(talk.ended).toBe('2')
    const pids = [...talk.pids.values()]
    expect([pids.length > 0, table.rows().filter(({ session }) => pids.includes(session))]).toEqual([true, []])
  })

  test('what is for one that is not there is ignored', async () => {
    talk.send(frame(2, 99, Buffer.alloc(0)))
    talk.send(frame(3, 99, Buffer.alloc(8)))
    talk.send(askModesFrame(99))
    talk.start(1, 'exit 6')
    await talk.next('closed 1')
    expect(talk.heard).toContain('exited 1 6')
  })

  test('it says how a terminal is set and who is in its foreground, and nothing of one that has ended', async () => {
    const terminal = { cols: 80, rows: 24 }
    talk.start(1, 'echo usual; read a; stty -echo -icanon -isig; echo changed; sleep 600', { terminal })
    await eventually('it has printed', () => talk.text(1).includes('usual'))
    const foreground = talk.pids.get(1)
    talk.send(askModesFrame(1))
    await talk.next(`modes 1 ${JSON.stringify({ canonical: true, echo: true, signals: true, foreground })}`)
    talk.send(inputFrame(1, Buffer.from('\r')))
    await eventually('it has changed', () => talk.text(1).includes('changed'))
    talk.send(askModesFrame(1))
    await talk.next(`modes 1 ${JSON.stringify({ canonical: false, echo: false, signals: false, foreground })}`)
    process.kill(-(foreground ?? 0), 'SIGKILL')
    await talk.next('closed 1')
    talk.send(askModesFrame(1))
    talk.start(2, 'exit 6')
    await talk.next('closed 2')
    expect(talk.heard.filter(each => each.startsWith('modes')).length).toBe(2)
  })

  test('it reads no child while nobody reads what it says, and loses nothing by that', async () => {
    talk.child.stdout?.pause()
    talk.start(1, 'head -c 20000000 /dev/zero; exit 4')
    talk.start(2, 'echo second')
    await eventually('it has filled its pipe', () => talk.child.stdout?.readableLength !== 0)
    talk.child.stdout?.resume()
    await talk.next('closed 1')
    await talk.next('closed 2')
    expect([Buffer.concat(talk.printed.get(1) ?? []).length, talk.text(2)]).toEqual([20_000_000, 'second\n'])
  })
})
