import { createInterface } from 'node:readline'
import * as z from 'zod'
import { defaultRules } from '../../policy/files/default-rules.ts'
import { evaluate, rulesOf } from '../../policy/judge/evaluate.ts'
import { isInside } from '../../policy/model/inside.ts'
import { SHELLS } from '../../policy/model/reading.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { judgeHeadless, judgeInteractive, rulesOn } from '../../runs/facts/judge-line.ts'
import { inheritedEnv } from '../../runs/plan/base-env.ts'
import { findVenv, isVenv, realDirectory, venvEnv } from '../../runs/plan/virtual-env.ts'
import type { worldOf } from '../machine/world.ts'

const line = {
  id: z.string(),
  // A shell nobody here reads is treated like one that is never run unasked.
  shell: z.enum(SHELLS).catch('fish').default('bash'),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.record(z.string(), z.string()).nullish(),
  lane: z.enum(['headless', 'interactive']).default('interactive'),
}
/** Words only: judged by its own list, on a made-up machine. */
const Words = z.object({ ...line, allowlist: z.array(z.string()) })
/** With its surroundings: judged on the disk that is there, as server and host would. */
const Placed = z.object({
  ...line,
  cwd: z.string(),
  workspace: z.object({ directory: z.string(), trusted: z.boolean().default(false) }).nullish(),
  patterns: z.array(z.string()).default([]),
  defaults: z.boolean().default(true),
  venv_path: z.string().nullish(),
  activate_venv: z.boolean().nullish(),
})

type World = ReturnType<typeof worldOf>

/** Judges one case per line and answers one line each, whatever comes in: it is how the gate is scored (docs/policy.md). */
export async function policyEval(
  input: NodeJS.ReadableStream,
  say: (line: string) => void,
  world: () => World,
): Promise<number> {
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (text.trim() !== '') say(`${JSON.stringify(judge(text, world))}\n`)
  return 0
}

function judge(text: string, world: () => World): Record<string, unknown> {
  const refused = (id: unknown, why: string) => ({ id, verdict: 'blocked', why, parts: [], flags: [] })
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return refused(null, 'the line is not JSON')
  }
  const { id = null, cwd } = (raw ?? {}) as { id?: unknown; cwd?: unknown }
  const parsed = cwd === undefined ? Words.safeParse(raw) : Placed.safeParse(raw)
  if (!parsed.success) return refused(id, `not a case: ${z.prettifyError(parsed.error)}`)
  const found = 'cwd' in parsed.data ? placed(parsed.data, world()) : evaluate(plain(parsed.data))
  if ('problem' in found) return refused(id, `not a case: ${found.problem}`)
  const { verdict, why, parts, flags, tier, reaches } = found
  return { id, verdict, why, parts, flags, tier, reaches }
}

const plain = <T extends z.output<typeof Words> | z.output<typeof Placed>>({ args, env, ...rest }: T) => ({
  ...rest,
  args: args ?? undefined,
  env: env ?? undefined,
})

function placed(given: z.output<typeof Placed>, world: World): Verdict | { readonly problem: string } {
  const cwd = realDirectory(given.cwd)
  if (cwd === null) return { problem: `${given.cwd} is not a directory` }
  const bound = given.workspace ? realDirectory(given.workspace.directory) : null
  if (given.workspace && bound === null) return { problem: `${given.workspace.directory} is not a directory` }
  const workspace =
    bound !== null && isInside(bound, cwd)
      ? { id: 'case', directory: bound, trusted: given.workspace?.trusted === true }
      : null
  const venv = given.venv_path ? realDirectory(given.venv_path) : given.activate_venv ? findVenv([cwd]) : null
  if ((given.venv_path && (venv === null || !isVenv(venv))) || (given.activate_venv && venv === null))
    return { problem: 'there is no virtual environment' }
  const ownPath = inheritedEnv(world.env).PATH ?? ''
  const path = given.env?.PATH ?? ownPath
  const surroundings = {
    machine: world,
    rules: [...rulesOf(given.patterns, given.shell), ...(given.defaults ? defaultRules() : [])],
    workspace,
    autoApprove: 'allowlist' as const,
  }
  const wanted = { ...plain(given), cwd }
  if (given.lane === 'headless') return judgeHeadless(wanted, rulesOn(surroundings, cwd, ownPath))
  const rules = rulesOn(surroundings, cwd, venvEnv(venv, path).PATH ?? path)
  return judgeInteractive(wanted, rules, { venv, ownPath }, world)
}
