import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../fakes/mcp-client.ts'

/**
 * A repository that somebody else prepared, bound and not trusted. What the default rules let run there unasked must
 * start no program of the repository (SPEC D18, SECURITY 16).
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
}

/** A repository with one commit, one changed file, and a program that leaves a trace when it runs. */
class Repo {
  readonly directory: string
  readonly evil: string

  constructor(name: string, parent = server.work) {
    this.directory = join(parent, name)
    mkdirSync(this.directory)
    this.evil = join(this.directory, 'evil.sh')
    writeFileSync(this.evil, `#!/bin/sh\necho "$0 $*" >> ${join(server.work, `ran-${name}`)}\nexit 1\n`)
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
      const commit = repo.git('cat-file', 'commit', 'HEAD')
      const signed = commit.replace(
        /\n\n/,
        '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
      )
      repo.write('commit', signed)
      repo.git('update-ref', 'HEAD', repo.git('hash-object', '-t', 'commit', '-w', 'commit').trim())
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

test.each(TRAPS)('an unasked git starts no program by way of $name', async ({ name, set, commands }) => {
  const id = name.replace(/\W/g, '-')
  const repo = new Repo(id)
  set(repo)
  const started: string[] = []
  for (const command of commands) {
    const { data } = await server.headless({ action: 'run', command, cwd: repo.directory, kill_after_ms: 5000 })
    if (data.error?.code === 'PM_TERM_INTERNAL') throw new Error(data.error.message)
    if (server.place.read(`work/ran-${id}`) !== '') started.push(command)
    rmSync(join(server.work, `ran-${id}`), { force: true })
  }
  expect(started).toEqual([])
})

test('a repository whose work tree is elsewhere shows nothing of what is there', async () => {
  const repo = new Repo('elsewhere')
  server.place.write('private/a.txt', 'TOP SECRET\n')
  repo.config(['core.worktree', join(server.place.root, 'private')])
  const { data } = await server.headless({ action: 'run', command: 'git diff', cwd: repo.directory })
  expect(JSON.stringify(data)).not.toContain('TOP SECRET')
})
