import { basename, isAbsolute, resolve } from 'node:path'
import { roughScan } from '../destructive/rough-scan.ts'
import { deception } from '../model/display-flags.ts'
import { isInside } from '../model/inside.ts'
import { unsafeVariable } from '../model/request-env.ts'
import type { Verdict } from '../model/verdict.ts'
import { isSecretPath } from '../reads/secret-files.ts'
import type { Workspace } from '../rules/rules.ts'
import { notForTrying } from './not-for-trying.ts'

/** A line that needs approval, as it would be tried. */
export interface TriedLine {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** A real directory. */
  readonly cwd: string
  readonly shell: string
}

const LONGEST = 8 * 1024
/** The same inside and outside. */
const SYSTEM =
  /^\/(?:usr|bin|sbin|lib|lib64)(?:\/|$)|^\/dev\/(?:null|zero|stdin|stdout|stderr|fd|random|urandom)(?:\/|$)/
/** `~`, `$HOME` and their kin stand for a place that is empty inside. */
const HOME = /(?:^|[\s"'=:(<>])~|\$\{?(?:HOME|OLDPWD|XDG_\w+|TMPDIR|SSH_\w+|USERPROFILE)\b/
const BACKGROUND = /(?:^|[^&>|<\\])&(?![&>\d])/

/**
 * Why a line that no rule covers goes straight to the person although the folder tries first; null: it is tried. Pure, and only
 * about whether the answer of a sandbox would be worth having, and about what is shown to agents: that nothing gets out of it
 * depends on none of this.
 */
export function tryProblem(line: TriedLine, verdict: Verdict, workspace: Workspace): string | null {
  const { command, args, env, cwd, shell } = line
  const text = [command, ...(args ?? [])].join(' ')
  if (verdict.tier !== 'none') return 'it is hard to undo'
  if (text.length > LONGEST) return 'it is too long'
  if (deception(text, verdict.flags) !== null) return 'it is not what it looks like'
  if (unsafeVariable(env) !== null) return 'it sets variables'
  if (shell !== 'bash' && shell !== 'sh' && shell !== 'none') return `${shell} is not tried`
  if (!isInside(workspace.directory, cwd)) return 'it runs outside the folder'
  if (HOME.test(text)) return 'it names the home directory, which is empty in the sandbox'
  if (args === undefined && BACKGROUND.test(withoutQuotes(command))) return 'it leaves something in the background'

  const read = verdict.parts.flatMap(({ argv }) => (argv === null ? [] : [argv]))
  const scanned = args === undefined ? roughScan(command) : []
  for (const argv of [...read, ...scanned.map(({ argv }) => argv)]) {
    const why = notForTrying(argv) ?? argv.map(word => wordProblem(word, cwd, workspace)).find(each => each !== null)
    if (why !== null && why !== undefined) return why
  }
  const sink = scanned.flatMap(({ sinks }) => sinks).find(each => !SYSTEM.test(each) && !/^&?\d+$/.test(each))
  return sink === undefined ? null : `it writes ${basename(sink)}`
}

const withoutQuotes = (text: string): string => text.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '')

/** A word that leads out of the folder, or to a secret: there it would find nothing, or be refused. */
function wordProblem(word: string, cwd: string, { directory }: Workspace): string | null {
  for (const value of [word, word.slice(word.indexOf('=') + 1)]) {
    if (isAbsolute(value) && !SYSTEM.test(value) && !isInside(directory, resolve(value)) && looksLikePath(value))
      return `${value} is outside the folder`
    if (/(?:^|\/)\.\.(?:\/|$)/.test(value) && !/\s/.test(value) && !isInside(directory, resolve(cwd, value)))
      return `${value} is outside the folder`
    if (!/\s/.test(value) && isSecretPath(value)) return `${value} may hold secrets`
  }
  return null
}

/** `/^import/` is an expression, and so is what holds spaces. */
const looksLikePath = (value: string): boolean => /^\/[\w.@+-]+(?:\/[\w.@+*?[\]{}-]*)*$/.test(value)
