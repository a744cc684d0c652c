import { resolve } from 'node:path'
import { MOST_NAMED, type PreviewItem } from '../../contract/preview/preview-frames.ts'
import type { LookBudget } from './look-budget.ts'
import { type AskGit, quietGit } from './quiet-git.ts'
import { shortName, unknown } from './short-name.ts'

const WHAT = 'what git push sends'
const LATER = 'known only when it runs'
const MOST_REFS = 3

/** Which commits a push would send and where to, by what was last fetched. Nothing is asked over a network. */
export function pushedCommits(
  argv: readonly string[],
  cwd: string,
  { home, ownGit, budget }: { readonly home: string | null; readonly ownGit: boolean; readonly budget: LookBudget },
): PreviewItem[] {
  const push = readPush(argv, cwd)
  if ('why' in push) return [unknown(WHAT, push.why)]
  if (ownGit) return [unknown(WHAT, 'the request sets variables that change what git does')]
  const git = quietGit(push.cwd, { home, budget })
  if ('problem' in git) return [unknown(WHAT, git.problem)]

  const branch = git('symbolic-ref', '--short', '-q', 'HEAD')
  const remote = push.remote ?? remoteOf(git, branch)
  const address = git('remote', 'get-url', '--push', '--', remote)
  if (address === null || address.includes('\n')) return [unknown(WHAT, `${remote} is no remote of this repository`)]
  const refs = push.refs.length === 0 ? [defaultRef(git, branch, remote)] : push.refs
  if (refs.length > MOST_REFS) return [unknown(WHAT, `it names ${refs.length} branches`)]

  const to = { remote: shortName(remote), address: shortName(withoutPassword(address)) }
  return refs.map(ref => (ref === null ? unknown(WHAT, LATER) : pushedRef(git, ref, { ...to, push, branch })))
}

interface Push {
  readonly cwd: string
  readonly remote: string | null
  readonly refs: readonly string[]
  readonly forces: boolean
  readonly deletes: boolean
}

const PLAIN_OPTION =
  /^-[ufqvnd46]+$|^--(?:set-upstream|force|force-with-lease(?:=.*)?|force-if-includes|(?:no-)?verify|quiet|verbose|(?:no-)?progress|(?:no-)?atomic|porcelain|(?:no-)?thin|delete|dry-run|no-follow-tags)$/

/** The words of a push; `why`: one of them is not read here. */
function readPush(argv: readonly string[], from: string): Push | { readonly why: string } {
  let cwd = from
  let at = 1
  for (; argv[at] !== 'push'; at += 1) {
    const word = argv[at] ?? ''
    const next = argv[at + 1]
    if (word === '-C' && next !== undefined) {
      cwd = resolve(cwd, next)
      at += 1
    } else if (!/^(?:--no-pager|-P)$/.test(word)) return { why: `${word} changes how git reads it` }
  }

  const words: string[] = []
  const options: string[] = []
  const rest = argv.slice(at + 1)
  for (const [i, word] of rest.entries()) {
    if (word === '-o' || word === '--push-option' || /^(?:-o|--push-option)$/.test(rest[i - 1] ?? '')) continue
    if (!word.startsWith('-')) words.push(word)
    else if (PLAIN_OPTION.test(word)) options.push(word)
    else return { why: `${word} is not known here` }
  }

  const [remote = null, ...refs] = words
  const forces = options.some(word => /^-[a-z]*f|^--force/.test(word))
  return { cwd, remote, refs, forces, deletes: options.some(word => /^-[a-z]*d|^--delete$/.test(word)) }
}

function remoteOf(git: AskGit, branch: string | null): string {
  const own = branch === null ? null : (git('config', `branch.${branch}.pushRemote`) ?? null)
  const usual = branch === null ? null : git('config', `branch.${branch}.remote`)
  return own ?? git('config', 'remote.pushDefault') ?? usual ?? 'origin'
}

/** Without a name it is the branch one is on, under the name that the person's settings give it there. */
function defaultRef(git: AskGit, branch: string | null, remote: string): string | null {
  const there = git('rev-parse', '--symbolic-full-name', '@{push}')
  const prefix = `refs/remotes/${remote}/`
  if (there?.startsWith(prefix)) return `HEAD:${there.slice(prefix.length)}`
  return branch === null ? null : `HEAD:${branch}`
}

function pushedRef(
  git: AskGit,
  ref: string,
  { push, branch, ...to }: { remote: string; address: string; push: Push; branch: string | null },
): PreviewItem {
  const isForced = push.forces || ref.startsWith('+')
  const [from = '', named] = ref.replace(/^\+/, '').split(':')
  const isDeletion = push.deletes || from === ''
  const target = named ?? (from === 'HEAD' && branch !== null ? branch : from)
  const name = target.replace(/^refs\/heads\//, '')
  if (name === '' || name.startsWith('refs/') || name.startsWith('-')) return unknown(WHAT, `${ref} is not read here`)

  const there = git('rev-parse', '-q', '--verify', '--end-of-options', `refs/remotes/${to.remote}/${name}^{commit}`)
  const about = { about: 'pushes', ...to, branch: shortName(name) } as const
  const none = { commits: 0, first: [], is_new: false }
  if (isDeletion) return { ...about, ...none, lost: null, deletes: true }
  const isBranch = from === 'HEAD' || git('show-ref', '--verify', '--hash', `refs/heads/${from}`) !== null
  const here = isBranch ? git('rev-parse', '-q', '--verify', '--end-of-options', `${from}^{commit}`) : null
  if (here === null) return unknown(WHAT, `${from} is no branch here`)

  const range = there === null ? [here, '--not', `--remotes=${to.remote}`] : [`${there}..${here}`]
  const count = git('rev-list', '--count', ...range)
  const shown = git('log', '--no-color', '--no-decorate', '--no-notes', '--format=%h %s', `-n${MOST_NAMED}`, ...range)
  const lost = isForced && there !== null ? git('rev-list', '--count', `${here}..${there}`) : null
  if (count === null || shown === null) return unknown(WHAT, LATER)
  return {
    ...about,
    is_new: there === null,
    commits: Number(count),
    first: shown === '' ? [] : shown.split('\n').map(shortName),
    lost: isForced ? Number(lost ?? 0) : null,
    deletes: false,
  }
}

/** `https://me:secret@host/x`: the person knows it, and somebody may look over their shoulder. */
const withoutPassword = (address: string): string => address.replace(/^(\w[\w+.-]*:\/\/[^/@:\s]*):[^/@\s]*@/, '$1@')
