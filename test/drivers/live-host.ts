import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { systemClock } from '../../src/base/clock.ts'
import { randomIds } from '../../src/base/ids.ts'
import { checkDigits, commitmentTo, newOpening, readCode } from '../../src/base/keys/admission-code.ts'
import { admissionMessage, sealKeyMessage } from '../../src/base/keys/approver-key.ts'
import { readKeyFile, readPairingFile } from '../../src/base/keys/key-file.ts'
import type { Link } from '../../src/base/link/link.ts'
import { dialPsk } from '../../src/base/link/psk-socket.ts'
import { jsonLog } from '../../src/base/log.ts'
import { processTable } from '../../src/base/process/process-table.ts'
import { ownNode, ptyOwner } from '../../src/bin/pty-host-owner.ts'
import { takeHostLock } from '../../src/cli/reach/host-lock.ts'
import { loadSettings } from '../../src/config/settings.ts'
import {
  APPROVER_PROTOCOL_VERSION,
  FromApprover,
  type Question,
  ToApprover,
} from '../../src/contract/wire/approver-frames.ts'
import { FromHost, PROTOCOL_VERSION } from '../../src/contract/wire/host-frames.ts'
import type { Host } from '../../src/host/host.ts'
import type { WindowParts } from '../../src/host/open-approvers.ts'
import { openHost } from '../../src/host/open-host.ts'
import { PreviewProcess } from '../../src/host/preview/preview-process.ts'
import { notifyBy } from '../../src/host/screen/notify-program.ts'
import { ownRequest } from '../../src/mcp/host-link/own-request.ts'
import { realPath } from '../../src/runs/facts/disk-facts.ts'
import { Place, PRODUCT } from './place.ts'
import { quickRecord, quickSigner } from './quick-passphrase.ts'

export const PASSPHRASE = 'a passphrase for tests'
const never = new AbortController().signal
const ids = randomIds()
const RECORD = quickRecord(PASSPHRASE)

type Frame = Record<string, unknown> & { type: string }

/** Frames that came, and a way to wait for the next one that fits. */
export class Heard<T extends { type: string }> {
  readonly all: T[] = []
  readonly #waiting: { fits: (frame: T) => boolean; resolve: (frame: T) => void }[] = []

  add(frame: T): void {
    this.all.push(frame)
    for (const waiting of [...this.#waiting])
      if (waiting.fits(frame)) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        waiting.resolve(frame)
      }
  }

  next<K extends T['type']>(
    type: K,
    fits: (frame: Extract<T, { type: K }>) => boolean = () => true,
    withinMs = 30_000,
  ): Promise<Extract<T, { type: K }>> {
    type Wanted = Extract<T, { type: K }>
    const good = (frame: T): boolean => frame.type === type && fits(frame as Wanted)
    const already = this.all.find(good)
    if (already) return Promise.resolve(already as Wanted)
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`no ${type} came; there was ${JSON.stringify(this.all).slice(0, 2000)}`)),
        withinMs,
      )
      this.#waiting.push({
        fits: good,
        resolve: frame => {
          clearTimeout(late)
          resolve(frame as Wanted)
        },
      })
    })
  }
}

/** Shows signs of life as often as the host wants them; without them it is taken for gone. */
class Beat {
  #timer: NodeJS.Timeout | undefined

