import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Jail, Jails, thisMachine } from '../../src/runs/jail/jail.ts'
import { jailedEnv } from '../../src/runs/jail/jailed-words.ts'
import { INSIDE, type ProfileLine, STARTER } from '../../src/runs/jail/profile.ts'
import { starterShell } from '../../src/runs/jail/starter-shell.ts'
import { BUBBLEWRAP, startAsUser, USER_ID } from './ordinary-user.ts'

const NUMBERS = {
  x64: {
    mount: 165,
    umount2: 166,
    chroot: 161,
    unshare: 272,
    clone: 56,
    setns: 308,
    ptrace: 101,
    process_vm_readv: 310,
    add_key: 248,
    keyctl: 250,
    bpf: 321,
    perf_event_open: 298,
    userfaultfd: 323,
    open_by_handle_at: 304,
    io_uring_setup: 425,
    open_tree: 428,
    fsopen: 430,
  },
  arm64: {
    mount: 40,
    umount2: 39,
    chroot: 51,
    unshare: 97,
    clone: 220,
    setns: 268,
    ptrace: 117,
    process_vm_readv: 270,
    add_key: 217,
    keyctl: 219,
    bpf: 280,
    perf_event_open: 241,
    userfaultfd: 282,
    open_by_handle_at: 265,
    io_uring_setup: 425,
    open_tree: 428,
    fsopen: 430,
  },
} as const

export interface Ran {
  readonly code: number | null
  readonly output: string
  /** What bubblewrap said of it. */
  readonly status: string
}

/** A machine with something to steal: a home, a state, another project, sockets, a process; and the sandbox of one folder in it. */
export class SandboxBait {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'it-bait-')))
  readonly home = join(this.root, 'home')
  readonly workspace = join(this.home, 'projects/mine')
  readonly state = join(this.home, '.local/state/ours')
  readonly tools = join(this.home, '.local/bin')
  readonly path = `${this.tools}:/usr/local/bin:/usr/bin:/bin`
  readonly env = { PATH: this.path, HOME: this.home, USER: 'u', TERM: 'dumb', LANG: 'C.UTF-8' }
  readonly #server = createServer(socket => socket.end())
  readonly #secret = 'a-secret-of-the-environment'
  readonly #sleeper = startAsUser('sleep', ['600'], { cwd: '/', env: {} })
  #jail: Jail | null = null
  #runs = 0

  async open(): Promise<void> {
    const write = (path: string, text = 'text\n'): string => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return path
    }
    write(join(this.home, '.ssh/id_ed25519'))
    write(join(this.state, 'key'))
    write(join(this.home, 'projects/other/text'))
    for (const name of ['text', 'below/text', '.env', '.git/config', 'keys/secrets/a', 'plain'])
      write(join(this.workspace, name))
    write(join(this.workspace, '.aws/credentials'))
    symlinkSync('.env', join(this.workspace, 'settings.txt'))
    symlinkSync(join('/oldroot', this.root, 'outside'), join(this.workspace, 'way-out'))
    chmodSync(write(join(this.tools, 'tool-of-mine'), '#!/bin/sh\necho tool\n'), 0o755)
    chmodSync(this.root, 0o755)
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${USER_ID}:${USER_ID}`, this.root])
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))

    const jails = new Jails({
      ...thisMachine(),
      uid: USER_ID,
      path: dirname(BUBBLEWRAP ?? '/'),
      stateDir: this.state,
      home: this.home,
      ours: [this.state],
    })
    // Tried as that user in test/e2e/try-first.test.ts; root may look at the disk for them.
    const made = jails.makeUntried(
      { workspace: this.workspace, cwd: this.workspace, path: this.path },
      BUBBLEWRAP ?? '',
    )
    if ('problem' in made) throw new Error(made.problem)
    this.#jail = made
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${USER_ID}:${USER_ID}`, this.state])
  }

  get lines(): readonly ProfileLine[] {
    if (this.#jail === null) throw new Error('not open')
    return this.#jail.lines
  }

  get bait(): Record<string, unknown> {
    const at = (...names: string[]) => join(this.workspace, ...names)
    const names = ['ipc', 'uts', 'cgroup', 'net', 'mnt', 'user']
    const address = this.#server.address()
    return {
      ...{
        workspace: this.workspace,
        home: this.home,
        tools: this.tools,
        pid: this.#sleeper.pid,
        secret: this.#secret,
      },
      private: join(this.home, '.ssh/id_ed25519'),
      ...{ hidden: at('.env'), hidden_directory: at('.aws'), linked_secret: at('settings.txt'), file: at('text') },
      ...{ state: join(this.state, 'key'), other_project: join(this.home, 'projects/other/text') },
      port: typeof address === 'object' ? address?.port : 0,
      ...{ abstract: 'it-bait', socket: at('below/socket') },
      namespaces: Object.fromEntries(names.map(name => [name, readlinkSync(`/proc/self/ns/${name}`)])),
    }
  }

  /** In the sandbox, or in one without the lines of these names. `inside`: what is set there. */
  async run(
    command: readonly string[],
    {
      without = [],
      inside = INSIDE,
      timeoutMs = 20_000,
    }: { without?: readonly string[]; inside?: readonly string[]; timeoutMs?: number } = {},
  ): Promise<Ran> {
    const [program = '', ...args] = this.words(command, { without, inside })
    const child = startAsUser(program, args, { cwd: '/', env: { ...jailedEnv(this.env, this.home) } })
    let output = ''
    child.stdout?.on('data', chunk => (output += chunk))
    child.stderr?.on('data', chunk => (output += chunk))
    const limit = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const code = await new Promise<number | null>(resolve => child.on('close', resolve))
    clearTimeout(limit)
    return { code, output, status: this.status }
  }

  get status(): string {
    return execFileSync('cat', [this.#statusFile], { encoding: 'utf8' })
  }

  words(
    command: readonly string[],
    { without = [], inside = INSIDE }: { without?: readonly string[]; inside?: readonly string[] } = {},
  ): string[] {
    if (this.#jail === null) throw new Error('not open')
    const { filterFile, bubblewrap, lines } = this.#jail
    const kept = lines.filter(({ name }) => !without.includes(name)).flatMap(({ args }) => args)
    this.#runs += 1
    writeFileSync(this.#statusFile, '')
    chmodSync(this.#statusFile, 0o666)
    return [
      starterShell(),
      '-c',
      STARTER,
      'sandbox',
      filterFile,
      this.#statusFile,
      bubblewrap.path,
      ...kept,
      '--',
      ...inside,
      ...(inside.length > 0 ? ['--'] : []),
      ...command,
    ]
  }

  get #statusFile(): string {
    return join(this.root, `status-${this.#runs}`)
  }

  /** Everything that was tried and worked, or ought to work and did not. */
  async escapes(options: { without?: readonly string[]; inside?: readonly string[] } = {}): Promise<string[]> {
    const numbers = JSON.stringify(NUMBERS[process.arch === 'arm64' ? 'arm64' : 'x64'])
    const battery = execFileSync('cat', [join(import.meta.dirname, '../data/sandbox/escapes.py')], { encoding: 'utf8' })
    const { output } = await this.run(['python3', '-c', battery, JSON.stringify(this.bait), numbers], options)
    return output
      .trim()
      .split('\n')
      .filter(line => line !== '')
  }

  close(): void {
    this.#server.close()
    this.#sleeper.kill()
    rmSync(this.root, { recursive: true, force: true })
  }
}
