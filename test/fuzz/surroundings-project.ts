import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { COMMITTED } from './repository-mould.ts'
import type { Tree } from './surroundings-tree.ts'

export const SHAPES = [
  'plain',
  'plain',
  'plain',
  'none',
  'none',
  'evil_config',
  'evil_config',
  'evil_worktree_config',
  'git_file',
  'commondir',
  'empty_git',
  'bare_below',
  'evil_submodule',
] as const
export type ProjectShape = (typeof SHAPES)[number]

const NAMED = ['.env', 'id_rsa', 'server.pem', 'conf/secrets.json', '.npmrc', 'src/.env.local', '.docker/config.json']
const LOOKS = ['settings.json', 'conf/app.yaml', 'docs/deploy.txt']
const TOKEN = `token: "ghp_${'a'.repeat(36)}"`
const IGNORED = [
  'lib/debug.log',
  'docs/build.log',
  'src/deep/trace.log',
  'local/notes.md',
  'node_modules/pkg/index.js',
  'private/x.md',
]
const PROGRAMS = ['bash', 'sh', 'node', 'ls', 'git', 'cat', 'grep', 'npm']

/** Everything a stranger's project may bring along, and what the person keeps in it. */
export function plantProject(tree: Tree, at: string): ProjectShape {
  const { random } = tree
  for (const [name, text] of Object.entries(COMMITTED)) tree.write(`${at}/${name}`, text)
  for (const name of ['src', 'lib', 'docs', 'src/deep', 'packages/ui', '.']) tree.directory(join(at, name))
  tree.plant(`${at}/gradlew`)
  tree.write(`${at}/Makefile`, `all test:\n\t${tree.tripwire} make\n`)
  for (const name of NAMED) if (random.chance(3)) tree.hide(`${at}/${name}`, 'secret')
  for (const name of LOOKS) if (random.chance(3)) tree.hide(`${at}/${name}`, 'look', { look: TOKEN })
  tree.hide(`${at}/inside.txt`, 'place', { inside: join(tree.root, at) })
  if (!random.chance(3)) tree.write(`${at}/.gitignore`, 'node_modules/\n*.log\n/local\nprivate/\n')
  if (random.chance(2)) tree.write(`${at}/.hidden/x.md`, 'hidden\n')
  if (random.chance(6)) tree.write(`${at}/${random.pick(['-rf', '--help', '-f.env', '--file=id_rsa'])}`, 'x\n')
  plantLinks(tree, at)
  plantPrograms(tree, at)
  const shape = random.pick(SHAPES)
  plantRepository(tree, at, shape)
  // Where nothing says that they are ignored, nobody can tell that they should be.
  const isIgnored = tree.paths.includes(join(tree.root, at, '.gitignore'))
  for (const name of IGNORED) if (isIgnored && random.chance(2)) tree.hide(`${at}/${name}`, 'ignored')
  return shape
}

function plantLinks(tree: Tree, at: string): void {
  const { home, random } = tree
  tree.write(`${at}/packages/ui/index.ts`, 'ui\n')
  const links: readonly (readonly [string, string])[] = [
    ['src/out', '../../../.ssh'],
    ['src/key', join(home, '.ssh/id_rsa')],
    ['lib/up', '..'],
    ['docs/note.md', '../../../notes.txt'],
    ['docs/plan', join(home, 'docs')],
    ['node_modules/ui', '../packages/ui'],
    ['src/ui', '../packages/ui'],
    ['chain1', 'chain2'],
    ['chain2', 'src/chain3'],
    ['src/chain3', '../../../notes.txt'],
    ['loop1', 'loop2'],
    ['loop2', 'loop1'],
    ['nowhere', '../../nothing/there'],
    ['plain.txt', '.env'],
    ['lib/plain.json', '../settings.json'],
    ['self', join(tree.root, at)],
    ['other.txt', '../trusted/inside.txt'],
    ['src/home', home],
    ['src/readme', '../README.md'],
  ]
  for (const [name, target] of links) if (random.chance(4)) tree.link(`${at}/${name}`, target)
  // A workspace link as npm makes them, out of the workspace: what lies beside its target is elsewhere.
  if (random.chance(3)) tree.link(`${at}/node_modules/shared`, '../../../docs')
}

