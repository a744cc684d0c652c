import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INSIDE } from '../src/runs/jail/profile.ts'
import { eventually } from './drivers/mcp-client.ts'
import { needs } from './drivers/needs.ts'
import { asUser } from './drivers/ordinary-user.ts'
import { SandboxBait } from './drivers/sandbox-bait.ts'

/** Two lines hold the same: the one is looked at with the other taken out. */
const BESIDE: Readonly<Record<string, readonly string[]>> = { nested: ['calls'] }
/** What they are for shows elsewhere: in the tests below. */
const ELSEWHERE = ['parent', 'status']

describe('the sandbox', needs('a sandbox'), () => {
  let bait: SandboxBait
  beforeAll(async () => {
    bait = new SandboxBait()
    await bait.open()
  })
  afterAll(() => bait?.close())

  test('holds against every way out that is tried, and what must work in it works', async () => {
    const found = await bait.escapes()
    expect(found).toEqual([expect.stringMatching(/^TRIED 8\d 11$/)])
  })

  test('each line of its profile is needed: without it something gets out, or what must work does not', async () => {
    const idle: string[] = []
    for (const { name } of bait.lines.filter(({ name }) => !ELSEWHERE.includes(name))) {
      const beside = BESIDE[name] ?? []
      const before = beside.length === 0 ? [] : await bait.escapes({ without: beside })
      const found = await bait.escapes({ without: [...beside, name] })
      const isNeeded = found.some(line => !line.startsWith('TRIED') && !before.includes(line))
      if (!isNeeded) idle.push(name)
    }
    expect(idle).toEqual([])
  }, 120_000)

  test('each limit that is set inside is needed', async () => {
    const idle: string[] = []
    // Where core files are off anyway, nothing shows.
    const words = ['--nproc=', '--data=', '--default-signal=']
    for (const word of words) {
      const inside = INSIDE.filter(each => !each.startsWith(word))
      const found = await bait.escapes({ inside })
      if (found.length === 1) idle.push(word)
    }
    expect(idle).toEqual([])
  })

  test('says the exit code of what it started, and none where it started nothing', async () => {
    const [good, bad] = [await bait.run(['sh', '-c', 'exit 7']), await bait.run(['true'], { without: ['system'] })]
    expect(good).toMatchObject({ code: 7, status: expect.stringContaining('"exit-code": 7') })
    expect(bad.status).not.toContain('exit-code')
    expect((await bait.run(['true'], { without: ['status'] })).status).toBe('')
  })

  test.for([
    ['is gone with whoever started it, background children included', [], 0],
    ['lives on without the line that ends it', ['parent'], 1],
  ] as const)('everything in it %s', async ([, without, left]) => {
    const name = `it-left-${left}`
    const words = bait.words(
      ['sh', '-c', `setsid bash -c 'exec -a ${name} sleep 60' & exec bash -c 'exec -a ${name} sleep 60'`],
      { without },
    )
    const [program = '', ...args] = asUser('sh', ['-c', '"$@" & wait', 'starter', ...words])
    const starter = spawn(program, args, { cwd: bait.workspace, env: bait.env, stdio: 'ignore' })
    const there = (): readonly number[] => processesCalled(name)
    await eventually('it runs', () => there().length > 0)
    starter.kill('SIGKILL')
    if (left === 0) await eventually('nobody is left', () => there().length === 0)
    else expect(there().length).toBeGreaterThan(0)
    for (const pid of there()) process.kill(pid, 'SIGKILL')
  })

  test('ends a program that forks without end, and one that takes all memory, without harm', async () => {
    const bomb = [
      'import os, time',
      'n = 0',
      'try:',
      '  while True:',
      '    if os.fork() == 0: time.sleep(9); os._exit(0)',
      '    n += 1',
      'except OSError: print("stopped", n < 512)',
    ].join('\n')
    // Asked for and never touched: the machine that runs this has no such room.
    const memory = [
      'import ctypes',
      'libc = ctypes.CDLL(None); libc.malloc.restype = ctypes.c_void_p; libc.malloc.argtypes = [ctypes.c_size_t]',
      'got = [libc.malloc(1 << 28) for _ in range(40)]',
      'print("stopped", got.count(None) >= 24)',
    ].join('\n')
    expect((await bait.run(['python3', '-c', bomb])).output).toContain('stopped True')
    expect((await bait.run(['python3', '-c', memory])).output).toContain('stopped True')
  })
})

function processesCalled(name: string): number[] {
  return readdirSync('/proc').flatMap(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(name) ? [Number(pid)] : []
    } catch {
      return [] // ended meanwhile
    }
  })
}
