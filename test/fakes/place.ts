import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { processTable } from '../../src/base/process-table.ts'

/** The built product, as a client starts it. */
export const PRODUCT = resolve(import.meta.dirname, '../../dist/interactive-terminal.cjs')

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

  constructor(options: { readonly trusted?: boolean; readonly allow?: readonly string[] } = {}) {
    this.#trusted = options.trusted ?? false
    mkdirSync(this.work)
    // Tests may themselves run in a container, where a host refuses to start.
    this.write('home/state/host-in-container.for-tests-only', '')
    this.allow(...(options.allow ?? []))
  }

  /** Rules as a person would have confirmed them. Count at once, also for a server that already runs. */
  allow(...patterns: readonly string[]): void {
    this.#allowed.push(...patterns)
    const updated_at = new Date().toISOString()
    this.write(
      `home/data/${WORKSPACE}/terminal-allowlist.json`,
      JSON.stringify({ patterns: this.#allowed, updated_at }),
    )
    const binding = {
      workspace_id: WORKSPACE,
      directory: this.work,
      trusted: this.#trusted,
      accepted: { base: this.#allowed, headless: [] },
      updated_at,
    }
    this.write(`home/data/${WORKSPACE}/workspace.v1.json`, JSON.stringify(binding))
  }

  /** Writes a file below `root` and returns its path. */
  write(path: string, content: string, mode = 0o600): string {
    const file = join(this.root, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, content)
    chmodSync(file, mode)
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
    // What is just ending may still write.
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20 })
  }
}