  hear(link: Link, frame: FromHost | ToApprover): void {
    if (!('heartbeat_interval_ms' in frame) || this.#timer !== undefined) return
    const beat = () => link.open && link.send({ type: 'heartbeat' })
    this.#timer = setInterval(beat, frame.heartbeat_interval_ms / 3).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

export class FakeClient {
  readonly heard = new Heard<FromHost>()
  closed: string | null = null
  readonly link: Link
  readonly #beat = new Beat()

  constructor(link: Link) {
    this.link = link
    link.onFrame(raw => {
      const frame = FromHost.parse(raw)
      this.#beat.hear(link, frame)
      this.heard.add(frame)
    })
    link.onClose(() => this.#beat.stop())
    link.onClose(reason => {
      this.closed = reason
    })
  }

  send(frame: Frame): void {
    this.link.send(frame)
  }

  fallSilent(): void {
    this.#beat.stop()
  }

  async hello(session = ids.make('ses')): Promise<this> {
    const client = { name: 'test client', version: '1', pid: process.pid }
    const versions = { protocol_version: PROTOCOL_VERSION, capabilities: [] }
    this.send({ type: 'hello', ...versions, trace_id: 'trace_1', runtime_session_id: session, client })
    const acknowledged = this.heard.next('hello_ack')
    acknowledged.catch(() => {})
    await Promise.race([acknowledged, new Promise((_, reject) => this.link.onClose(why => reject(new Error(why))))])
    return this
  }

  /** Sends a command and returns its id. */
  command(command: string, more: Record<string, unknown> = {}): string {
    const request_id = (more.request_id as string | undefined) ?? ids.make('req')
    this.send({ type: 'command_request', trace_id: 'trace_1', command, ...more, request_id })
    return request_id
  }

  readonly #asked: string[] = []
  /** The same for a test that leaves it unanswered, until `takeBack`. */
  asks(command: string, more: Record<string, unknown> = {}): string {
    const id = this.command(command, more)
    this.#asked.push(id)
    return id
  }

  /** Nothing of one test is left for the next one to answer. */
  takeBack(): void {
    for (const request_id of this.#asked.splice(0)) this.send({ type: 'cancel', request_id, trace_id: 'trace_1' })
  }

  /** A shell of the person's own in that directory, which `approver` lets it have. */
  async opensShell(approver: FakeApprover, workspace_path: string) {
    const opening = this.ask('command_request', { intent: 'open_only', terminal_profile: 'bash', workspace_path })
    approver.approve(await approver.question())
    const { terminal_id } = await this.response(opening)
    if (terminal_id === null) throw new Error('no terminal')
    return { opening, terminal_id }
  }

  response(request_id: string, withinMs?: number) {
    return this.heard.next('command_response', frame => frame.request_id === request_id, withinMs)
  }

  ask(type: string, more: Record<string, unknown> = {}): string {
    const request_id = ids.make('req')
    this.send({ type, request_id, trace_id: 'trace_1', ...more })
    return request_id
  }
}

/** The next question, shown and read for long enough to be answered. */
export async function readQuestion(
  by: { readonly heard: Heard<ToApprover>; send(frame: { type: 'shown'; ask_id: string }): void },
  fits: (question: Question) => boolean,
): Promise<Question> {
  const question = await by.heard.next('question', fits)
  by.send({ type: 'shown', ask_id: question.ask_id })
  await by.heard.next('shown_heard', ({ ask_id }) => ask_id === question.ask_id)
  await new Promise(resolve => setTimeout(resolve, 410))
  return question
}

export class FakeApprover {
  readonly heard = new Heard<ToApprover>()
  readonly link: Link
  readonly #beat = new Beat()
  closed: string | null = null

  constructor(link: Link) {
    this.link = link
    link.onFrame(raw => {
      const frame = ToApprover.parse(raw)
      this.#beat.hear(link, frame)
      this.heard.add(frame)
    })
    link.onClose(() => this.#beat.stop())
    link.onClose(reason => {
      this.closed = reason
    })
  }

  send(frame: FromApprover): void {
    this.link.send(FromApprover.parse(frame))
  }

  #opening = ''
  attach(name = 'tester', surface: 'terminal' | 'attach' = 'terminal'): void {
    this.#opening = newOpening()
    const commitment = commitmentTo(this.#opening)
    this.send({ type: 'attach', protocol_version: APPROVER_PROTOCOL_VERSION, surface, name, commitment })
  }

  /** False: like a client that knows no seal yet. The host is not given what it needs for it. */
  seals = true
  prove({ nonce, passphrase, seal_key }: Extract<ToApprover, { type: 'challenge' }>): void {
    const sign = quickSigner(PASSPHRASE, passphrase ?? RECORD)
    const seal = this.seals && seal_key !== undefined ? { seal_signature: sign(sealKeyMessage(seal_key)) } : {}
    this.send({ type: 'prove', signature: sign(admissionMessage(nonce, this.link.binding)), ...seal })
  }

  askCode(): void {
    this.send({ type: 'ask_code', opening: this.#opening })
  }

  /** The last digits of the code, as this end works them out. */
  check({ nonce }: { nonce: string }): string {
    return checkDigits({ nonce, opening: this.#opening, binding: this.link.binding })
  }

  /** With a code that `by` shows, if somebody is admitted already; else with the passphrase. */
  async admitted(by?: FakeApprover, surface: 'terminal' | 'attach' = 'terminal'): Promise<this> {
    this.attach('tester', surface)
    const challenge = await this.heard.next('challenge')
    if (challenge.code === null) this.prove(challenge)
    else {
      this.askCode()
      const check = this.check(challenge)
      const asked = await by?.heard.next('admission_asked', ({ code }) => readCode(code)?.check === check)
      this.send({ type: 'enter_code', secret: readCode(asked?.code ?? '')?.secret ?? '' })
    }
    await this.heard.next('admitted')
    return this
  }

  question(fits: (question: Question) => boolean = () => true): Promise<Question> {
    return readQuestion(this, fits)
  }

  approve({ ask_id, plan_hash }: Question, more: Record<string, unknown> = {}): void {
    this.send({ type: 'answer', ask_id, plan_hash, decision: { kind: 'approve', scope: { kind: 'once' }, ...more } })
  }

  /** Asks for the verdict on another line. */
  judge({ ask_id }: Question, command: string) {
    this.send({ type: 'judge', ask_id, command })
    return this.heard.next('judged', frame => frame.ask_id === ask_id && frame.command === command)
  }

  /** Approves another line: judged, read, and by the plan that was shown. */
  async edit(question: Question, command: string, more: Record<string, unknown> = {}): Promise<void> {
    const judged = await this.judge(question, command)
    await new Promise(resolve => setTimeout(resolve, 450))
    const { ask_id, plan_hash } = question
    const decision = { kind: 'edit' as const, command, plan_hash: judged.plan_hash ?? '', ...more }
    this.send({ type: 'answer', ask_id, plan_hash, decision })
  }

  decline({ ask_id, plan_hash }: Question, reason: string | null = null): void {
    this.send({ type: 'answer', ask_id, plan_hash, decision: { kind: 'decline', reason } })
  }
}

/** A host of its own, with real sockets, terminals and processes, in a private corner of the disk. */
export class LiveHost {
  readonly place: Place
  readonly host: Host
  readonly #links: Link[] = []
  readonly #approvers: FakeApprover[] = []

  readonly #release: () => void

  constructor(place: Place, host: Host, release = () => {}) {
    this.place = place
    this.host = host
    this.#release = release
  }

  get state(): string {
    return join(this.place.home, 'state')
  }

  async dial(identity: string, key: Buffer, port = this.host.port): Promise<Link> {
    const host = '127.0.0.1'
    const link = await dialPsk({ host, port, identity, key, timeoutMs: 10_000, clock: systemClock, signal: never })
    this.#links.push(link)
    return link
  }

  async stranger(identity = 'local'): Promise<FakeClient> {
    const key = identity === 'local' ? readKeyFile(join(this.state, 'local.key')) : this.keyOf(identity)
    return new FakeClient(await this.dial(identity, key))
  }

  /** What the host has written down so far. */
  journal(): { kind: string; body: string; run_id: string | null }[] {
    const database = new DatabaseSync(join(this.state, 'journal.db'), { readOnly: true })
    const rows = database.prepare('SELECT kind, body, run_id FROM journal ORDER BY seq').all()
    database.close()
    return rows as { kind: string; body: string; run_id: string | null }[]
  }

  /** A client paired by name. */
  pair(name: string): void {
    this.place.pair(name)
  }

  keyOf(name: string): Buffer {
    return readPairingFile(join(this.state, 'keys', `${name}.key`)).key
  }

  /** Where containers call, if the test switched it on. */
  get bridgePort(): number {
    return Number(this.host.bridge.listening[0]?.split(':')[1])
  }

  async client(identity = 'local', session?: string): Promise<FakeClient> {
    return (await this.stranger(identity)).hello(session)
  }

  /** Connected, and nothing more. */
  async unproved(): Promise<FakeApprover> {
    const key = readKeyFile(join(this.state, 'local.key'))
    return new FakeApprover(await this.dial('approver', key, this.host.approverPort))
  }

  async approver({ seals = true } = {}): Promise<FakeApprover> {
    const unproved = await this.unproved()
    unproved.seals = seals
    const approver = await unproved.admitted(this.#approvers.find(({ closed }) => closed === null))
    this.#approvers.push(approver)
    return approver
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.close('the test ends')
    await this.host.close('signal')
    this.#release()
    this.place.remove()
  }
}

/** As a person would have set it. */
export function setPassphrase(place: Place): void {
  mkdirSync(join(place.home, 'state'), { recursive: true, mode: 0o700 })
  writeFileSync(join(place.home, 'state', 'approver.v1.json'), JSON.stringify(RECORD), { mode: 0o600 })
}

export async function openLiveHost(
  options: { env?: Record<string, string>; now?: () => number; window?: WindowParts; inContainer?: true } = {},
): Promise<LiveHost> {
  const place = new Place({ later: true })
  setPassphrase(place)
  // As a host in a process of its own: whoever asks the kernel hears that one runs here.
  const lock = await takeHostLock(join(place.home, 'state', 'host.json'))
  const clock = { ...systemClock, ...(options.now && { now: options.now }) }
  const env = place.env({ PM_TERM_PORT: '0', PM_TERM_APPROVER_PORT: '0', ...options.env })
  const configuration = loadSettings({ flags: {}, env })
  const { platform } = process
  const table = processTable(platform)
  const log = jsonLog({ level: 'silent', write: () => {}, now: systemClock.now })
  const ours = [configuration.paths.stateDir, configuration.paths.dataDir].map(path => realPath(path))
  const host = await openHost({
    configuration,
    clock,
    ids,
    log,
    here: options.inContainer ? { by: 'tester', marks: ['this is a test'] } : null,
    ownPtys: ptyOwner(configuration, { clock, ids, log, table, script: PRODUCT }),
    world: {
      env,
      home: place.root,
      shell: '/bin/bash',
      platform,
      tmp: ['/nowhere'],
      ours,
      ground: {
        homes: [place.root],
        tmp: [],
        ours,
        user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
      },
    },
    version: 'test',
    window: options.window ?? null,
    previewer: new PreviewProcess({ clock: systemClock, log, program: ownNode(PRODUCT), ms: 20_000 }),
    notify: notifyBy(() => configuration.settings.PM_TERM_NOTIFY_COMMAND, { env, log }),
    ask: about => ownRequest({ clock, ids, keyFile: configuration.paths.localKeyFile, version: 'test' }, about),
    onIdle: null,
  })
  place.decisions = host.decisions
  place.allow()
  return new LiveHost(place, host, () => lock?.release())
}
