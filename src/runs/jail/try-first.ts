import { drawable } from '../../contract/tool/issues.ts'
import type { Sandbox } from '../../contract/tool/response.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Workspace } from '../../policy/rules/rules.ts'
import { type TriedLine, tryProblem } from '../../policy/trying/try-problem.ts'
import type { Jail, Jails } from './jail.ts'
import { OUTSIDE, type Outside, WANT_WORDS } from './wanted-outside.ts'

export interface TryWish {
  readonly line: TriedLine
  /** What the gate says without a sandbox. */
  readonly verdict: Verdict
  readonly workspace: Workspace
  readonly path: string
  /** How it went in the sandbox, if this very run was there already. */
  readonly before: Sandbox | null
}

const MOST_FAILURES = 2
const MOST_REMEMBERED = 500

/** What becomes of a line that no rule covers, in a folder where the person wants such lines tried: into the sandbox, or asked with the reason. */
export class TryFirst {
  readonly #jails: Pick<Jails, 'make' | 'doubt'>
  /** How often the sandbox was not enough, by folder and first words. */
  readonly #failures = new Map<string, number>()

  constructor(jails: Pick<Jails, 'make' | 'doubt'>) {
    this.#jails = jails
  }

  judge(wish: TryWish): { readonly verdict: Verdict; readonly jail: Jail | null } {
    const { line, verdict, workspace, path, before } = wish
    const key = `${workspace.id}\0${firstWords(line)}`
    if (before !== null) return { verdict: this.#failed(wish, before, key), jail: null }
    const asks = (why: string) => ({
      verdict: { ...verdict, why: `${verdict.why}; not tried in the sandbox: ${why}` },
      jail: null,
    })

    const problem = tryProblem(line, verdict, workspace)
    if (problem !== null) return asks(problem)
    if ((this.#failures.get(key) ?? 0) >= MOST_FAILURES) return asks('the same did not work there before')
    const jail = this.#jails.make({ workspace: workspace.directory, cwd: line.cwd, path })
    if ('problem' in jail) return asks(jail.problem)
    const why = `${verdict.why}; tried in the sandbox, where it can change nothing`
    return { verdict: { ...verdict, verdict: 'try', why }, jail }
  }

  #failed({ verdict }: TryWish, { wanted }: Sandbox, key: string): Verdict {
    if (wanted === undefined) return verdict
    if (wanted.what === 'no_start') this.#jails.doubt()
    else {
      this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1)
      const [oldest] = this.#failures.keys()
      if (this.#failures.size > MOST_REMEMBERED && oldest !== undefined) this.#failures.delete(oldest)
    }
    return { ...verdict, why: `${verdict.why}; ${wantWords(wanted)}` }
  }
}

/** What was found when it was tried, for the person and for the agent. */
export function wantWords({ what, line }: NonNullable<Sandbox['wanted']>): string {
  const known = OUTSIDE.find(each => each === what) ?? ('secrets' satisfies Outside)
  const said = line === '' ? '' : ` ("${drawable(line)}")`
  return `tried in the sandbox, it failed for want of ${WANT_WORDS[known]}${said}`
}

/** `npm test` and whatever follows it; with an option behind the program the whole line, which may be code. */
function firstWords({ command, args }: TriedLine): string {
  const words = args === undefined ? command.trim().split(/\s+/) : [command, ...args]
  return (words[1]?.startsWith('-') ? words : words.slice(0, 2)).join(' ')
}
