import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real disk of a few MB: a tmpfs. Needs root. Unmounted after two minutes, whatever became of the test. */
export class SmallDisk {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'it-disk-')))
  readonly #insurance

  constructor(megabytes: number) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', this.root])
    this.#insurance = spawn('sh', ['-c', `sleep 120; umount -l '${this.root}'`], { stdio: 'ignore', detached: true })
    this.#insurance.unref()
  }

  /** To the last byte. */
  fill(): void {
    const fd = openSync(this.#filler, 'a')
    try {
      for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (;;) if (writeSync(fd, Buffer.alloc(size)) < size) break
        } catch {
          // full for this size; smaller pieces may still fit
        }
      }
    } finally {
      closeSync(fd)
    }
  }

  /** Of what was filled. */
  giveBack(bytes: number): void {
    truncateSync(this.#filler, Math.max(0, statSync(this.#filler).size - bytes))
  }

  empty(): void {
    rmSync(this.#filler, { force: true })
  }

  remount(how: 'ro' | 'rw'): void {
    execFileSync('mount', ['-o', `remount,${how}`, this.root])
  }

  close(): void {
    execFileSync('umount', ['-l', this.root])
    rmSync(this.root, { recursive: true, force: true })
    process.kill(-(this.#insurance.pid ?? 0), 'SIGKILL')
  }

  get #filler(): string {
    return join(this.root, 'filler')
  }
}
