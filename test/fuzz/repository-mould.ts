import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Files that every repository of the fuzz has committed. */
export const COMMITTED: Readonly<Record<string, string>> = {
  'README.md': '# x\n',
  'package.json': '{"name":"x"}\n',
  'src/a.ts': 'export const a = 1 // TODO\n',
  'src/b.ts': 'export const b = 2\n',
  'src/deep/c.ts': 'export const c = 3\n',
  'lib/x.ts': 'export const x = 4 // KEY\n',
  'docs/notes.md': 'notes\n',
}

/** A `.git` with two commits, a branch, a tag and a submodule, made once and copied into every tree: git itself is slow. */
export class RepositoryMould {
  readonly #root = mkdtempSync(join(tmpdir(), 'it-mould-'))
  readonly git = join(this.#root, 'top/.git')
  /** That of the submodule `sub`. */
  readonly subGit = join(this.#root, 'top/sub/.git')

  constructor() {
    const sub = this.#repository('top/sub', { 'in.ts': 'sub\n' })
    sub('commit', '-qm', 'sub')
    const top = this.#repository('top', COMMITTED)
    top('update-index', '--add', '--cacheinfo', `160000,${sub('rev-parse', 'HEAD').trim()},sub`)
    top('commit', '-qm', 'one')
    top('branch', 'topic')
    top('tag', 'v1')
    writeFileSync(join(this.#root, 'top/src/a.ts'), 'export const a = 2\n')
    top('commit', '-qam', 'two')
    // Few files are copied faster.
    for (const git of [sub, top]) {
      git('repack', '-adq')
      git('pack-refs', '--all')
      git('prune-packed', '-q')
    }
  }

  dispose(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  #repository(name: string, files: Readonly<Record<string, string>>): (...words: readonly string[]) => string {
    const cwd = join(this.#root, name)
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true })
      writeFileSync(join(cwd, file), text)
    }
    // biome-ignore format: a table reads best as one
    const env = {
      PATH: process.env['PATH'] ?? '', HOME: this.#root, GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b',
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    }
    const git = (...words: readonly string[]) =>
      execFileSync('git', words, { cwd, env, encoding: 'utf8', stdio: 'pipe' })
    git('init', '-q', '--template=', '-b', 'main')
    git('add', ...Object.keys(files))
    return git
  }
}
