import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { HostProcesses } from '../drivers/host-process.ts'
import { endOf, eventually, openHttp, openStdio } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** A debugger says yes for whoever attaches to it (docs/attacks.md A12). Node opens one at SIGUSR1, or when it is told to at its start. */
const toEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end()
})

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed while we looked
  }
}

/** The ports on which a process listens. */
function listensOn(pid: number): number[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map(fd => linkOf(`/proc/${pid}/fd/${fd}`)))
  return ['tcp', 'tcp6'].flatMap(table =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/\s+/))
      .filter(fields => fields[3] === '0A' && sockets.has(`socket:[${fields[9]}]`))
      .map(fields => Number.parseInt(fields[1]?.split(':')[1] ?? '0', 16)),
  )
}

const ASKED = 'asked for a debugger in this process'

/** Asks for a debugger; the process has had the signal when it says so. */
async function asked(pid: number, log: () => string): Promise<{ before: number[]; after: number[] }> {
  const before = listensOn(pid)
  process.kill(pid, 'SIGUSR1')
  await eventually('it says that it was asked', () => log().includes(ASKED))
  return { before, after: listensOn(pid) }
}

test('A12: a signal opens no debugger in the host nor in the owner of its terminals, and the person hears of it', async () => {
  const hosts = new HostProcesses()
  toEnd.push(() => hosts.close())
  const { pid } = await hosts.start()
  const { approver } = await hosts.meet()
  await eventually('the owner of terminals is there', () => hosts.told('pty-host') !== null)
  for (const [each, log] of [
    [pid ?? 0, () => hosts.place.read('host.log')],
    [hosts.told('pty-host')?.pid ?? 0, () => hosts.place.read('home/state/pty-host.log')],
  ] as const) {
    const { before, after } = await asked(each, log)
    expect(after).toEqual(before)
    expect(log()).not.toContain('Debugger listening')
  }
  expect(await approver.heard.next('alarm')).toMatchObject({ message: expect.stringContaining(ASKED) })
})

test('A12: nor in the MCP server, over stdio and over HTTP', async () => {
  for (const server of [await openStdio(), await openHttp()]) {
    toEnd.push(() => server.close())
    const { before, after } = await asked(server.pid, server.log)
    expect(after).toEqual(before)
    expect(server.log()).not.toContain('Debugger listening')
  }
})

test('A12: nor in the bridge', async () => {
  const place = new Place()
  toEnd.push(() => place.remove())
  place.pair('box')
  const env = place.env({ PM_TERM_BRIDGE_ADDRESS: '127.0.0.1', PM_INTERACTIVE_TERMINAL_HOST_PORT: '0' })
  const { child, said } = started(['bridge'], env)
  await eventually('it listens', () => said().includes('the bridge listens'))
  const { before, after } = await asked(child.pid ?? 0, said)
  expect(after).toEqual(before)
  expect(said()).not.toContain('Debugger listening')
})

test('A12: nor in any command before it does anything of its own: the first line of all listens', async () => {
  const place = new Place()
  toEnd.push(() => place.remove())
  const child = spawn(process.execPath, [PRODUCT, 'policy', 'eval'], { env: place.env() })
  toEnd.push(() => endOf(child))
  let [answered, said] = ['', '']
  child.stdout.on('data', chunk => {
    answered += chunk
  })
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const judged = async (id: string) => {
    child.stdin.write(`${JSON.stringify({ id, allowlist: [], command: 'ls' })}\n`)
    await eventually(`${id} is judged`, () => answered.includes(`"${id}"`))
  }
  await judged('before')
  process.kill(child.pid ?? 0, 'SIGUSR1')
  await judged('after')
  expect([said, listensOn(child.pid ?? 0)]).toEqual(['', []])
})

test.each([['host'], ['mcp'], ['bridge'], ['pty-host'], ['approve'], []])(
  'A12: with a debugger from its start on "%s" does nothing but say so',
  async (...words) => {
    const place = new Place()
    toEnd.push(() => place.remove())
    const { child, said } = started(words, place.env({ NODE_OPTIONS: '--inspect=127.0.0.1:0' }))
    await eventually('it ends', () => child.exitCode !== null)
    expect(child.exitCode).toBe(2)
    expect(said()).toContain('A debugger is open in this process, and whoever attaches to it can approve for you.')
    expect(place.read('home/state/host.json')).toBe('')
  },
)

function started(words: readonly string[], env: Record<string, string>): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [PRODUCT, ...words], { env, stdio: ['pipe', 'ignore', 'pipe'] })
  toEnd.push(() => endOf(child))
  let said = ''
  child.stderr?.on('data', chunk => {
    said += chunk
  })
  return { child, said: () => said }
}
