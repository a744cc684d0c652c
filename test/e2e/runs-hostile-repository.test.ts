import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/**
 * A repository that somebody else prepared, bound and not trusted. What the default rules let run there unasked must
 * start no program of the repository (docs/spec.md D18).
 */
let server: Opened
beforeAll(async () => {
  server = await openStdio()
})
afterAll(() => server.close())

interface Trap {
  readonly name: string
  readonly set: (repo: Repo) => void
  readonly commands: readonly string[]
  /** Below the repository. */
  readonly at?: string
}

/** A repository with one commit, one changed file, and a program that leaves a trace when it runs. */
class Repo {
  readonly directory: string
  readonly evil: string

  constructor(name: string, parent = server.work) {
    this.directory = join(parent, name)
    mkdirSync(this.directory)
    this.evil = join(this.directory, 'evil.sh')
    writeFileSync(this.evil, `#!/bin/sh\necho "$*" >> ${this.evil}.ran\nexit 1\n`)
    chmodSync(this.evil, 0o755)
    this.git('init', '-q')
    this.write('a.txt', 'one\n')
    this.git('add', 'a.txt')
    this.git('commit', '-qm', 'one')
    this.write('a.txt', 'two\n')
  }

  git(...args: string[]): string {
    const who = [
      '-c',
      'user.name=n',
      '-c',
      'user.email=a@b',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'commit.gpgSign=false',
    ]
    return execFileSync('git', [...who, ...args], { cwd: this.directory, env: server.place.env(), encoding: 'utf8' })
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.directory, file), text)
  }

  config(...pairs: readonly (readonly [string, string])[]): void {
    for (const [key, value] of pairs) this.git('config', key, value)
  }

  /** A second commit, so that there is something between two. */
  again(): void {
    this.git('commit', '-qam', 'two')
    this.write('a.txt', 'three\n')
  }

  /** With the signature of nobody: whoever asks for it starts gpg. */
  sign(): void {
    const commit = this.git('cat-file', 'commit', 'HEAD')
    const signature = '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n'
    this.write('commit', commit.replace(/\n\n/, signature))
    this.git('update-ref', 'HEAD', this.git('hash-object', '-t', 'commit', '-w', 'commit').trim())
  }

  /** What git calls a repository, laid out somewhere else. */
  layOut(...parts: readonly (readonly [string, string])[]): void {
    for (const [part, to] of parts)
      cpSync(join(this.directory, '.git', part), join(this.directory, to, part), { recursive: true })
  }
}

const READING = ['git status', 'git log', 'git log -p', 'git diff', 'git show', 'git branch']

