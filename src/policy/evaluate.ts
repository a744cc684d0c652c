import { resolve } from 'node:path'
import { decide } from './decide.ts'
import { readPattern } from './pattern.ts'
import type { Shell } from './reading.ts'
import type { Facts, Rule } from './rules.ts'
import type { Lane, Verdict } from './verdict.ts'

/** One line of `policy eval`: how the gate is scored, by us and by strangers (SECURITY.md). */
export interface PolicyCase {
  readonly id: string
  readonly shell?: Shell | undefined
  readonly allowlist: readonly string[]
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly lane?: Lane | undefined
}

export type PolicyAnswer = { readonly id: string } & Verdict

/** A made-up machine: cases name no real files, so every program is found and every path is what it says. */
const NO_MACHINE: Facts = {
  realPath: (path, from) => resolve(from, path),
  program: name => ({ path: `/usr/bin/${name}` }),
  ours: [],
}
const SOMEWHERE = '/home/user/projects/app'

/** Judges a case by its own allowlist alone: the defaults are off. Pure. */
export function evaluate(given: PolicyCase): PolicyAnswer {
  const shell = given.shell ?? 'bash'
  const rules = given.allowlist.flatMap((text): Rule[] => {
    const pattern = readPattern(text, shell)
    if ('problem' in pattern) return []
    return [{ pattern, source: 'allowlist', why: `your rule "${text}"`, reach: 'anywhere', options: 'any' }]
  })
  const verdict = decide(
    { command: given.command, args: given.args, env: given.env, cwd: SOMEWHERE, shell },
    { rules, workspace: null, autoApprove: 'allowlist', facts: NO_MACHINE },
    given.lane ?? 'interactive',
  )
  return { id: given.id, ...verdict }
}
