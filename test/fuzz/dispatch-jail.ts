import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Dispatch, readDispatches } from './dispatch-records.ts'
import { BAIT } from './why-escape.ts'

const DRIVER = join(import.meta.dirname, 'record-dispatch.bash')
const BATCH_PATIENCE_MS = 180_000
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024

/**
 * A root directory with nothing in it but bash, and no network: whatever a line that slipped through the gate does,
 * it does it here. Lines may name real files by absolute path, so without such a jail none of them is run.
 */
export class DispatchJail {
  readonly #root = mkdtempSync(join(tmpdir(), 'gate-fuzz-'))

  constructor() {
    for (const directory of ['bin', 'dev', 'rec', 'scratch']) mkdirSync(join(this.#root, directory))
    for (const file of ['/bin/bash', ...librariesOf('/bin/bash')]) this.#bring(file)
    if (existsSync('/usr/lib/locale/C.utf8'))
      cpSync('/usr/lib/locale/C.utf8', join(this.#root, 'usr/lib/locale/C.utf8'), { recursive: true })
    writeFileSync(join(this.#root, 'dev/null'), '')
    copyFileSync(DRIVER, join(this.#root, 'rec/driver'))
  }

  /** What bash would start for each line. Recorded programs all succeed (0) or all fail (1). */
  async run(lines: readonly string[], status: 0 | 1): Promise<Dispatch[]> {
    const done: Dispatch[] = []
    // A line that ends or hangs the shell is reported as such, and the rest gets a new one.
    while (done.length < lines.length) {
      const left = lines.slice(done.length)
      const batch = await this.#batch(left, status)
      const last = batch.at(-1)
      // On a busy machine a whole batch may run out of time; the line it stood at must hang alone, too.
      if (last && !last.finished && left.length > 1)
        batch.splice(-1, 1, ...(await this.#batch(left.slice(batch.length - 1, batch.length), status)))
      done.push(...batch)
    }
    return done
  }

  dispose(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  async #batch(lines: readonly string[], status: 0 | 1): Promise<Dispatch[]> {
    rmSync(join(this.#root, 'scratch'), { recursive: true, force: true })
    mkdirSync(join(this.#root, 'scratch'))
    for (const name of BAIT) writeFileSync(join(this.#root, 'scratch', name), '')
    writeFileSync(join(this.#root, 'rec/lines'), lines.map(line => `${line}\0`).join(''))
    // biome-ignore format: one flag group per idea
    const args = [
      '--user', '--map-root-user', '--net', `--root=${this.#root}`, '--wd=/scratch',
      '/bin/bash', '--noprofile', '--norc', '-c',
      'ulimit -t 60 -f 64 -n 128; PATH=/none HOME=/scratch LC_ALL=C.UTF-8 exec /bin/bash --noprofile --norc /rec/driver "$0" 9>&1 >/dev/null 2>&1',
      String(status),
    ]
    const child = spawn('unshare', args, {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: BATCH_PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_OUTPUT_BYTES) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    return readDispatches(Buffer.concat(chunks).toString('utf8'), lines.length)
  }

  #bring(file: string): void {
    const copy = join(this.#root, file)
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
    chmodSync(copy, 0o755)
  }
}

/** Whether this machine can build the jail: Linux with bash, ldd, and namespaces for everybody. */
export function canJail(): boolean {
  try {
    execFileSync('unshare', ['--user', '--map-root-user', '--net', '--root=/', '/bin/bash', '-c', 'true'], {
      stdio: 'ignore',
      timeout: 5_000,
    })
    return librariesOf('/bin/bash').length > 0
  } catch {
    return false
  }
}

function librariesOf(program: string): string[] {
  const listing = execFileSync('ldd', [program], { encoding: 'utf8', timeout: 5_000 })
  return [...listing.matchAll(/(?:=>\s*|^\s*)(\/\S+) \(/gm)].map(([, file = '']) => file)
}