const TRAPS: readonly Trap[] = [
  { name: 'core.fsmonitor', set: repo => repo.config(['core.fsmonitor', repo.evil]), commands: READING },
  {
    name: 'hooks',
    set(repo) {
      for (const hook of [
        'post-index-change',
        'pre-commit',
        'post-checkout',
        'reference-transaction',
        'fsmonitor-watchman',
      ])
        copyFileSync(repo.evil, join(repo.directory, '.git/hooks', hook))
    },
    commands: READING,
  },
  {
    name: 'pagers',
    set: repo => repo.config(['core.pager', repo.evil], ['pager.log', repo.evil], ['pager.diff', repo.evil]),
    commands: READING,
  },
  {
    name: 'editors and ssh',
    set: repo => repo.config(['core.editor', repo.evil], ['core.sshCommand', repo.evil], ['core.askPass', repo.evil]),
    commands: READING,
  },
  { name: 'diff.external', set: repo => repo.config(['diff.external', repo.evil]), commands: READING },
  {
    name: 'a diff driver of an attribute',
    set(repo) {
      repo.write('.gitattributes', '*.txt diff=x\n')
      repo.config(['diff.x.command', repo.evil])
    },
    commands: READING,
  },
  {
    name: 'textconv',
    set(repo) {
      repo.write('.gitattributes', '*.txt diff=x\n')
      repo.config(['diff.x.textconv', repo.evil])
    },
    commands: READING,
  },
  {
    name: 'filter.clean',
    set(repo) {
      repo.write('.gitattributes', '*.txt filter=x\n')
      repo.config(['filter.x.clean', repo.evil])
    },
    commands: READING,
  },
  {
    name: 'filter.process',
    set(repo) {
      repo.write('.gitattributes', '*.txt filter=x\n')
      repo.config(['filter.x.process', repo.evil])
    },
    commands: READING,
  },
  {
    name: 'gpg.program with log.showSignature',
    set(repo) {
      repo.sign()
      repo.config(['log.showSignature', 'true'], ['gpg.program', repo.evil])
    },
    commands: READING,
  },
  {
    name: 'a missing object fetched from a promisor',
    set(repo) {
      const blob = repo.git('rev-parse', 'HEAD:a.txt').trim()
      repo.config(
        ['core.repositoryformatversion', '1'],
        ['extensions.partialClone', 'origin'],
        ['remote.origin.url', repo.directory],
        ['remote.origin.promisor', 'true'],
        ['remote.origin.uploadpack', repo.evil],
      )
      rmSync(join(repo.directory, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
    },
    commands: READING,
  },
  {
    name: 'core.fsmonitor of a submodule',
    set(repo) {
      const sub = new Repo('sub', repo.directory)
      repo.git('add', 'sub')
      repo.write('.gitmodules', '[submodule "sub"]\n path = sub\n url = ./sub\n')
      sub.config(['core.fsmonitor', repo.evil])
    },
    commands: READING,
  },
  {
    name: 'filter.clean of a submodule',
    set(repo) {
      const sub = new Repo('sub', repo.directory)
      repo.git('add', 'sub')
      repo.write('.gitmodules', '[submodule "sub"]\n path = sub\n url = ./sub\n')
      sub.write('.gitattributes', '*.txt filter=x\n')
      sub.config(['filter.x.clean', repo.evil])
    },
    commands: READING,
  },
]

test.each(TRAPS)('A31: an unasked git starts no program by way of $name', needs('git'), async trap => {
  const repo = new Repo(idOf(trap))
  trap.set(repo)
  expect(await startedUnasked(repo, trap)).toEqual([])
})

/** Those that went past us once. Each is shown to be a trap: the person's own git walks into it. */
const SHOWN: readonly Trap[] = [
  {
    name: 'commondir beside a HEAD, as a plain clone brings it',
    set(repo) {
      repo.again()
      repo.config(['diff.external', repo.evil])
      repo.layOut(['HEAD', 'evil'], ['objects', 'evil2'], ['refs', 'evil2'], ['config', 'evil2'])
      repo.write('evil/commondir', '../evil2\n')
    },
    commands: ['git diff HEAD~1 HEAD'],
    at: 'evil',
  },
  {
    name: 'an empty .git beside a bare layout',
    set(repo) {
      repo.again()
      repo.config(['diff.external', repo.evil], ['core.fsmonitor', repo.evil])
      const parts = ['HEAD', 'objects', 'refs', 'config', 'index'].map(part => [part, 'bare'] as const)
      repo.layOut(...parts)
      repo.git('config', '-f', 'bare/config', 'core.worktree', '.')
      mkdirSync(join(repo.directory, 'bare/.git'))
    },
    commands: ['git status', 'git diff HEAD~1 HEAD --'],
    at: 'bare',
  },
  {
    name: 'a submodule that the line wants to see',
    set(repo) {
      const sub = new Repo('sub', repo.directory)
      repo.git('add', 'sub')
      repo.write('.gitmodules', '[submodule "sub"]\n path = sub\n url = ./sub\n')
      sub.config(['core.fsmonitor', repo.evil], ['diff.external', repo.evil])
    },
    commands: ['git status --ignore-submodules=none', 'git diff --submodule=diff --ignore-submodules=none'],
  },
  {
    name: 'a signature that a format asks for',
    set(repo) {
      repo.sign()
      repo.config(['gpg.program', repo.evil])
    },
    commands: ['git log --pretty=format:%-GG', 'git log --pretty=format:%+G?', "git log --format='% GS'"],
  },
]

test.each(SHOWN)('§1.2 executed: an unasked git starts no program by way of $name', needs('git'), async trap => {
  const repo = new Repo(idOf(trap))
  trap.set(repo)
  const env = server.place.env()
  const cwd = join(repo.directory, trap.at ?? '')
  for (const command of trap.commands) {
    spawnSync('bash', ['-c', command], { cwd, env })
    expect([command, ran(repo)]).toEqual([command, true])
  }
  expect(await startedUnasked(repo, trap)).toEqual([])
})

const idOf = ({ name }: Trap): string => name.replace(/\W/g, '-')

/** Whether the program of the trap has run since somebody looked. */
function ran({ evil }: Repo): boolean {
  const mark = `${evil}.ran`
  const was = existsSync(mark)
  rmSync(mark, { force: true })
  return was
}

async function startedUnasked(repo: Repo, { commands, at = '' }: Trap): Promise<string[]> {
  const started: string[] = []
  for (const command of commands) {
    const cwd = join(repo.directory, at)
    const { data } = await server.headless({ action: 'run', command, cwd, kill_after_ms: 5000 })
    if (data.error?.code === 'PM_TERM_INTERNAL') throw new Error(data.error.message)
    if (ran(repo)) started.push(command)
  }
  return started
}

test('a repository whose work tree is elsewhere shows nothing of what is there', needs('git'), async () => {
  const repo = new Repo('elsewhere')
  server.place.write('private/a.txt', 'TOP SECRET\n')
  repo.config(['core.worktree', join(server.place.root, 'private')])
  const { data } = await server.headless({ action: 'run', command: 'git diff', cwd: repo.directory })
  expect(JSON.stringify(data)).not.toContain('TOP SECRET')
})
