// Compiles native/spawner.c with the C compiler of this machine, if it has one. Without it commands start more slowly, and that is all.
import { execFileSync } from 'node:child_process'
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const COMPILERS = ['cc', 'gcc', 'clang']
/** Kinds of processors a package can bring one for, and who compiles for them on a machine of another kind. */
const OTHERS = { x64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' }
const PLAIN = ['-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Wshadow']
const HARD = ['-O2', '-fstack-protector-strong', '-D_FORTIFY_SOURCE=2', '-fPIE', '-s']
const LINKED = ['-Wl,-z,relro,-z,now,-z,noexecstack', '-Wl,--build-id=none']
/** Without a libc of its own it starts faster and on every Linux of this kind of processor. Some machines cannot link that. */
const LINKS = [['-static-pie'], ['-pie'], []]

/**
 * Makes `<dist>/spawner-<arch>` for this machine and, for a package, for the others that it can compile for. Says of each why it was left
 * out, in a few words; one for another kind of machine is only missed by who makes a package. The same source and compiler make the same bytes.
 *
 * @type {(root: string, dist: string, forPackage: boolean) => { name: string, leftOut: string | null }[]}
 */
export function buildSpawners(root, dist, forPackage) {
  const mine = { name: `spawner-${process.arch}`, compilers: COMPILERS }
  const others = Object.entries(OTHERS)
    .filter(([arch]) => arch !== process.arch)
    .map(([arch, compiler]) => ({ name: `spawner-${arch}`, compilers: [compiler] }))
  for (const { name } of others) rmSync(join(dist, name), { force: true })
  const made = [mine, ...(forPackage ? others : [])].map(({ name, compilers }) => ({
    name,
    leftOut: buildSpawner(root, join(dist, name), compilers),
  }))
  return made.filter(({ name, leftOut }) => name === mine.name || leftOut === null)
}

function buildSpawner(root, target, compilers) {
  rmSync(target, { force: true })
  if (process.platform !== 'linux') return 'it is for Linux'
  let why = 'this machine has no C compiler'
  for (const link of LINKS) {
    const problem = compileSpawner(root, `${target}.new`, [...HARD, ...LINKED, ...link], compilers)
    if (problem === null) {
      chmodSync(`${target}.new`, 0o755)
      // At once, also while the one before still runs.
      renameSync(`${target}.new`, target)
      return null
    }
    why = problem
  }
  return why
}

/** Null: it is there. Else what the compiler says, in one line. @type {(root: string, out: string, flags: readonly string[], compilers?: readonly string[]) => string | null} */
export function compileSpawner(root, out, flags, compilers = COMPILERS) {
  const how = [`-ffile-prefix-map=${root}=.`, ...PLAIN, ...flags, '-o', out, join(root, 'native/spawner.c')]
  let why = 'this machine has no C compiler'
  for (const compiler of compilers) {
    try {
      execFileSync(compiler, how, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 })
      return null
    } catch (cause) {
      if (cause.code === 'ENOENT') continue
      const said = String(cause.stderr ?? cause.message).split('\n')
      why = said.find(line => /error|cannot/i.test(line)) ?? said[0] ?? `${compiler} failed`
    }
  }
  rmSync(out, { force: true })
  return why
}
