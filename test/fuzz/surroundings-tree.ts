import {
  chmodSync,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Workspace } from '../../src/policy/rules/rules.ts'
import type { Random } from './random.ts'
import type { RepositoryMould } from './repository-mould.ts'
import { type ProjectShape, plantProject } from './surroundings-project.ts'

/** A text that stands in one file and nowhere else. */
export interface Canary {
  readonly text: string
  readonly file: string
  /**
   * secret: by its name, or because it lies outside every workspace · look: holds what looks like a key · git: git's own ·
   * ignored: only what goes through directories may not print it · place: nothing secret, for whoever works in `inside`
   */
  readonly kind: 'secret' | 'look' | 'git' | 'ignored' | 'place'
  readonly inside: string | null
}

/** Where a line may run, and what the person decided about it. */
export interface Site {
  readonly directory: string
  readonly workspace: Workspace | null
  readonly shape: ProjectShape
}

/** One random home on the disk: secrets with canaries, planted programs that leave a mark, workspaces of every kind. */
export class Tree {
  readonly root: string
  readonly random: Random
  readonly canaries: Canary[] = []
  readonly sites: Site[] = []
  readonly ours: string[] = []
  /** Every path that a line may name. */
  readonly paths: string[] = []
  readonly directories: string[] = []
  readonly mould: RepositoryMould
  readonly #made = new Set<string>()

  constructor(root: string, random: Random, mould: RepositoryMould) {
    this.root = root
    this.random = random
    this.mould = mould
  }

  get home(): string {
    return join(this.root, 'home')
  }

  /** Where planted programs say that they were started. */
  get tripped(): string {
    return join(this.root, 'marks/tripped')
  }

  /** The program that everything planted comes down to. */
  get tripwire(): string {
    return join(this.root, 'marks/tripwire')
  }

  /** Files that nobody may open at all. */
  get secrets(): string[] {
    return this.canaries.flatMap(({ kind, file }) => (kind === 'secret' ? [file] : []))
  }

  write(path: string, text: string, mode = 0o644): string {
    const file = join(this.root, path)
    this.#make(dirname(file))
    writeFileSync(file, text)
    if (mode !== 0o644) chmodSync(file, mode)
    this.paths.push(file)
    return file
  }

  link(path: string, target: string): void {
    const file = join(this.root, path)
    this.#make(dirname(file))
    if (lstatSync(file, { throwIfNoEntry: false })) return
    symlinkSync(target, file)
    this.paths.push(file)
  }

  directory(path: string): string {
    const directory = join(this.root, path)
    this.#make(directory)
    this.paths.push(directory)
    this.directories.push(directory)
    return directory
  }

  copy(from: string, path: string): void {
    cpSync(from, join(this.root, path), { recursive: true })
  }

  /** A file with a canary in it, often enough that a part of the file shows one. */
  hide(path: string, kind: Canary['kind'], { look = '', inside = null as string | null } = {}): void {
    const text = `CANARY-${Array.from({ length: 3 }, () => this.random.below(65_536).toString(16).padStart(4, '0')).join('')}`
    const file = this.write(path, `${look}\nKEY=${text}\nx ${text}\n${text}\n`)
    // Whole seconds, so that the time of the last reading can be set back and leave nothing else changed.
    utimesSync(file, 0, 1_700_000_000)
    this.canaries.push({ text, file, kind, inside })
  }

  #make(directory: string): void {
    if (!this.#made.has(directory)) mkdirSync(directory, { recursive: true })
    this.#made.add(directory)
  }

  /** A program that leaves a mark when it is started. */
  plant(path: string): void {
    this.write(path, `#!/bin/sh\nexec ${this.tripwire} ${path} "$@"\n`, 0o755)
  }
}

const NAMED_IN_HOME = ['.ssh/id_rsa', '.config/gh/hosts.yml', '.env', '.netrc', '.aws/credentials', '.bash_history']

/** Deterministic: the same seed grows the same tree. */
export function growTree(root: string, random: Random, mould: RepositoryMould): Tree {
  const tree = new Tree(root, random, mould)
  const { tripped } = tree
  tree.write('marks/tripwire', `#!/bin/sh\necho "$*" >> ${tripped}\n`, 0o755)
  tree.write('marks/startup', `echo startup >> ${tripped}\n`)
  for (const name of NAMED_IN_HOME) tree.hide(`home/${name}`, 'secret')
  for (const name of ['notes.txt', 'docs/plan.md', 'data.json']) tree.hide(`home/${name}`, 'secret')
  // A program of the person's own, run by whatever is called sh on the PATH.
  tree.write('home/bin/npm', '#!/usr/bin/env sh\necho 10.0.0\n', 0o755)
  for (const name of ['sh', 'node', 'ls', 'git', 'bash', 'cat'])
    if (random.chance(2)) tree.plant(`home/venvs/py/bin/${name}`)
  tree.directory('home/venvs/py/bin')
  for (const name of ['ls', 'git', 'cat', 'sort']) if (random.chance(3)) tree.plant(`tmp/bin/${name}`)
  for (const name of ['tmp/bin', 'home', 'home/docs', 'home/.ssh', 'home/work']) tree.directory(name)
  const state = random.chance(3) ? 'home/work/bound/src/pm' : 'home/state'
  tree.ours.push(tree.directory(state))
  for (const name of ['local.key', 'rules.json', 'journal.txt']) tree.hide(`${state}/${name}`, 'secret')
  for (const name of ['bound', 'trusted', 'unbound'] as const) {
    const directory = join(tree.home, 'work', name)
    const shape = plantProject(tree, `home/work/${name}`)
    const workspace = name === 'unbound' ? null : { id: name, directory, trusted: name === 'trusted' }
    tree.sites.push({ directory, workspace, shape })
  }
  return tree
}

/** Gives everything to the user that the lines run as. */
export function handOver(directory: string, user: number): void {
  lchownSync(directory, user, user)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) handOver(path, user)
    else lchownSync(path, user, user)
  }
}

/** What a change of anything in a directory would change. The index is a cache, which git brings up to date when it compares. */
export function listing(directory: string, into = new Map<string, string>()): ReadonlyMap<string, string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      into.set(path, 'directory')
      listing(path, into)
    } else if (entry.name !== 'index') {
      const { mode, size, mtimeMs, ino } = lstatSync(path)
      into.set(path, `${mode} ${size} ${mtimeMs} ${ino}`)
    }
  }
  return into
}
