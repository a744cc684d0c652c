import type { Verdict } from '../../src/policy/model/verdict.ts'
import type { DispatchJail } from './dispatch-jail.ts'
import type { Dispatch } from './dispatch-records.ts'
import type { Judge, Trial } from './gate-under-test.ts'
import { mutate } from './mutate.ts'
import { Random } from './random.ts'
import { whyEscape } from './why-escape.ts'

export interface Escape extends Trial {
  readonly why: string
}

export interface CampaignReport {
  readonly mutants: number
  /** Distinct lines the gate called auto: what bash got to see. */
  readonly autos: number
  readonly escapes: readonly Escape[]
}

export interface Campaign {
  readonly seed: number
  readonly mutants: number
  readonly seeds: readonly Trial[]
  readonly judge: Judge
  /** Two, because one runs the lines with succeeding programs while the other runs them with failing ones. */
  readonly jails: readonly [DispatchJail, DispatchJail]
  readonly mostEscapes: number
  /** For a broken gate: what this one understands in the same way is not given to bash, for it says nothing about the break. */
  readonly whole?: Judge
  /** Mutants made before bash is asked: more is faster, fewer finds the first escape sooner. */
  readonly roundSize?: number
  readonly progress?: (soFar: CampaignReport) => void
}

const ROUND = 20_000

/** Mutates, asks the gate, and gives every *auto* to a real bash. Stops early once there are enough escapes to look at. */
export async function runCampaign(campaign: Campaign): Promise<CampaignReport> {
  const { judge, whole, seeds, jails } = campaign
  const random = new Random(campaign.seed)
  const tried = new Set<string>()
  const escapes: Escape[] = []
  let mutants = 0
  let autos = 0
  let pool: readonly Trial[] = seeds
  while (mutants < campaign.mutants && escapes.length < campaign.mostEscapes) {
    const size = Math.min(campaign.roundSize ?? ROUND, campaign.mutants - mutants)
    const round: Trial[] = mutants === 0 ? [...seeds] : []
    for (let i = 0; i < size; i++) round.push(mutate(pool, random))
    mutants += size
    const fresh = round.filter(trial => {
      const key = `${trial.allowlist.length}\0${trial.allowlist[0]}\0${trial.line}`
      if (tried.has(key)) return false
      tried.add(key)
      return judge(trial).verdict === 'auto'
    })
    autos += fresh.length
    const telling = whole ? fresh.filter(trial => !isSame(judge(trial), whole(trial))) : fresh
    escapes.push(...(await findEscapes(telling, judge, jails)))
    // What the gate understands breeds further: mutants of mutants reach deeper than mutants of seeds.
    pool = [...seeds, ...fresh.slice(0, seeds.length)]
    if (tried.size > 2_000_000) tried.clear()
    campaign.progress?.({ mutants, autos, escapes })
  }
  return { mutants, autos, escapes }
}

/** They run the line alike, and foresee the same words. */
const isSame = (one: Verdict, other: Verdict): boolean =>
  one.verdict === other.verdict &&
  JSON.stringify(one.parts.map(({ argv }) => argv)) === JSON.stringify(other.parts.map(({ argv }) => argv))

/** The trials among `autos` in which bash did something the allowlist does not cover. */
export async function findEscapes(
  autos: readonly Trial[],
  judge: Judge,
  jails: readonly [DispatchJail, DispatchJail],
): Promise<Escape[]> {
  const lines = autos.map(trial => trial.line)
  // A NUL cannot be handed to a shell at all, and must never have got this far.
  const runnable = lines.map(line => line.replaceAll('\0', '\x01'))
  const passes = await Promise.all([jails[0].run(runnable, 0), jails[1].run(runnable, 1)])
  return autos.flatMap((trial, i) => {
    const why = trial.line.includes('\0')
      ? 'the line holds a NUL'
      : passes.map(pass => whyEscape(trial, pass[i] as Dispatch, judge)).find(found => found !== null)
    return why ? [{ ...trial, why }] : []
  })
}
