import { hostname } from 'node:os'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readJournal } from '../../src/runs/journal/journal.ts'
import { commandLine } from '../drivers/command-line.ts'
import { eventually, type Opened, openCommand } from '../drivers/mcp-client.ts'
import { Place, REAL_PRODUCT } from '../drivers/place.ts'

/** The product itself, on a machine with a mark that only a person's word gets it past. */
const MARKED = { KUBERNETES_SERVICE_HOST: '10.0.0.1' }

let place: Place
let terminal: IPty | null = null
let screen = ''
let ended: number | null = null
let server: Opened | null = null

beforeEach(() => {
  place = new Place()
  screen = ''
  ended = null
})
afterEach(async () => {
  await server?.close()
  server = null
  if (terminal && ended === null) {
    terminal.kill('SIGTERM')
    await eventually('it ends', () => ended !== null)
  }
  terminal = null
  place.remove()
})

/** `interactive-terminal --here` as a person types it. */
function startHere(env: Readonly<Record<string, string>> = {}): void {
  terminal = spawn(process.execPath, [REAL_PRODUCT, '--here', '--http-port', '0'], {
    cols: 110,
    rows: 40,
    cwd: place.root,
    env: place.env({ TERM: 'xterm-256color', ...MARKED, ...env }),
  })
  terminal.onData(text => {
    screen += text
  })
  terminal.onExit(({ exitCode }) => {
    ended = exitCode
  })
}

async function repeatsTheCode(): Promise<void> {
  await eventually('the code', () => /type (\d{4}) and press Enter/.test(screen), 20_000)
  terminal?.write(`${/type (\d{4}) and press Enter/.exec(screen)?.[1]}\r`)
  await eventually('questions can be answered here', () => screen.includes('No commands waiting'), 20_000)
}

const execute = (command: string) => ({
  action: 'execute',
  invocation: { mode: 'interactive', intent: 'execute_command' },
  runtime: { cwd: place.work },
  execution: { command },
})

test('a person makes a container their machine: an agent in it is answered in that terminal, and everything says where', async () => {
  startHere()
  await repeatsTheCode()
  expect(screen).toContain('Everything in this container can reach the host')
  server = await openCommand(
    { command: process.execPath, args: [REAL_PRODUCT, 'mcp'], env: place.env(MARKED) },
    place,
    { place },
  )
  const asked = server.interactive(execute('/bin/echo approved > file; cat file'))
  await eventually('the question', () => screen.includes('approved > file') && screen.includes('a approve'), 20_000)
  let answered = false
  void asked.then(() => {
    answered = true
  })
  await eventually('armed and approved', async () => {
    terminal?.write('a')
    await new Promise(resolve => setTimeout(resolve, 200))
    return answered
  })
  expect((await asked).data).toMatchObject({
    success: true,
    result: { stdout: 'approved\n', adapter: 'host_bridge_local', host: 'host in a container' },
  })
  expect(screen).toContain('host in a container: everything in this container can reach it')
  // A second start says that it is there, instead of that there can be none.
  const second = await commandLine(place, ['--http-port', '0'], MARKED)
  expect(second.out).toContain('The host already runs')
  expect(second.out).toContain('type the code that the host')
  const doctor = await commandLine(place, ['doctor', '--http-port', '0'], MARKED)
  expect(doctor.out).toContain('host in a container: a person has made it their machine')
  expect(doctor.code).toBe(0)
  const journal = await readJournal(join(place.home, 'state', 'journal.db'))
  const [declared] = journal.newest('host_declared_here', 1)
  journal.close()
  expect(declared?.body).toMatchObject({
    by: expect.any(String),
    terminal: expect.stringContaining('/dev/'),
    marks: expect.arrayContaining(['KUBERNETES_SERVICE_HOST is set']),
    hostname: hostname(),
  })
})

test('a code that is not repeated starts nothing', async () => {
  startHere()
  await eventually('the code', () => screen.includes('and press Enter'), 20_000)
  for (const tries of [1, 2, 3]) {
    terminal?.write('none\r')
    await eventually(`try ${tries}`, () => screen.split('That was not the code').length > tries)
  }
  await eventually('it ends', () => ended !== null)
  expect([ended, place.read('home/state/host.json')]).toEqual([2, ''])
  expect(screen).toContain('the code was not repeated')
})

test('a command of an agent cannot do it, whatever terminal it has', async () => {
  startHere({ INTERACTIVE_TERMINAL_RUN: 'x' })
  await eventually('it ends', () => ended !== null, 20_000)
  expect([ended, screen.includes('inside a command of an agent')]).toEqual([2, true])
})

test('without a terminal it does not start', async () => {
  const { code, out } = await commandLine(place, ['--here', '--http-port', '0'], MARKED)
  expect([code, out]).toEqual([2, expect.stringContaining('it needs a terminal in the foreground')])
})
