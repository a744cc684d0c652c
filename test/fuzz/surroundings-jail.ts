import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { chownSync, lstatSync, mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** A process as the product would start it. */
export interface Start {
  readonly file: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface End {
  readonly output: string
  /** It did not end by itself, or could not even start. */
  readonly failed: string | null
  /** Secrets that were opened, whatever was printed of them. */
  readonly opened: readonly string[]
  /** What planted programs wrote when they were started. */
  readonly started: string | null
}

export interface Batch {
  readonly starts: readonly Start[]
  readonly secrets: readonly string[]
  /** The file that a planted program writes to. */
  readonly tripped: string
}

const DRIVER = join(import.meta.dirname, 'run-lines.mjs')
const isRoot = process.getuid?.() === 0
/** Whoever the lines run as: nobody that this machine knows. Without root it is the same user without any rights. */
export const ANOTHER_USER = isRoot ? 48_213 : null

/**
 * $1 the root of the jail, $2 where the trees lie, $3 node, $4 the driver, $5 how to become somebody else; then directories of
 * programs, each with where it leads if it is a link. Everything but the trees can only be read, and there is no network.
 */
const BUILD = `
jail=$1 trees=$2 node=$3 driver=$4 become=$5; shift 5
mount -t tmpfs -o mode=755 none "$jail"
while [ $# -gt 0 ]; do
  if [ -n "$2" ]; then ln -s "$2" "$jail$1"
  else mkdir -p "$jail$1"; mount --rbind "$1" "$jail$1"; mount -o remount,bind,ro "$jail$1"; fi
  shift 2
done
mkdir -p "$jail$trees" "$jail/dev"
mount --bind "$trees" "$jail$trees"
for pair in "/dev/null:/dev/null" "$node:/node" "$driver:/driver.mjs"; do
  : > "$jail\${pair##*:}"; mount --bind "\${pair%:*}" "$jail\${pair##*:}"
done
mount -o remount,bind,ro "$jail"
ulimit -c 0; ulimit -f 8192
exec chroot "$jail" /usr/bin/setpriv $become --no-new-privs --bounding-set=-all --inh-caps=-all /node /driver.mjs
`
const PROGRAM_DIRECTORIES = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/alternatives']

/**
 * A root directory with the machine's programs and the trees of the fuzz at their own paths, and nothing else of the machine:
 * whatever a line does that should not have run unasked, it does it there, as another user.
 */
export class SurroundingsJail {
  /** Where the trees have to be. */
  readonly trees = realpathSync(mkdtempSync(join(tmpdir(), 'it-trees-')))
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'it-jail-')))
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #answers: AsyncIterator<string>
  readonly #lines: Interface
  readonly #closed: Promise<unknown>
  #complaints = ''

  constructor() {
    if (ANOTHER_USER !== null) chownSync(this.trees, ANOTHER_USER, ANOTHER_USER)
    const become = ANOTHER_USER === null ? '' : `--reuid=${ANOTHER_USER} --regid=${ANOTHER_USER} --clear-groups`
    const directories = PROGRAM_DIRECTORIES.flatMap(directory => {
      const stat = lstatSync(directory, { throwIfNoEntry: false })
      return stat ? [directory, stat.isSymbolicLink() ? readlinkSync(directory) : ''] : []
    })
    // biome-ignore format: one flag group per idea
    const args = [
      ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--net', '--pid', '--fork', '--kill-child',
      '/bin/sh', '-ec', BUILD, 'sh', this.#root, this.trees, realpathSync(process.execPath), DRIVER, become, ...directories,
    ]
    this.#child = spawn('unshare', args, { env: { PATH: process.env['PATH'] }, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.stderr.on('data', chunk => {
      this.#complaints = `${this.#complaints}${chunk}`.slice(-2_000)
    })
    this.#closed = new Promise(resolve => this.#child.once('close', resolve))
    // Who writes to a jail that is gone hears of it when no answer comes.
    this.#child.stdin.on('error', () => {})
    this.#child.on('error', cause => {
      this.#complaints = String(cause)
    })
    this.#lines = createInterface({ input: this.#child.stdout })
    this.#answers = this.#lines[Symbol.asyncIterator]()
  }

  async run(batch: Batch): Promise<readonly End[]> {
    if (batch.starts.length === 0) return []
    this.#child.stdin.write(`${JSON.stringify(batch)}\n`)
    const answer = await this.#answers.next()
    if (answer.done) {
      await this.#closed
      throw new Error(`the jail ended: ${this.#complaints}`)
    }
    return JSON.parse(answer.value) as End[]
  }

  dispose(): void {
    this.#lines.close()
    this.#child.kill('SIGKILL')
    for (const directory of [this.#root, this.trees]) rmSync(directory, { recursive: true, force: true })
  }
}

/** Why this machine does not let us build the jail; null: it does. */
export function noScratchRoot(): string | null {
  if (process.platform !== 'linux') return 'a scratch root needs Linux'
  const user = isRoot ? [] : ['--user', '--map-root-user']
  const probe =
    'mount -t tmpfs none /mnt; mkdir /mnt/usr; mount --rbind /usr /mnt/usr; mount -o remount,bind,ro /mnt/usr; mount -o remount,bind,ro /mnt; setpriv --version'
  const { status } = spawnSync('unshare', [...user, '--mount', '--net', '--pid', '--fork', 'sh', '-ec', probe], {
    stdio: 'ignore',
    timeout: 5_000,
  })
  return status === 0 ? null : 'a scratch root needs unshare, setpriv, and the right to mount in namespaces'
}
