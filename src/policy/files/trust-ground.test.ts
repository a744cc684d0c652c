import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectAround, type TrustGround, trustObjection } from './trust-ground.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'it-ground-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const home = join(root, 'home')
const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const ground: TrustGround = {
  homes: [home],
  tmp: [join(root, 'tmp')],
  ours: [join(home, '.local/state/it')],
  user,
}
const make = (path: string, mode = 0o755): string => {
  const directory = join(root, path)
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, mode)
  return directory
}
make('tmp/x')
make('home/.local/state/it/runs')
make('home/shop/packages/web')
make('home/shop/.git')
make('home/plain/src')
make('home/linked')
writeFileSync(join(home, 'linked/.git'), 'gitdir: /nowhere')
make('home/hooked')
symlinkSync('/nowhere', join(home, 'hooked/.git'))
make('outside/repo/.git')
make('outside/repo/deep')

test.each([
  ['home/shop/packages/web', 'home/shop'],
  ['home/shop', 'home/shop'],
  ['home/plain/src', 'home/plain/src'],
  ['home/linked', 'home/linked'],
  ['home/hooked', 'home/hooked'],
  ['outside/repo/deep', 'outside/repo'],
])('the project of %s is %s', (cwd, project) => {
  expect(projectAround(join(root, cwd), ground)).toBe(join(root, project))
})

test('a home that is a repository is no project of what is in it', () => {
  make('owner/.git')
  make('owner/notes')
  const inHome = { ...ground, homes: [join(root, 'owner')] }
  expect(projectAround(join(root, 'owner/notes'), inHome)).toBe(join(root, 'owner/notes'))
})

test.each([
  ['/', 'it is the root of a disk'],
  [home, 'it is your home directory'],
  [root, 'your home directory is inside it'],
  [join(home, '.local'), 'the state of this product is inside it'],
  [join(home, '.local/state/it'), 'it belongs to this product'],
  [join(home, '.local/state/it/runs'), 'it belongs to this product'],
  [join(root, 'tmp'), 'it is in a temporary directory'],
  [join(root, 'tmp/x'), 'it is in a temporary directory'],
])('%s cannot be trusted', (directory, why) => {
  expect(trustObjection(directory, ground)).toBe(why)
})

test('a project in a home that lies in a temporary directory can be trusted, that directory cannot', () => {
  const inTmp = { ...ground, tmp: [dirname(home)] }
  expect([trustObjection(join(home, 'shop'), inTmp), trustObjection(dirname(home), inTmp)]).toEqual([
    null,
    'your home directory is inside it',
  ])
})

test.each([
  [0o777, 'every user of this machine can write there'],
  [0o1777, 'every user of this machine can write there'],
  [0o775, 'its group can write there (chmod g-w changes that)'],
])('a directory with mode %o cannot be trusted', (mode, why) => {
  const directory = make(`home/open-${mode.toString(8)}`, mode)
  // Of a team's group, which only root can give it away to; anybody else has one that is not their number's.
  if (user.uid === 0) chownSync(directory, 0, 4343)
  expect(trustObjection(directory, { ...ground, user: { uid: user.uid, gid: 4242 } })).toBe(why)
})

test('a directory that only the own private group may write can be trusted', () => {
  const directory = make('home/own-group', 0o775)
  expect(trustObjection(directory, { ...ground, user: { uid: user.uid, gid: user.uid } })).toBeNull()
})

test('a directory that others could replace cannot be trusted; a sticky one above it keeps it safe', () => {
  const inOpen = make('open/inner')
  chmodSync(join(root, 'open'), 0o777)
  const inSticky = make('sticky/inner')
  chmodSync(join(root, 'sticky'), 0o1777)
  expect([trustObjection(inOpen, ground), trustObjection(inSticky, ground)]).toEqual([
    `${join(root, 'open')} above it: every user of this machine can write there`,
    null,
  ])
})

test('what belongs to another user cannot be trusted', () => {
  const directory = make('home/theirs')
  if (user.uid === 0) chownSync(directory, 4343, 4343)
  expect(trustObjection(directory, { ...ground, user: { uid: 4242, gid: 4242 } })).toBe('it belongs to another user')
})
