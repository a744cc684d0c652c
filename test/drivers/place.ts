import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { makePairingFile, readPairingFile } from '../../src/base/keys/key-file.ts'
import { processTable } from '../../src/base/process/process-table.ts'
import { fingerprint } from '../../src/host/clients/pairings.ts'
import { Decisions, NOTHING_DECIDED } from '../../src/policy/files/decisions.ts'
import { DecisionsCopy } from '../../src/runs/journal/decisions-copy.ts'
import { headFile, journalIn } from '../../src/runs/journal/journal.ts'
import { JournalHead, NO_ROW } from '../../src/runs/journal/journal-head.ts'
import { hashOf } from '../../src/runs/journal/journal-row.ts'

/** The built product as a client starts it, but for one part: it sees no marks of a container (scripts/test-product.mjs). */
export const PRODUCT = resolve(import.meta.dirname, '../../dist-test/interactive-terminal.cjs')

/** The product itself, which knows a container when it is in one. */
export const REAL_PRODUCT = resolve(import.meta.dirname, '../../dist/interactive-terminal.cjs')

const WORKSPACE = 'test'

/**
 * A private corner of the disk for one test: `home` is PM_TERM_HOME, `work` the directory bound as the workspace "test".
 * Several servers may share one place.
 */
export class Place {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'it-test-')))
  readonly home = join(this.root, 'home')
  readonly work = join(this.root, 'work')
  readonly #allowed: string[] = []
  readonly #trusted: boolean
  /** Of the host that runs in this process: then only what it knows as a person's act counts. */
  decisions: Decisions | null = null
  /** Where the journal is that knows what was decided here. */
  state = join(this.home, 'state')

  /** `later`: nothing is decided until the first `allow`. */
  constructor(
    options: { readonly trusted?: boolean; readonly allow?: readonly string[]; readonly later?: boolean } = {},
  ) {
    this.#trusted = options.trusted ?? false
    mkdirSync(this.work)
    // A fish that finds none reads all manual pages of the machine to make some.
    mkdirSync(join(this.root, '.local/share/fish/generated_completions'), { recursive: true })
    if (!options.later) this.allow(...(options.allow ?? []))
  }

  /** What a person decides in their terminal, as the journal knows it. */
  decide(how: (decisions: Decisions) => void): void {
    if (this.decisions) {
      how(this.decisions)
      return
    }
    mkdirSync(this.state, { recursive: true, mode: 0o700 })
    const file = join(this.state, 'journal.db')
    if (!existsSync(file)) writeFileSync(file, newJournal(), { mode: 0o600 })
    const database = new DatabaseSync(file)
    // No statement is prepared: one that nobody collected yet would keep the file open.
    database.exec('PRAGMA journal_mode = WAL')
    const head = new JournalHead(headFile(file))
    const last = head.read()
    const { seq, hash: prev } = typeof last === 'string' ? NO_ROW : last.last
    const copy = new DecisionsCopy(join(this.home, 'data', 'decisions.v1.json'))
    const before = copy.read()
    const decisions = new Decisions(before?.ended ?? NOTHING_DECIDED)
    how(decisions)
    const { now, digest: decided } = decisions
    const body = JSON.stringify({ by: 'command line', decided })
    const plain = { seq: seq + 1, at: Date.now(), kind: 'rules_changed' as const, requester: null, body, prev }
    const hash = hashOf({ ...plain, runId: null })
    database.exec(
      `INSERT INTO journal VALUES (${plain.seq}, ${plain.at}, 'rules_changed', NULL, NULL, '${body}', '${prev}', '${hash}')`,
    )
    head.note({ seq: plain.seq, hash }, 'synced')
    head.close()
    database.close()
    const sealed = before?.sealed
    copy.write({ v: 1, now, ended: now, ...(sealed && { sealed }) })
  }

  /** A client that a person has let in by name; returns its key file. */
  pair(name: string): string {
    const file = join(this.state, 'keys', `${name}.key`)
    makePairingFile(file, name)
    this.decide(decisions => decisions.put('pairings', name, fingerprint(readPairingFile(file).key)))
    return file
  }

  /** A program that a person has agreed to, in settings.json. */
  program(setting: string, value: string): void {
    this.decide(decisions => decisions.put('programs', setting, value))
    const before = JSON.parse(this.read('home/settings.json') || '{}') as Record<string, unknown>
    this.write('home/settings.json', JSON.stringify({ ...before, [setting]: value }))
  }

  /** Rules as a person would have confirmed them. Count at once, also for a server that already runs. */
  allow(...patterns: readonly string[]): void {
    this.#allowed.push(...patterns)
    const updated_at = new Date().toISOString()
    const binding = {
      workspace_id: WORKSPACE,
      directory: this.work,
      trusted: this.#trusted,
      accepted: { base: this.#allowed, headless: [] },
      updated_at,
    }
    this.decide(decisions => {
      decisions.bind(WORKSPACE, this.work, this.#trusted)
      for (const pattern of patterns) decisions.accept(WORKSPACE, 'base', pattern)
    })
    // Confirmed first: a host that looks in between must not take them for somebody else's.
    this.write(`home/data/${WORKSPACE}/workspace.v1.json`, JSON.stringify(binding))
    const rules = JSON.stringify({ patterns: this.#allowed, updated_at })
    this.write(`home/data/${WORKSPACE}/terminal-allowlist.json`, rules)
  }

  /** Writes a file below `root` and returns its path. */
  write(path: string, content: string, mode = 0o600): string {
    const file = join(this.root, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Whole or not at all: somebody may be reading it.
    writeFileSync(`${file}.new`, content)
    chmodSync(`${file}.new`, mode)
    renameSync(`${file}.new`, file)
    return file
  }

  read(path: string): string {
    const file = join(this.root, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  /** An allowlisted executable script in the workspace; returns its path. */
  script(name: string, text: string): string {
    const file = this.write(`work/${name}`, text, 0o755)
    this.allow(`${file} *`)
    return file
  }

  /** What to send to run a line with a shell: the gate allows one script, which runs the line. */
  shell(line: string): { command: string; args: string[] } {
    const file = join(this.work, 'line.sh')
    if (!existsSync(file)) this.script('line.sh', '#!/bin/sh\nexec bash -c "$1"\n')
    return { command: file, args: [line] }
  }

  /** A plain environment, so that nothing of the machine decides a test. */
  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: `/usr/local/bin:/usr/bin:/bin:${dirname(process.execPath)}`,
      HOME: this.root,
      LANG: 'C.UTF-8',
      PM_TERM_HOME: this.home,
      PM_TERM_PORT: '0',
      PM_TERM_APPROVER_PORT: '0',
      PM_TERM_PTY_HOST_PORT: '0',
      // Container networks of this machine are nothing to a test.
      PM_TERM_BRIDGE_ADDRESS: 'off',
      // The whole suite can be run without the spawner, as the product runs where there is none.
      ...(process.env.PM_TERM_SPAWNER !== undefined && { PM_TERM_SPAWNER: process.env.PM_TERM_SPAWNER }),
      ...more,
    }
  }

  /** Nobody will come to answer: a question fails at once instead of waiting for somebody. */
  alone(): void {
    this.write('home/settings.json', JSON.stringify({ PM_TERM_APPROVER_WAIT_MS: 0, PM_TERM_WINDOW: 'never' }))
  }

  /** A host that a server of this place has started ends with the place, or else what a killed one has left. */
  #end(what: 'host' | 'pty-host'): boolean {
    try {
      const told = JSON.parse(this.read(`home/state/${what}.json`)) as { pid: number; start: string | null }
      // One that was killed has left its file, and its pid may be anybody's by now.
      const lives = () => processTable(process.platform).row(told.pid)?.start === told.start
      if (!lives()) return false
      process.kill(told.pid, 'SIGTERM')
      // It writes to the end: nothing can be removed before.
      for (let looks = 0; lives() && looks < 400; looks++)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
      return true
    } catch {
      return false // none was started, or it has ended
    }
  }

  remove(): void {
    // A host ends its pty-host itself.
    if (!this.#end('host')) this.#end('pty-host')
    try {
      rmSync(this.root, { recursive: true, force: true, maxRetries: 10 })
    } catch (cause) {
      // A browser that is just ending still writes to its profile: a few files stay in the temporary directory.
      if ((cause as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw cause
    }
  }
}

let emptyJournal: Buffer | null = null

/** A journal without a row, as the product makes it, made once. */
function newJournal(): Buffer {
  if (emptyJournal) return emptyJournal
  const directory = mkdtempSync(join(tmpdir(), 'it-journal-'))
  const file = join(directory, 'journal.db')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
  const journal = journalIn(database, file, { now: () => 0, onProblem: () => {}, patienceMs: 5000 })
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  emptyJournal = readFileSync(file)
  journal.close()
  rmSync(directory, { recursive: true })
  return emptyJournal
}
