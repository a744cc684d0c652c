// Compiles native/spawner.c with the C compiler of this machine, if it has one. Without it commands start more slowly, and that is all.
import { execFileSync } from 'node:child_process'
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const COMPILERS = ['cc', 'gcc', 'clang']
const PLAIN = ['-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Wshadow']
const HARD = ['-O2', '-fstack-protector-strong', '-D_FORTIFY_SOURCE=2', '-fPIE', '-s']
const LINKED = ['-Wl,-z,relro,-z,now,-z,noexecstack', '-Wl,--build-id=none']
/** Without a libc of its own it starts faster and on every Linux of this kind of processor. Some machines cannot link that. */
const LINKS = [['-static-pie'], ['-pie'], []]

/**
 * Makes `<dist>/spawner` and returns null, or says in a few words why there is none. The same source and compiler make the same bytes.
 *
 * @type {(root: string, dist: string) => string | null}
 */
export function buildSpawner(root, dist) {
  const target = join(dist, 'spawner')
  rmSync(target, { force: true })
  if (process.platform !== 'linux') return 'it is for Linux'
  let why = 'this machine has no C compiler'
  for (const link of LINKS) {
    const problem = compileSpawner(root, `${target}.new`, [...HARD, ...LINKED, ...link])
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

/** Null: it is there. Else what the compiler says, in one line. @type {(root: string, out: string, flags: readonly string[]) => string | null} */
export function compileSpawner(root, out, flags) {
  const how = [`-ffile-prefix-map=${root}=.`, ...PLAIN, ...flags, '-o', out, join(root, 'native/spawner.c')]
  let why = 'this machine has no C compiler'
  for (const compiler of COMPILERS) {
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
