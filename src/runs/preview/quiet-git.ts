import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { neutralGitEnv } from '../../policy/git/neutral-git-env.ts'
import { repositoryProblem } from '../facts/repository-problem.ts'
import type { LookBudget } from './look-budget.ts'

/** Never looked up in a PATH: whoever sets that could name another program. */
const USUAL_PLACES = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git']
const LARGEST_BYTES = 64 * 1024

/** The first words of git's answer; null: it had none, or said no. */
export type AskGit = (...args: readonly string[]) => string | null

/**
 * Asks git about a repository, neutrally: no hook, pager, monitor or helper is started, nothing is fetched and nothing written. Where
 * the repository's own configuration could start something, nobody asks.
 */
export function quietGit(
  cwd: string,
  { home, budget }: { readonly home: string | null; readonly budget: LookBudget },
): AskGit | { readonly problem: string } {
  const problem = repositoryProblem(cwd)
  if (problem !== null) return { problem: `git was not asked: ${problem}` }
  const git = USUAL_PLACES.find(place => existsSync(place))
  if (git === undefined) return { problem: 'git is in none of its usual places' }
  const env = {
    ...neutralGitEnv(),
    ...(home !== null && { HOME: home }),
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  }

  return (...args) => {
    if (budget.isSpent) return null
    try {
      const timeout = Math.ceil(budget.leftMs)
      const options = { cwd, env, timeout, killSignal: 'SIGKILL', maxBuffer: LARGEST_BYTES, encoding: 'utf8' } as const
      return execFileSync(git, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return null // no such reference, no time left, or not a repository that git takes
    }
  }
}