function plantPrograms(tree: Tree, at: string): void {
  const { random } = tree
  for (const place of ['.', 'node_modules/.bin', '.venv/bin']) {
    if (random.chance(3)) continue
    for (const name of PROGRAMS) if (random.chance(3)) tree.plant(join(at, place, name))
    if (place !== '.') tree.directory(join(at, place))
  }
}

/** Each names the tripwire in a way that git would start. */
function evilSettings(tree: Tree): string {
  const trip = (name: string): string => `${tree.tripwire} ${name}`
  const { random } = tree
  const settings = [
    `[diff]\n\texternal = ${trip('diff.external')}\n`,
    `[filter "x"]\n\tclean = ${trip('filter.clean')}\n\tsmudge = ${trip('filter.smudge')}\n`,
    `[diff "x"]\n\ttextconv = ${trip('textconv')}\n`,
    `[core]\n\tfsmonitor = ${trip('fsmonitor')}\n`,
    `[core]\n\tpager = ${trip('pager')}\n[pager]\n\tlog = ${trip('pager.log')}\n`,
    `[alias]\n\tstatus = !${trip('alias')}\n`,
    `[diff "x"]\n\tcommand = ${trip('diff.command')}\n`,
    `[core]\n\thooksPath = ${join(tree.root, 'marks')}\n`,
  ]
  const first = random.below(settings.length)
  return settings.filter((_, i) => i === first || random.chance(3)).join('')
}

const ATTRIBUTES = '*.ts filter=x diff=x\n*.md filter=x diff=x\n'

function plantRepository(tree: Tree, at: string, shape: ProjectShape): void {
  const { random, mould } = tree
  if (shape === 'none') return
  const plain = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n'
  const git = shape === 'git_file' ? `home/gitdirs/${at.split('/').at(-1)}` : `${at}/.git`
  const repository = (where: string, config: string): void => {
    tree.copy(mould.git, where)
    tree.write(`${where}/config`, config)
    if (where === git) tree.hide(`${where}/description`, 'git')
    tree.write(`${where}/info/exclude`, 'private/\n')
    if (random.chance(2)) for (const hook of ['post-index-change', 'pre-commit']) tree.plant(`${where}/hooks/${hook}`)
  }
  // Something to show in a diff, now and then.
  if (random.chance(2)) tree.write(`${at}/src/b.ts`, 'export const b = 3\n')
  if (random.chance(2)) tree.write(`${at}/.gitattributes`, ATTRIBUTES)
  switch (shape) {
    case 'plain':
      repository(git, plain)
      return
    case 'evil_config':
      repository(git, plain + evilSettings(tree))
      return
    case 'evil_worktree_config':
      repository(git, `${plain}[extensions]\n\tworktreeConfig = true\n`)
      tree.write(`${git}/config.worktree`, evilSettings(tree))
      return
    case 'git_file':
      repository(git, plain + (random.chance(2) ? evilSettings(tree) : ''))
      tree.write(`${at}/.git`, `gitdir: ${join(tree.root, git)}\n`)
      return
    case 'commondir':
      repository(`${at}/common`, `${plain.replace('false', 'true')}${evilSettings(tree)}`)
      tree.write(`${at}/HEAD`, 'ref: refs/heads/main\n')
      tree.write(`${at}/commondir`, 'common\n')
      return
    case 'empty_git':
      repository(at, `[core]\n\tworktree = .\n${evilSettings(tree)}`)
      mkdirSync(join(tree.root, git), { recursive: true })
      return
    case 'bare_below':
      repository(git, plain)
      repository(`${at}/docs`, `[core]\n\tworktree = .\n${evilSettings(tree)}`)
      return
    case 'evil_submodule':
      repository(git, plain)
      tree.copy(mould.subGit, `${at}/sub/.git`)
      tree.write(`${at}/sub/.git/config`, plain + evilSettings(tree))
      tree.write(`${at}/sub/in.ts`, 'changed\n')
      tree.write(`${at}/sub/.gitattributes`, ATTRIBUTES)
      return
  }
}
