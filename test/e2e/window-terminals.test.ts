import { Terminal } from '@xterm/headless'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TerminalState } from '../../src/contract/wire/terminal-frames.ts'
import type { FakeClient, LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { type Credential, FakeWindow, openWindow, openWindowHost } from '../drivers/window.ts'

let live: LiveHost
let opened: { readonly url: string }[]
let window: FakeWindow
let client: FakeClient
let asked = 0
beforeAll(async () => {
  ;({ live, opened } = await openWindowHost())
  window = await openWindow(live, opened)
})
beforeEach(async () => {
  client = await live.client()
})
afterAll(() => live.close())

const SIZE = { cols: 80, rows: 24 }
const nextId = () => `w${++asked}`
const latest = (at = window): readonly TerminalState[] =>
  at.heard.all.filter(frame => frame.type === 'terminals').at(-1)?.items ?? []
const stateOf = (terminalId: string) => latest().find(({ terminal_id }) => terminal_id === terminalId)

/** Approved by the person in front of the window. */
async function running(command: string): Promise<{ id: string; terminalId: string }> {
  const id = client.command(command, { working_directory: live.place.work })
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  window.approve(await window.question(question => question.request_id === id))
  return { id, terminalId: terminal_id ?? '' }
}

async function shell(): Promise<string> {
  const request_id = nextId()
  window.send({
    type: 'terminal_create',
    request_id,
    profile: 'bash',
    cwd: live.place.work,
    workspace_id: null,
    ...SIZE,
  })
  const { terminal_id } = await window.heard.next('done', frame => frame.request_id === request_id)
  await eventually('the shell is there', () => stateOf(terminal_id ?? '')?.state === 'shell')
  return terminal_id ?? ''
}

/** A page's terminal: takes the snapshot and the output of one stream, each byte once, and says what it has drawn. */
class Screen {
  readonly terminal = new Terminal({ ...SIZE, scrollback: 5000, allowProposedApi: true })
  readonly #window: FakeWindow
  readonly stream: number
  next: number
  #frames = 0
  #pieces = 0
  gaps = 0
  snapshots = 0
  ended: number | null | undefined

  private constructor(at: FakeWindow, watching: { stream: number; offset: number }) {
    this.#window = at
    this.stream = watching.stream
    this.next = watching.offset
  }

  static async watch(at: FakeWindow, terminalId: string, have: number | null = null): Promise<Screen> {
    const request_id = nextId()
    at.send({ type: 'terminal_watch', request_id, terminal_id: terminalId, run_id: null, have, ...SIZE })
    const watching = await at.heard.next('watching', frame => frame.request_id === request_id)
    return new Screen(at, watching)
  }

  async draw(): Promise<void> {
    for (; this.#frames < this.#window.heard.all.length; this.#frames++) {
      const frame = this.#window.heard.all[this.#frames]
      if (frame?.type === 'snapshot' && frame.stream === this.stream) {
        this.snapshots += 1
        this.terminal.reset()
        this.terminal.resize(frame.cols, frame.rows)
        await this.#write(frame.screen)
        this.next = frame.offset
      }
      if (frame?.type === 'stream_end' && frame.stream === this.stream) this.ended = frame.outcome.exit_code
    }
    for (; this.#pieces < this.#window.output.length; this.#pieces++) {
      const piece = this.#window.output[this.#pieces]
      if (piece?.stream !== this.stream || piece.offset < this.next) continue
      if (piece.offset > this.next) this.gaps += 1
      await this.#write(piece.bytes)
      this.next = piece.offset + piece.bytes.length
    }
    this.#window.send({ type: 'output_ack', stream: this.stream, offset: this.next })
  }

  #write(what: string | Uint8Array): Promise<void> {
    return new Promise(done => this.terminal.write(what, done))
  }

  get rows(): string[] {
    const { active } = this.terminal.buffer
    return Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
  }

  async shows(what: string | RegExp, withinMs = 15_000): Promise<void> {
    const there = () =>
      typeof what === 'string' ? this.rows.join('\n').includes(what) : what.test(this.rows.join('\n'))
    await eventually(
      `on the screen: ${what}`,
      async () => {
        await this.draw()
        return there()
      },
      withinMs,
    ).catch(() => {
      throw new Error(`never on the screen: ${what}\n${this.rows.join('\n').slice(-2000)}`)
    })
  }
}

const type = (terminal_id: string, text: string) =>
  window.send({ type: 'terminal_input', terminal_id, data: Buffer.from(text).toString('base64') })

test('a command of an agent is a tab with its state, and its output comes as it is printed', async () => {
  const { terminalId } = await running('/bin/echo first; read line; /bin/echo "got $line"; exit 3')
  await eventually('it runs', () => stateOf(terminalId)?.state === 'running')
  const screen = await Screen.watch(window, terminalId)
  await screen.shows('first')
  expect(stateOf(terminalId)).toMatchObject({
    profile: 'bash',
    cwd: live.place.work,
    requester: 'local',
    outcome: { state: 'running', exit_code: null },
  })
  type(terminalId, 'answer\r')
  await screen.shows('got answer')
  await eventually('it ended', async () => {
    await screen.draw()
    return screen.ended === 3
  })
  await eventually(
    'the tab says so',
    () => stateOf(terminalId)?.state === 'idle' && stateOf(terminalId)?.outcome?.exit_code === 3,
  )
})

test('a question waits as a badge on its tab', async () => {
  const id = client.command('/bin/echo badge', { working_directory: live.place.work })
  const question = await window.question(each => each.request_id === id)
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  await eventually('the badge', () => stateOf(terminal_id ?? '')?.pending === 1)
  window.approve(question)
  await client.response(id)
  await eventually('no badge', () => stateOf(terminal_id ?? '')?.pending === 0)
})

