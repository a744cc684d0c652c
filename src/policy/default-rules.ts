import { readPattern } from './pattern.ts'
import type { RuleExamples } from './rule-examples.ts'
import type { Rule } from './rules.ts'

/**
 * What runs without asking out of the box, each with its reason (SPEC D18). `PM_TERM_AUTO_APPROVE=never` switches all off.
 * The option models keep an open end from writing or running anything; the reach keeps it inside the workspace.
 *
 * reach: anywhere · workspace: only where the person bound a workspace, and every path stays inside it ·
 * trusted: runs code of the project, so only in a workspace the person trusts
 */
export interface DefaultRow extends RuleExamples {
  readonly pattern: string
  readonly reach: Rule['reach']
  readonly why: string
  /** How many of the first operands are text, not paths. */
  readonly textOperands?: number
  /** Words that reach hidden files, such as `.env`. */
  readonly never?: readonly string[]
}

const SEARCH = 'searches files of the workspace'
const READS_REPOSITORY = 'only reads the repository'
const RUNS_TESTS = 'runs the tests of a project you trust'

// biome-ignore format: a table reads best as one
export const DEFAULT_ROWS: readonly DefaultRow[] = [
  { pattern: 'pwd', reach: 'anywhere', why: 'prints the current directory', spares: ['pwdx 1'] },
  { pattern: 'whoami', reach: 'anywhere', why: 'prints the user name' },
  { pattern: 'id', reach: 'anywhere', why: 'prints user and groups' },
  { pattern: 'date', reach: 'anywhere', why: 'prints the time', spares: ['date -s x'] },
  { pattern: 'uname -a', reach: 'anywhere', why: 'prints the system name' },
  { pattern: 'true', reach: 'anywhere', why: 'does nothing' },
  { pattern: 'echo *', reach: 'anywhere', why: 'prints its words', matches: ['echo done'] },
  { pattern: 'which *', reach: 'anywhere', why: 'says where a program is', matches: ['which node'] },
  { pattern: 'node --version', reach: 'anywhere', why: 'prints a version', spares: ['node --version-evil', 'node x.js'] },
  { pattern: 'npm --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'git --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'python3 --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'python --version', reach: 'anywhere', why: 'prints a version' },
  { pattern: 'cd *', reach: 'workspace', why: 'moves within the workspace' },
  { pattern: 'ls *', reach: 'workspace', why: 'lists files of the workspace', matches: ['ls -la src'], spares: ['lsof'] },
  { pattern: 'cat *', reach: 'workspace', why: 'prints files of the workspace', matches: ['cat -n a.txt'] },
  { pattern: 'head *', reach: 'workspace', why: 'prints the start of files of the workspace', matches: ['head -20 a'] },
  { pattern: 'tail *', reach: 'workspace', why: 'prints the end of files of the workspace', matches: ['tail -n 5 a'] },
  { pattern: 'wc *', reach: 'workspace', why: 'counts lines of files of the workspace' },
  { pattern: 'sort *', reach: 'workspace', why: 'sorts lines', matches: ['sort -u a'], spares: ['sort -o x a'] },
  { pattern: 'uniq *', reach: 'workspace', why: 'drops repeated lines', spares: ['uniq a b'] },
  { pattern: 'cut *', reach: 'workspace', why: 'prints columns' },
  { pattern: 'diff *', reach: 'workspace', why: 'compares files of the workspace' },
  { pattern: 'stat *', reach: 'workspace', why: 'prints facts about files of the workspace' },
  { pattern: 'file *', reach: 'workspace', why: 'says what kind of file it is', spares: ['file -C'] },
  { pattern: 'du *', reach: 'workspace', why: 'measures the workspace' },
  { pattern: 'tree *', reach: 'workspace', why: 'lists files of the workspace', spares: ['tree -o x'] },
  { pattern: 'basename *', reach: 'workspace', why: 'takes a path apart' },
  { pattern: 'dirname *', reach: 'workspace', why: 'takes a path apart' },
  { pattern: 'find *', reach: 'workspace', why: SEARCH, matches: ['find . -name x'], spares: ['find . -delete', 'find . -exec id ;'] },
  { pattern: 'grep *', reach: 'workspace', textOperands: 1, never: ['.', './'], why: SEARCH, matches: ['grep -rn foo src'] },
  { pattern: 'rg *', reach: 'workspace', textOperands: 1, never: ['--hidden', '-.', '-u', '-uu', '-uuu', '--unrestricted', '--no-ignore', '--follow', '-L'], why: SEARCH, matches: ['rg -n foo'], spares: ['rg --pre cat x'] },
  { pattern: 'git status *', reach: 'workspace', why: READS_REPOSITORY, matches: ['git status -sb'] },
  { pattern: 'git log *', reach: 'workspace', why: READS_REPOSITORY, matches: ['git log --oneline -3'], spares: ['git log --output=x'] },
  { pattern: 'git diff *', reach: 'workspace', why: READS_REPOSITORY, spares: ['git diff --ext-diff', 'git difftool'] },
  { pattern: 'git show *', reach: 'workspace', why: READS_REPOSITORY, spares: ['git show --textconv'] },
  { pattern: 'git blame *', reach: 'workspace', why: READS_REPOSITORY },
  { pattern: 'git ls-files *', reach: 'workspace', why: READS_REPOSITORY },
  { pattern: 'git rev-parse *', reach: 'workspace', why: READS_REPOSITORY },
  { pattern: 'git branch', reach: 'workspace', why: 'lists branches', spares: ['git branch -D x'] },
  { pattern: 'git branch -a', reach: 'workspace', why: 'lists branches' },
  { pattern: 'git branch --show-current', reach: 'workspace', why: 'prints the branch' },
  { pattern: 'git remote -v', reach: 'workspace', why: 'lists remotes', spares: ['git remote -v add x y'] },
  { pattern: 'git stash list', reach: 'workspace', why: READS_REPOSITORY },
  { pattern: 'npm test *', reach: 'trusted', why: RUNS_TESTS, spares: ['npm test --script-shell=x'] },
  { pattern: 'npm run test *', reach: 'trusted', why: RUNS_TESTS },
  { pattern: 'npm run build', reach: 'trusted', why: 'builds a project you trust' },
  { pattern: 'npm run lint', reach: 'trusted', why: 'lints a project you trust' },
  { pattern: 'npm run typecheck', reach: 'trusted', why: 'checks the types of a project you trust' },
  { pattern: 'npx vitest run *', reach: 'trusted', why: RUNS_TESTS, spares: ['npx vitest run --config x'] },
  { pattern: 'npx tsc --noEmit', reach: 'trusted', why: 'checks the types of a project you trust' },
  { pattern: 'python -m pytest *', reach: 'trusted', why: RUNS_TESTS, spares: ['python -m pytest -p x'] },
  { pattern: 'pytest *', reach: 'trusted', why: RUNS_TESTS },
  { pattern: 'cargo test *', reach: 'trusted', why: RUNS_TESTS, spares: ['cargo test --config x'] },
  { pattern: 'cargo check *', reach: 'trusted', why: 'checks a project you trust' },
  { pattern: 'go test *', reach: 'trusted', why: RUNS_TESTS, spares: ['go test -exec x'] },
  { pattern: 'go vet *', reach: 'trusted', why: 'checks a project you trust' },
]

export function defaultRules(): Rule[] {
  return DEFAULT_ROWS.map(row => {
    const pattern = readPattern(row.pattern)
    if ('problem' in pattern) throw new Error(`default rule "${row.pattern}" ${pattern.problem}`)
    return {
      pattern,
      source: 'default',
      why: row.why,
      reach: row.reach,
      options: 'any',
      textOperands: row.textOperands ?? 0,
      never: row.never ?? [],
    }
  })
}
