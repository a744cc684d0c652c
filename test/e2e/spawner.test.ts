import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { ChildStarter, PipeCommand } from '../../src/base/process/child-starter.ts'
import { killTree } from '../../src/base/process/kill-tree.ts'
import { processTable } from '../../src/base/process/process-table.ts'
import { textIn } from '../../src/base/process/quiet-reads.ts'
import { startPipeProcess } from '../../src/runs/run/pipe-process.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { Heard, sh, WAYS } from '../drivers/starters.ts'

const table = processTable(process.platform)

describe.each(WAYS)('a command that is started $way', ({ way, open, skip }) => {
  let starter: ChildStarter
  let end: () => void
  let dir: string
  beforeEach(() => {
    ;({ starter, end } = open())
    dir = mkdtempSync(join(tmpdir(), 'it-spawn-'))
  })
  afterEach(() => {
    end()
    rmSync(dir, { recursive: true, force: true })
  })

  async function run(command: PipeCommand): Promise<Heard> {
    const heard = new Heard()
    await starter.start(command, heard)
    await heard.over
    return heard
  }
  const why = (command: PipeCommand): Promise<NodeJS.ErrnoException> =>
    starter.start(command, new Heard()).then(
      () => {
        throw new Error('it was started')
      },
      (cause: NodeJS.ErrnoException) => cause,
    )

  test('tells what it printed on which stream, then how it ended', skip, async () => {
    const heard = await run(sh('echo one; echo two >&2; exit 7'))
    expect([heard.text(), heard.text('stderr')]).toEqual(['one\n', 'two\n'])
    expect([...heard.events].sort()).toEqual(['closed', 'exited 7', 'stderr ended', 'stdout ended'])
    expect(heard.events.at(-1)).toBe('closed')
  })

  test.each([
    ['exit 0', '0'],
    ['exit 255', '255'],
    ['kill -9 $$', 'SIGKILL'],
    ['kill -TERM $$', 'SIGTERM'],
  ])('%s ends as it really ended', skip, async (line, how) => {
    expect(await (await run(sh(line))).left).toBe(how)
  })

  test('leads a session and a group of its own, and has an empty stdin', skip, async () => {
    const heard = await run(sh('cat; echo $$; cat /proc/$$/stat'))
    const [pid, stat = ''] = heard.text().split('\n')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    expect([fields[2], fields[3]]).toEqual([pid, pid])
  })

  test('has nothing open but the three usual files', skip, async () => {
    // What whoever runs the tests left open to every child is none of ours.
    const inherited = way === 'by this process' ? openToChildren() : 0
    // `ls` itself holds the directory that it lists.
    const heard = await run(sh('ls -l /proc/self/fd | tail -n +2 | wc -l'))
    expect(Number(heard.text())).toBe(4 + inherited)
  })

  test('is known by pid, start time and mark', skip, async () => {
    const heard = new Heard()
    const mark = 'INTERACTIVE_TERMINAL_RUN=spawner-test'
    const child = await starter.start(
      sh('echo $$; exec sleep 60', { env: { PATH: '/usr/bin:/bin', INTERACTIVE_TERMINAL_RUN: 'spawner-test' } }),
      heard,
    )
    await eventually('it is there', () => heard.text().endsWith('\n'))
    const row = table.row(child.pid)
    expect([Number(heard.text()), child.start ?? row?.start, table.carries(child.pid, mark)]).toEqual([
      child.pid,
      row?.start,
      true,
    ])
    const killer = { table, clock: systemClock, platform: process.platform }
    const began = performance.now()
    const tree = { pid: child.pid, start: row?.start ?? null, mark, leads: true }
    expect(await killTree(killer, tree, 5000)).toEqual([])
    expect(performance.now() - began).toBeLessThan(4500)
    expect(await heard.left).toBe('SIGTERM')
    await heard.over
    expect(() => process.kill(child.pid, 0)).toThrow('ESRCH')
  })

  test('starts with every signal as usual, and none held back', skip, async () => {
    const heard = await run(sh('exec grep -E "^Sig(Blk|Ign)" /proc/self/status'))
    expect(heard.text().match(/[0-9a-f]{16}/g)).toEqual(Array(2).fill('0'.repeat(16)))
  })

  test('gets argv and environment byte for byte', skip, async () => {
    const argv = ['own name', '', 'ümlaut 💡', ' \t\n"\'$`\\', 'x'.repeat(100_000), '--', '']
    const env = { EMPTY: '', LONG: 'y'.repeat(100_000), ÜMLAUT: 'ä=b\n', PATH: '' }
    const script = 'process.stdout.write(JSON.stringify([process.argv0, process.argv.slice(1), process.env]))'
    const words = [argv[0] ?? '', '-e', script, '--', ...argv.slice(1)]
    const heard = await run({ executable: process.execPath, argv: words, cwd: dir, env })
    expect(JSON.parse(heard.text())).toEqual([argv[0], argv.slice(1), env])
  })

  test('gets a command line of 64 KiB and an empty environment', skip, async () => {
    const line = `: ${'z'.repeat(64 * 1024)}; env | grep -vE "^(PWD|SHLVL|_)="; pwd`
    const heard = await run({ ...sh(line), cwd: dir, env: {} })
    expect(heard.text()).toBe(`${dir}\n`)
  })

  test('a script that does not say what reads it is read by sh', skip, async () => {
    writeFileSync(join(dir, 'script'), 'echo "$1"; echo $0\n', { mode: 0o755 })
    const heard = await run({ executable: join(dir, 'script'), argv: ['ignored', 'word'], cwd: dir, env: {} })
    expect(heard.text()).toBe(`word\n${dir}/script\n`)
  })

  test('what cannot be started says why, as the system says it, and leaves nothing open', skip, async () => {
    writeFileSync(join(dir, 'text'), 'no program\n')
    mkdirSync(join(dir, 'locked'), { mode: 0o000 })
    const plain = { argv: ['x'], cwd: dir, env: {} }
    expect(await why({ ...plain, executable: join(dir, 'none') })).toMatchObject({ code: 'ENOENT' })
    expect(await why({ ...plain, executable: join(dir, 'text') })).toMatchObject({ code: 'EACCES' })
    expect(await why({ ...plain, executable: join(dir, 'text', 'x') })).toMatchObject({ code: 'ENOTDIR' })
    expect(await why({ ...plain, executable: '/bin/true', cwd: join(dir, 'none') })).toMatchObject({ code: 'ENOENT' })
    expect(await why({ ...plain, executable: '/bin/true', cwd: join(dir, 'text') })).toMatchObject({ code: 'ENOTDIR' })
    expect(await why({ ...plain, executable: '/bin/true', argv: ['x', 'y'.repeat(200_000)] })).toMatchObject({
      code: 'E2BIG',
    })
    expect(await why({ ...plain, executable: '/bin/true', argv: ['x', 'y'.repeat(9_000_000)] })).toMatchObject({
      code: 'E2BIG',
    })
    expect((await why({ ...plain, executable: '/bin/true', argv: ['x', 'a\0b'] })).code).toBe('ERR_INVALID_ARG_VALUE')
    expect(await (await run(sh('exit 3'))).left).toBe('3')
  })

  test('200 that print and end at once, 16 at a time, lose no byte', { ...skip, timeout: 120_000 }, async () => {
    const whole = Array.from({ length: 4000 }, (_, i) => `${i + 1}\n`).join('')
    const wrong: string[] = []
    const one = async () => {
      const heard = await run(sh('seq 1 4000; seq 1 4000 >&2; exit 9'))
      if (heard.text() !== whole || heard.text('stderr') !== whole || (await heard.left) !== '9')
        wrong.push(`${heard.text().length} ${heard.text('stderr').length} ${heard.events}`)
    }
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let i = 0; i < 13; i++) await one()
      }),
    )
    expect(wrong).toEqual([])
  })

  test('30 MB come whole, while others that print little are not kept waiting', skip, async () => {
    const flood = new Heard()
    let bytes = 0
    flood.output = (_, chunk) => {
      bytes += chunk.length
    }
    await starter.start(sh('head -c 30000000 /dev/zero; head -c 100000000 /dev/zero'), flood)
    const quick = await run(sh('echo quick'))
    expect(quick.text()).toBe('quick\n')
    await flood.over
    expect(bytes).toBe(130_000_000)
  })

  test('a background child is read on after the end, which says that not all is drained', skip, async () => {
    let text = ''
    let closed = () => {}
    const over = new Promise<void>(resolve => {
      closed = resolve
    })
    const listener = {
      output: (_: string, chunk: Buffer) => {
        text += chunk.toString('utf8')
      },
      streamEnd() {},
      closed,
    }
    const line = `(while [ ! -e go ]; do sleep 0.02; done; echo late) & echo early`
    const process = await startPipeProcess(starter, sh(line, { cwd: dir }), listener, systemClock)
    expect([await process.ended, text]).toEqual([{ exitCode: 0, signal: null, drained: false }, 'early\n'])
    closeSync(openSync(join(dir, 'go'), 'w'))
    await over
    expect(text).toBe('early\nlate\n')
  })

  test('a background child that never stops printing does not hold up the end', skip, async () => {
    const heard = new Heard()
    const child = await starter.start(sh('yes & echo $! >&2; exit 4'), heard)
    expect(await heard.left).toBe('4')
    const left = Number(heard.text('stderr'))
    process.kill(left, 'SIGKILL')
    await heard.over
    expect(child.pid).not.toBe(left)
  })

  test('40 that end leave no file open', skip, async () => {
    await run(sh('true'))
    const before = readdirSync('/proc/self/fd').length
    for (let i = 0; i < 40; i++) await run(sh('echo x'))
    await why({ executable: '/none', argv: ['x'], cwd: '/', env: {} })
    await eventually('they are closed', () => readdirSync('/proc/self/fd').length <= before)
  })

  test('has the limits that this process has', skip, async () => {
    const heard = await run(sh('cat /proc/self/limits'))
    expect(heard.text()).toBe(readFileSync('/proc/self/limits', 'utf8'))
  })
})

/** Files that this process would hand to every child: those that are not closed when another program begins. */
const openToChildren = (): number =>
  readdirSync('/proc/self/fdinfo').filter(fd => {
    const flags = Number(fd) < 3 ? null : /^flags:\s+(\d+)/m.exec(textIn(`/proc/self/fdinfo/${fd}`))
    return flags !== null && (Number.parseInt(flags[1] ?? '0', 8) & O_CLOEXEC) === 0
  }).length
const O_CLOEXEC = 0o2000000