test('a person opens a shell of their own, types into it, and who typed is written down', async () => {
  const terminalId = await shell()
  const screen = await Screen.watch(window, terminalId)
  type(terminalId, 'echo $((6*7)) typed\r')
  await screen.shows('42 typed')
  const rows = live.journal().filter(({ kind }) => kind === 'person_input')
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).toContain('window (apr_')
  expect(JSON.stringify(rows)).not.toContain('6*7')
})

test('the program hears of a new size', async () => {
  const terminalId = await shell()
  const screen = await Screen.watch(window, terminalId)
  window.send({ type: 'terminal_resize', terminal_id: terminalId, cols: 101, rows: 33 })
  await eventually('stty says so', async () => {
    type(terminalId, 'stty size\r')
    await new Promise(resolve => setTimeout(resolve, 100))
    await screen.draw()
    return screen.rows.some(row => row === '33 101')
  })
})

test('a tab can be renamed, restarted and closed', async () => {
  const terminalId = await shell()
  const rename = nextId()
  window.send({ type: 'terminal_rename', request_id: rename, terminal_id: terminalId, name: 'my server' })
  await window.heard.next('done', frame => frame.request_id === rename)
  await eventually('the name', () => stateOf(terminalId)?.name === 'my server')
  const before = stateOf(terminalId)?.run_id
  const restart = nextId()
  window.send({ type: 'terminal_restart', request_id: restart, terminal_id: terminalId })
  await window.heard.next('done', frame => frame.request_id === restart)
  await eventually(
    'another shell',
    () => stateOf(terminalId)?.state === 'shell' && stateOf(terminalId)?.run_id !== before,
  )
  const close = nextId()
  window.send({ type: 'terminal_close', request_id: close, terminal_id: terminalId })
  await window.heard.next('done', frame => frame.request_id === close)
  await eventually('it is gone', () => stateOf(terminalId) === undefined)
  const again = nextId()
  window.send({ type: 'terminal_close', request_id: again, terminal_id: terminalId })
  expect(await window.heard.next('failed', frame => frame.request_id === again)).toMatchObject({
    error: { code: 'PM_TERM_NOT_FOUND' },
  })
})

test('a page that comes back has the exact screen, with no byte doubled or lost', async () => {
  const { terminalId } = await running(
    'printf "\\033[?1049h\\033[2J\\033[1;1Htop\\033[5;10H\\033[31mred 👩‍👩‍👧 x\\033[0m"; read a; printf "\\033[6;1Hafter $a"; read b',
  )
  const first = await Screen.watch(window, terminalId)
  await first.shows('red')
  const other = await FakeWindow.connect(live.host.approverPort)
  const [before] = [window.session as Credential]
  // The same session, as after a lost connection.
  window.close()
  await other.admitted(before)
  window = other
  const again = await Screen.watch(window, terminalId)
  await again.shows('red')
  expect(again.rows).toEqual(first.rows)
  const kept = await Screen.watch(window, terminalId, first.next)
  type(terminalId, 'Q\r')
  await again.shows(/top/)
  await eventually('the rest', async () => {
    await kept.draw()
    return kept.rows.join('\n').includes('after Q')
  })
  expect([kept.snapshots, kept.gaps]).toEqual([0, 0])
  type(terminalId, '\r')
})

test('ten thousand lines come in order, whole, and end', async () => {
  const { terminalId, id } = await running('seq 1 10000; read x')
  const screen = await Screen.watch(window, terminalId)
  await screen.shows(/\n10000/)
  expect(screen.gaps).toBe(0)
  const numbers = screen.rows.filter(row => /^\d+$/.test(row)).map(Number)
  expect(numbers.at(-1)).toBe(10_000)
  expect(numbers.every((number, i) => i === 0 || number === (numbers[i - 1] ?? 0) + 1)).toBe(true)
  type(terminalId, '\r')
  await client.response(id)
})

test('a flood outruns nobody: a page that does not keep up gets the end, and then the exact screen', async () => {
  const { terminalId } = await running('head -c 30000000 /dev/zero | tr "\\0" "x" | fold -w 79; echo the end; read x')
  const screen = await Screen.watch(window, terminalId)
  await eventually('all of it is printed', () => stateOf(terminalId)?.state === 'running')
  await screen.shows('the end', 60_000)
  // Far less than was printed went to the page.
  const got = window.output
    .filter(({ stream }) => stream === screen.stream)
    .reduce((sum, { bytes }) => sum + bytes.length, 0)
  expect(got).toBeLessThan(25_000_000)
  await eventually(
    'the exact screen',
    async () => {
      await screen.draw()
      return screen.snapshots > 1 && screen.rows.join('\n').includes('the end')
    },
    30_000,
  )
  const exact = await Screen.watch(window, terminalId)
  await exact.shows('the end')
  expect(screen.rows.slice(-24)).toEqual(exact.rows.slice(-24))
  type(terminalId, '\r')
})

test('no more than a megabyte is under way to a page that says nothing', async () => {
  const { terminalId } = await running('head -c 3000000 /dev/zero | tr "\\0" "y" | fold -w 79; read x')
  const request_id = nextId()
  window.send({ type: 'terminal_watch', request_id, terminal_id: terminalId, run_id: null, have: 0, ...SIZE })
  const { stream } = await window.heard.next('watching', frame => frame.request_id === request_id)
  await new Promise(resolve => setTimeout(resolve, 1500))
  const got = window.output.filter(piece => piece.stream === stream).reduce((sum, { bytes }) => sum + bytes.length, 0)
  expect(got).toBeLessThanOrEqual(1024 * 1024 + 64 * 1024)
  type(terminalId, '\r')
})
