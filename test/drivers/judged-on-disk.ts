import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultRules } from '../../src/policy/files/default-rules.ts'
import { rulesOf } from '../../src/policy/judge/evaluate.ts'
import type { Shell } from '../../src/policy/model/reading.ts'
import type { GateLane, Verdict } from '../../src/policy/model/verdict.ts'
import { judgeHeadless, judgeInteractive, rulesOn } from '../../src/runs/facts/judge-line.ts'
import { inheritedEnv } from '../../src/runs/plan/base-env.ts'

export interface Given {
  readonly workspace?: { readonly directory: string; readonly trusted: boolean } | null
  readonly lane?: GateLane
  readonly patterns?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly ours?: readonly string[]
  readonly hostEnv?: Readonly<Record<string, string>>
  readonly shell?: Shell
  /** Below the tree: its `bin` comes first on the PATH of the run. */
  readonly venv?: string
}

/** A real tree on the disk, and the gate with its default rules as server and host use it there. */
export class DiskTree {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'it-disk-')))

  path(name: string): string {
    return join(this.root, name)
  }

  write(files: Readonly<Record<string, string>>, mode = 0o644): this {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true })
      writeFileSync(this.path(name), text)
      chmodSync(this.path(name), mode)
    }
    return this
  }

  directory(name: string): this {
    mkdirSync(this.path(name), { recursive: true })
    return this
  }

  link(name: string, target: string): this {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    symlinkSync(target, this.path(name))
    return this
  }

  git(name: string, ...words: readonly string[]): string {
    const env = { PATH: process.env.PATH ?? '', HOME: this.root, GIT_CONFIG_NOSYSTEM: '1' }
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always']
    return execFileSync('git', [...who, ...words], { cwd: this.path(name), env, encoding: 'utf8', stdio: 'pipe' })
  }

  judges(command: string, cwd: string, given: Given = {}): Verdict {
    const {
      workspace,
      lane = 'interactive',
      patterns = [],
      env,
      ours = [],
      hostEnv,
      shell = 'bash',
      venv: named,
    } = given
    const machine = {
      tmp: [],
      ours,
      platform: process.platform,
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...hostEnv },
    }
    const bound = workspace ? { id: 'w', ...workspace, directory: this.path(workspace.directory) } : null
    const rules = [...rulesOf(patterns, shell), ...defaultRules()]
    const ownPath = inheritedEnv(machine.env).PATH ?? ''
    const venv = named === undefined ? null : this.path(named)
    const path = venv === null ? ownPath : `${venv}/bin:${ownPath}`
    const inOrder = rulesOn({ machine, rules, workspace: bound, autoApprove: 'allowlist' }, this.path(cwd), path)
    const line = { command, cwd: this.path(cwd), env, shell }
    return lane === 'headless'
      ? judgeHeadless(line, inOrder)
      : judgeInteractive(line, inOrder, { venv, ownPath }, machine)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
