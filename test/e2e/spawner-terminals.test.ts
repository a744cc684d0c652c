import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { directoryIdentity, fileIdentity } from '../../src/base/file-identity.ts'
import type { SpawnerKeeper } from '../../src/base/process/spawner-keeper.ts'
import { type LosslessPty, ownPtys, type StartPty } from '../../src/pty-host/lossless-pty.ts'
import { spawnedPtys } from '../../src/pty-host/spawned-pty.ts'
import { probeHere, WaitProbe } from '../../src/pty-host/waiting/wait-probe.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { keeper, silentLog } from '../drivers/starters.ts'

const nobody: StartPty = () => Promise.reject(new Error('there is no spawner'))
const WAYS = [
  { way: 'of this process', open: () => ({ start: ownPtys(systemClock), kept: null }), skip: {} },
  {
    way: 'of the spawner',
    open: (): { start: StartPty; kept: SpawnerKeeper | null } => {
      const kept = keeper()
      return { start: spawnedPtys(kept, nobody, silentLog), kept }
    },
    skip: needs('the spawner'),
  },
]

describe.each(WAYS)('a terminal $way', ({ open, skip }) => {
  let start: StartPty
  let kept: SpawnerKeeper | null
  let dir: string
  beforeEach(() => {
    ;({ start, kept } = open())
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'it-pty-')))
  })
  afterEach(() => {
    kept?.dispose()
    rmSync(dir, { recursive: true, force: true })
  })

  const ENV = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', PS1: '' }
  type Command = Parameters<StartPty>[0]
  async function begin(line: string, more: Partial<Command> = {}, onChunk: (chunk: Buffer) => void = () => {}) {
    const chunks: Buffer[] = []
    const args = ['--noprofile', '--norc', '-c', line]
    const command = { executable: '/bin/bash', args, cwd: dir, env: ENV, cols: 80, rows: 24, ...more }
    const pty: LosslessPty = await start(command, chunk => {
      chunks.push(Buffer.from(chunk))
      onChunk(chunk)
    })
    const text = () => Buffer.concat(chunks).toString('utf8')
    return { pty, text, size: () => chunks.reduce((sum, chunk) => sum + chunk.length, 0) }
  }
  const run = async (line: string, more: Partial<Command> = {}) => {
    const { pty, text } = await begin(line, more)
    const end = await pty.ended
    return { text: text(), end }
  }

  test('is one for whoever runs in it: session, group, size, name and settings', {
    ...needs('ps', 'stty'),
    ...skip,
  }, async () => {
    const { text } = await run(
      'tty -s && echo $TERM $PWD; stty size; stty -a | tail -n +2; ps -o pid=,sid=,pgid=,tpgid= -p $$',
    )
    const [name, size, ...rest] = text.trimEnd().split('\r\n')
    expect([name, size]).toEqual([`xterm-256color ${dir}`, '24 80'])
    const ids = (rest.pop() ?? '').trim().split(/\s+/)
    expect(new Set(ids).size).toBe(1)
    expect(rest.join('\n')).toMatchInlineSnapshot(`
      "intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = M-^?; eol2 = M-^?;
      swtch = <undef>; start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R; werase = ^W;
      lnext = ^V; discard = ^O; min = 1; time = 0;
      -parenb -parodd -cmspar cs8 hupcl -cstopb cread -clocal -crtscts
      -ignbrk brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff
      -iuclc ixany imaxbel -iutf8
      opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0
      isig icanon iexten echo echoe echok -echonl -noflsh -xcase -tostop -echoprt
      echoctl echoke -flusho -extproc"
    `)
  })

  test('200 that print and end at once lose no byte', {
    ...skip,
    timeout: 120_000,
  }, async () => {
    const whole = Array.from({ length: 2000 }, (_, i) => `${i + 1}\r\n`).join('')
    const wrong: string[] = []
    for (let i = 0; i < 200; i++) {
      const { pty, text } = await begin('seq 1 2000; exit 7')
      const end = await pty.ended
      if (text() !== whole || end.exitCode !== 7 || !end.drained) wrong.push(`${i}: ${text().length} ${end.exitCode}`)
    }
    expect(wrong).toEqual([])
  })

  test('takes what is typed, its end and its interrupt, and another size', skip, async () => {
    const { pty, text } = await begin('trap "echo hit; exit 0" INT; cat; stty size; while :; do sleep 0.1; done')
    pty.write(Buffer.from('typed\r'))
    await eventually('it echoes', () => text().includes('typed\r\ntyped\r\n'))
    pty.resize(132, 43)
    pty.write(Buffer.from('\x04'))
    await eventually('it has another size', () => text().includes('43 132'))
    pty.write(Buffer.from('\x03'))
    expect(await pty.ended).toMatchObject({ exitCode: 0 })
    expect(text()).toContain('hit')
  })

  test('3 MB that are typed while nobody reads them come whole and in order', {
    ...skip,
    timeout: 60_000,
  }, async () => {
    const line = 'stty raw -echo; echo ready; while [ ! -e go ]; do sleep 0.02; done; head -c 3000000 | md5sum'
    const { pty, text } = await begin(line)
    await eventually('it is ready', () => text().includes('ready'))
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => 32 + (i % 89)))
    for (let at = 0; at < bytes.length; at += 10_000) pty.write(bytes.subarray(at, at + 10_000))
    writeFileSync(join(dir, 'go'), '')
    await pty.ended
    const { createHash } = await import('node:crypto')
    expect(text()).toContain(createHash('md5').update(bytes).digest('hex'))
  })

  test('is started in the very directory and with the very file that were judged, or not at all', skip, async () => {
    const judged = join(dir, 'judged')
    mkdirSync(judged)
    const pinned = { cwd: directoryIdentity(judged) ?? '', executable: fileIdentity('/bin/bash') ?? '' }
    expect((await run('pwd', { cwd: judged, pinned })).text).toBe(`${judged}\r\n`)
    renameSync(judged, join(dir, 'moved'))
    mkdirSync(judged)
    await expect(begin('touch ran', { cwd: judged, pinned })).rejects.toThrow(
      `The directory was replaced: another one is at ${judged} now. Nothing ran.`,
    )
    await expect(begin('touch ran', { pinned: { ...pinned, executable: 'another' } })).rejects.toThrow(
      'The program /bin/bash is another file now. Nothing ran.',
    )
  })

  test.each([
    ['a line', 'read a', 'line'],
    ['a password', 'read -s a', 'secret'],
    ['a key', 'read -n 1 a', 'key'],
  ])('shows that its program waits for %s', skip, async (_, line, state) => {
    const { pty } = await begin(line)
    const here = probeHere(process.platform)
    // The spawner is asked; without it a program is.
    const modes = kept ? () => Promise.reject(new Error('no program is started for it')) : here.modes
    const probe = new WaitProbe({ ...here, modes }, pty)
    await eventually('it waits', async () => (await probe.look('')).state !== 'none')
    expect(await probe.look('')).toMatchObject({ state, source: 'kernel', program: 'bash' })
    process.kill(-pty.pid, 'SIGKILL')
    await pty.ended
    expect((await pty.modes?.()) ?? null).toBeNull()
  })

  test('what was left in it is hung up when its first process ends', skip, async () => {
    const { text, end } = await run('trap "" HUP; sleep 600 & echo $!; exit 3')
    expect(end).toMatchObject({ exitCode: 3, drained: true })
    process.kill(Number(text), 'SIGKILL')
  })
})
