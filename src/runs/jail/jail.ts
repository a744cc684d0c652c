import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../base/atomic-file.ts'
import { fileIdentity } from '../../base/file-identity.ts'
import { jailPlace } from './jail-place.ts'
import { type JailMachine, type JailProbe, probeJail } from './probe.ts'
import { type ProfileLine, profileHash, profileLines } from './profile.ts'
import { isFiltered, seccompFilter } from './seccomp.ts'
import { starterShell } from './starter-shell.ts'

/** A program by its path, and which file that was. */
export interface JailProgram {
  readonly path: string
  readonly identity: string
}

/** How a command is kept from everything: part of the plan, and of its hash. Nobody changes it. */
export interface Jail {
  readonly mode: 'read_only'
  /** Stands for all that the sandbox allows. */
  readonly profile: string
  readonly shell: JailProgram
  readonly bubblewrap: JailProgram
  readonly filterFile: string
  readonly lines: readonly ProfileLine[]
}

export interface JailedFolder {
  readonly workspace: string
  readonly cwd: string
  /** Where programs are looked for. */
  readonly path: string
}

export interface JailDeps extends JailMachine {
  /** Where the filter lies. */
  readonly stateDir: string
  readonly home: string
  /** Our own files: never in a sandbox. */
  readonly ours: readonly string[]
}

/** What of it the process itself says. */
export const thisMachine = (): Pick<JailMachine, 'platform' | 'arch' | 'uid'> => ({
  platform: process.platform,
  arch: process.arch,
  uid: process.getuid?.() ?? null,
})

/** Makes sandboxes, once it has tried that they hold here. Nothing is tried, read or started before the first one is wanted. */
export class Jails {
  readonly #deps: JailDeps
  #probe: JailProbe | null = null

  constructor(deps: JailDeps) {
    this.#deps = deps
  }

  /** Why nothing can be tried on this machine, in one sentence; null: it can. */
  problem(): string | null {
    this.#probe ??= probeJail(this.#deps)
    return 'why' in this.#probe ? this.#probe.why : null
  }

  /** One did not start: what was true of this machine may not be any more. */
  doubt(): void {
    this.#probe = null
  }

  /** For a command in this folder; or why there is none for it. */
  make(where: JailedFolder): Jail | { readonly problem: string } {
    const problem = this.problem()
    if (problem !== null || this.#probe === null || 'why' in this.#probe)
      return { problem: problem ?? 'nothing is known' }
    return this.makeUntried(where, this.#probe.program)
  }

  /** The same with a bubblewrap that nobody has tried. For tests alone. */
  makeUntried(where: JailedFolder, program: string): Jail | { readonly problem: string } {
    const { home, ours, arch } = this.#deps
    const place = jailPlace({ ...where, home, ours })
    if ('problem' in place) return place
    if (!isFiltered(arch)) return { problem: `nothing is known about ${arch}` }

    const lines = profileLines(place)
    const profile = profileHash(lines, seccompFilter(arch))
    const shell = identified(starterShell())
    const bubblewrap = identified(program)
    if (shell === null || bubblewrap === null) return { problem: 'bubblewrap or the shell is gone' }
    const filterFile = this.#filterFile
    if (!existsSync(filterFile)) replaceFile(filterFile, seccompFilter(arch))
    return { mode: 'read_only', profile, shell, bubblewrap, filterFile, lines }
  }

  get #filterFile(): string {
    return join(this.#deps.stateDir, `sandbox-${this.#deps.arch}.bpf`)
  }
}

function identified(path: string): JailProgram | null {
  const identity = fileIdentity(path)
  return identity === null ? null : { path, identity }
}
