import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import { systemClock } from '../../base/clock.ts'
import type { InputWait } from '../../base/process/pty.ts'
import { type LosslessPty, startPty } from '../lossless-pty.ts'
import { PrintedLast } from './printed-last.ts'
import { probeHere, WaitProbe } from './wait-probe.ts'

// Real programs in a real terminal: what the kernel shows of them is the point.
const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
const onLinux = (...programs: string[]) =>
  process.platform === 'linux' ? needs(...programs) : { skip: true, meta: { missing: 'only Linux shows it' } }

const running: LosslessPty[] = []
const directories: string[] = []
afterEach(async () => {
  for (const pty of running.splice(0)) {
    killGroup(pty.pid)
    await pty.ended
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'waits-'))
  directories.push(made)
  return made
}

interface Watched {
  readonly pty: LosslessPty
  readonly look: () => Promise<InputWait>
  /** Looks until it is as wanted, or for ten seconds. */
  readonly until: (state: InputWait['state']) => Promise<InputWait>
  readonly printed: () => string
}

function start(line: string, cwd = '/', env: Record<string, string> = {}): Watched {
  const last = new PrintedLast()
  let all = ''
  const pty = startPty(
    {
      executable: '/bin/bash',
      args: ['--noprofile', '--norc', '-c', line],
      cwd,
      env: { PATH, LANG: 'C.UTF-8', TERM: 'xterm-256color', HOME: cwd, ...env },
      cols: 80,
      rows: 24,
    },
    chunk => {
      last.add(chunk)
      all += chunk.toString('latin1')
    },
    systemClock,
  )
  running.push(pty)
  const probe = new WaitProbe(probeHere(process.platform), pty)
  const look = () => probe.look(last.text)
  const until = async (state: InputWait['state']) => {
    const began = performance.now()
    let report = await look()
    while (report.state !== state && performance.now() - began < 10_000) {
      await new Promise(resolve => setTimeout(resolve, 20))
      report = await look()
    }
    return report
  }
  return { pty, look, until, printed: () => all }
}

/** Once it has said this, it does what it is here for. */
async function said(watched: Watched, text: string): Promise<void> {
  const began = performance.now()
  while (!watched.printed().includes(text)) {
    if (performance.now() - began > 10_000) throw new Error(`never said ${text}: ${watched.printed()}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

describe('a program that waits for input', () => {
  test.each([
    ['cat', 'cat', 'line', 'cat'],
    ['a question of a shell', 'read -p "Continue [y/N]? " answer', 'line', 'bash'],
    ['a password of a shell', 'read -s -p "Password: " answer', 'secret', 'bash'],
    ['the first of a pipeline', 'cat | sort', 'line', 'cat'],
  ] as const)('%s', onLinux('bash'), async (_, line, state, program) => {
    expect(await start(line).until(state)).toMatchObject({ state, program, source: 'kernel', onlyInput: true })
  })

  for (const [needed, line, state] of [
    ['python3', 'python3 -i', 'key'],
    ['python3', `python3 -c 'input("Name: ")'`, 'line'],
    ['python3', `python3 -c 'import getpass; getpass.getpass("Passphrase for key: ")'`, 'secret'],
    ['less', 'seq 1 500 | less', 'key'],
    ['vim.tiny', 'vim.tiny -u NONE file', 'key'],
    ['top', 'top', 'key'],
    [
      'node',
      `node -e "require('readline').createInterface({input: process.stdin}).question('Name? ', console.log)"`,
      'line',
      'node',
    ],
    ['node', `node -e "process.stdin.setRawMode(true); process.stdin.resume()"`, 'key'],
  ] as const)
    test(`${needed}: ${line}`, onLinux(needed), async () => {
      const report = await start(line, directory()).until(state)
      expect(report).toMatchObject({ state, source: 'kernel' })
      expect(report.program).toContain(needed.slice(0, 6))
    })

  test('npm init, at its first question', onLinux('npm'), async () => {
    const watched = start('npm init', directory(), { npm_config_update_notifier: 'false' })
    await said(watched, 'package name:')
    expect(await watched.until('key')).toMatchObject({ state: 'key', source: 'kernel' })
  })

  test('the editor that git rebase -i opens', onLinux('git', 'vim.tiny'), async () => {
    const where = directory()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: where, stdio: 'ignore' })
    git('init', '-q')
    for (const name of ['one', 'two']) {
      writeFileSync(join(where, name), name)
      git('add', '.')
      git('commit', '-q', '-m', name)
    }
    const watched = start('git rebase -i --root', where, {
      GIT_EDITOR: 'vim.tiny -u NONE',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    })
    expect(await watched.until('key')).toMatchObject({ state: 'key', program: 'vim.tiny' })
  })

  test('a program of another terminal inside this one is the one that counts', onLinux('script'), async () => {
    const watched = start(`script -qc "bash -c 'read -s -p Password: a'" /dev/null`)
    expect(await watched.until('secret')).toMatchObject({ state: 'secret', program: 'bash' })
    const asleep = start(`script -qc 'echo here; sleep 30' /dev/null`)
    await said(asleep, 'here')
    expect((await asleep.look()).state).toBe('none')
  })

  test('after the answer it no longer waits', onLinux('bash'), async () => {
    const watched = start('read -p "Name: " name; echo "hello $name"; sleep 30')
    await watched.until('line')
    watched.pty.write(Buffer.from('you\r'))
    await said(watched, 'hello you')
    expect(await watched.until('none')).toMatchObject({ state: 'none', source: 'kernel' })
  })

  test('a second question of another kind is seen as that', onLinux('bash'), async () => {
    const watched = start('read -p "Name: " a; read -s -p "Password: " b')
    await watched.until('line')
    watched.pty.write(Buffer.from('you\r'))
    expect((await watched.until('secret')).state).toBe('secret')
  })
})

describe('no program that waits for something else is taken for one', () => {
  test.each([
    ['sleep', 'echo here; sleep 30'],
    ['a pipeline', 'echo here; sleep 30 | tail -1'],
    ['a busy loop', 'echo here; while :; do :; done'],
    ['yes', 'echo here; yes'],
    ['yes into a pipe', 'echo here; yes | sort | head -1'],
    ['one in the background', 'echo here; cat & sleep 30'],
    ['a server', `echo here; exec node -e "require('net').createServer().listen(0, '127.0.0.1')"`],
    ['one that reads a file that never comes', 'mkfifo pipe; echo here; cat pipe'],
  ])('%s', onLinux('bash'), async (_, line) => {
    const watched = start(line, directory())
    await said(watched, 'here')
    for (let looks = 0; looks < 10; looks++) {
      expect(await watched.look()).toMatchObject({ state: 'none' })
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })
})
