import { readPattern } from './pattern.ts'
import type { Rule } from './rules.ts'

/**
 * What runs without asking out of the box, each with its reason (SPEC D18). `PM_TERM_AUTO_APPROVE=never` switches all off.
 *
 * reach: anywhere · workspace: only where the person bound a workspace, and every operand stays inside it ·
 * trusted: runs code of the project, so only in a workspace the person trusts
 */
interface DefaultRow {
  readonly pattern: string
  readonly reach: 'anywhere' | 'workspace' | 'trusted'
  /** With an open end: the only options that may follow. */
  readonly options?: readonly string[]
  readonly why: string
}

const LISTING = ['-l', '-a', '-la', '-al', '-lah', '-alh', '-1', '-A', '-h', '-lh', '-R', '-t', '-lt', '-ltr', '-d']
const GIT_READING = [
  '--oneline',
  '--stat',
  '--name-only',
  '--name-status',
  '--graph',
  '--decorate',
  '--all',
  '--cached',
  '--staged',
  '--short',
  '-s',
  '-b',
  '-1',
  '-2',
  '-3',
  '-5',
  '-10',
  '-20',
  '-p',
  '--',
  '-v',
  '-vv',
  '-a',
  '-r',
]

// biome-ignore format: a table reads best as one
const ROWS: readonly DefaultRow[] = [
  { pattern: 'pwd', reach: 'anywhere', why: 'prints the current directory' },
  { pattern: 'whoami', reach: 'anywhere', why: 'prints the user name' },
  { pattern: 'id', reach: 'anywhere', why: 'prints user and groups' },
  { pattern: 'date', reach: 'anywhere', why: 'prints the time' },
  { pattern: 'uname -a', reach: 'anywhere', why: 'prints the system name' },
  { pattern: 'true', reach: 'anywhere', why: 'does nothing' },
  { pattern: 'node --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'npm --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'git --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'python3 --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'ls *', reach: 'workspace', options: LISTING, why: 'lists files of the workspace' },
  { pattern: 'cat *', reach: 'workspace', options: ['-n', '-A', '--'], why: 'prints files of the workspace' },
  { pattern: 'head *', reach: 'workspace', options: ['-n', '-5', '-10', '-20', '-50', '-100'], why: 'prints the start of files of the workspace' },
  { pattern: 'tail *', reach: 'workspace', options: ['-n', '-5', '-10', '-20', '-50', '-100'], why: 'prints the end of files of the workspace' },
  { pattern: 'wc *', reach: 'workspace', options: ['-l', '-c', '-w', '-m'], why: 'counts lines of files of the workspace' },
  { pattern: 'git status *', reach: 'workspace', options: GIT_READING, why: 'only reads the repository' },
  { pattern: 'git log *', reach: 'workspace', options: GIT_READING, why: 'only reads the repository' },
  { pattern: 'git diff *', reach: 'workspace', options: GIT_READING, why: 'only reads the repository' },
  { pattern: 'git show *', reach: 'workspace', options: GIT_READING, why: 'only reads the repository' },
  { pattern: 'git branch', reach: 'workspace', why: 'lists branches' },
  { pattern: 'npm test', reach: 'trusted', why: 'runs the tests of a project you trust' },
  { pattern: 'npm run test', reach: 'trusted', why: 'runs the tests of a project you trust' },
  { pattern: 'npm run build', reach: 'trusted', why: 'builds a project you trust' },
  { pattern: 'npm run lint', reach: 'trusted', why: 'lints a project you trust' },
  { pattern: 'npx vitest run', reach: 'trusted', why: 'runs the tests of a project you trust' },
]

export function defaultRules(): Rule[] {
  return ROWS.map(row => {
    const pattern = readPattern(row.pattern)
    if ('problem' in pattern) throw new Error(`default rule "${row.pattern}" ${pattern.problem}`)
    return { pattern, source: 'default', why: row.why, reach: row.reach, options: row.options ?? [] }
  })
}
