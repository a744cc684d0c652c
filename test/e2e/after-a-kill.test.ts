import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startBare } from '../drivers/bare.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { PASSPHRASE } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { PRODUCT } from '../drivers/place.ts'

/** Whoever ends the person's host gets neither its terminals nor its answers (docs/attacks.md A8c, A11). */
let at: HostProcesses
let terminal: IPty | null = null
let seen = ''
let ended: number | null = null
beforeEach(() => {
  at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_APPROVER_WAIT_MS: '5000' })
  seen = ''
  ended = null
})
afterEach(async () => {
  if (terminal && ended === null) {
    terminal.kill('SIGTERM')
    await eventually('it ends', () => ended !== null)
  }
  terminal = null
  await at.close()
})

const typedFile = () => join(at.place.work, 'typed')
const withoutPassphrase = () => rmSync(join(at.place.home, 'state', 'approver.v1.json'))

async function stolen(): Promise<string> {
  const outcome = join(at.place.root, 'outcome')
  await startBare('terminal-thief.mjs', [join(at.place.home, 'state'), `touch ${typedFile()}`, outcome])
  await eventually('the thief is done', () => at.place.read('outcome') !== '', 30_000)
  return at.place.read('outcome')
}

/** `interactive-terminal` in a terminal of whoever types it. */
function startInTerminal(): void {
  const env = at.place.env({ TERM: 'xterm-256color', PM_TERM_HTTP_PORT: '0', PM_TERM_WINDOW: 'never' })
  terminal = spawn(process.execPath, [PRODUCT], { cols: 100, rows: 40, cwd: at.place.root, env })
  terminal.onData(text => {
    seen += text
  })
  terminal.onExit(({ exitCode }) => {
    ended = exitCode
  })
}
const sees = (text: string) =>
  eventually(text, () => seen.includes(text), 30_000).catch(() => {
    throw new Error(`never ${text}: ${seen}`)
  })

test('A8c: whoever kills the host and comes to its terminals types into none; the person’s passphrase gives them back', {
  timeout: 90_000,
}, async () => {
  await at.start()
  const { client, approver } = await at.meet()
  const { terminal_id } = await client.opensShell(approver, at.place.work)
  await at.kill('host')
  expect(await stolen()).toBe('1 terminals, unlocked: false')
  await at.start()
  const next = await at.meet()
  expect(await next.approver.heard.next('alarm')).toMatchObject({
    message: expect.stringContaining('The last host was killed'),
  })
  const id = next.client.command('echo mine again', { terminal_id })
  next.approver.approve(await next.approver.question(question => question.request_id === id))
  expect(await next.client.response(id, 20_000)).toMatchObject({ output: 'mine again\r\n' })
  expect(existsSync(typedFile())).toBe(false)
})

test.each([
  ['was killed', 'SIGKILL'],
  ['was told to end', 'SIGTERM'],
] as const)(
  'A11: in front of a host after one that %s nobody answers without the passphrase',
  {
    timeout: 90_000,
  },
  async (_, signal) => {
    const first = await at.start()
    first.kill(signal)
    await eventually('it is gone', () => first.exitCode !== null || first.signalCode !== null)
    startInTerminal()
    await sees('prove that it is you')
    await sees('Approver passphrase')
    const told = () => at.told()
    await eventually('it runs', () => told()?.pid === terminal?.pid)
    // What a thief would press, and what it would guess.
    for (const guess of ['a', 'aa', 'aaa']) {
      const before = seen.length
      terminal?.write(`${guess}\r`)
      await eventually(
        'it was looked at',
        () => ended !== null || /not the passphrase/.test(seen.slice(before)),
        30_000,
      )
    }
    await eventually('it ends', () => ended !== null, 30_000)
    expect([ended, seen]).toEqual([2, expect.not.stringContaining('No commands waiting')])
    seen = ''
    ended = null
    startInTerminal()
    await sees('Approver passphrase')
    terminal?.write(`${PASSPHRASE}\r`)
    await sees('No commands waiting')
  },
)

test('A11: after one that was quit where it was started, the next one answers at once', {
  timeout: 90_000,
}, async () => {
  withoutPassphrase()
  startInTerminal()
  await sees('No commands waiting')
  terminal?.write('q')
  await eventually('it ends', () => ended !== null, 30_000)
  seen = ''
  ended = null
  startInTerminal()
  await sees('No commands waiting')
  expect(seen).not.toContain('was killed')
})

test('A11: without a passphrase, terminals of a killed host end before anybody answers in front of the next one', {
  timeout: 90_000,
}, async () => {
  withoutPassphrase()
  startInTerminal()
  await sees('No commands waiting')
  // What a rule covers runs without a question.
  at.line(await at.client(), 'echo $$ > shell-pid; sleep 600')
  await eventually('it runs', () => at.place.read('work/shell-pid') !== '')
  await at.kill('host')
  await eventually('it is gone', () => ended !== null, 30_000)
  seen = ''
  ended = null
  startInTerminal()
  await sees('Type "end"')
  terminal?.write('end\r')
  await sees('dismiss this')
  const pid = Number(at.place.read('work/shell-pid'))
  await eventually('it has ended', () => !existsSync(`/proc/${pid}`))
})
