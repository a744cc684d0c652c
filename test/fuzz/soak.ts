import { brokenGates } from './broken-gates.ts'
import { runCampaign } from './campaign.ts'
import { canJail, DispatchJail } from './dispatch-jail.ts'
import { gateUnderTest } from './gate-under-test.ts'
import { fuzzSeeds } from './seed-lines.ts'
import { shrink } from './shrink.ts'

interface Soak {
  readonly mutants: number
  readonly seed: number
  readonly say: (text: string) => void
}

/** The long campaign, and how soon it catches each broken gate. True when nothing escaped and every broken gate was caught. */
export async function soak({ mutants, seed, say }: Soak): Promise<boolean> {
  if (!canJail()) {
    say('gate: no namespaces here, nothing can be run safely')
    return false
  }
  const jails = [new DispatchJail(), new DispatchJail()] as const
  const seeds = fuzzSeeds()
  const judge = gateUnderTest()
  try {
    const startedAt = performance.now()
    const report = await runCampaign({
      seed,
      mutants,
      seeds,
      judge,
      jails,
      mostEscapes: 10,
      progress: soFar => {
        const rate = Math.round(soFar.mutants / ((performance.now() - startedAt) / 1000))
        say(
          `gate: seed ${seed}  ${soFar.mutants} mutants  ${soFar.autos} reached bash  ${soFar.escapes.length} escapes  ${rate}/s`,
        )
      },
    })
    for (const found of report.escapes.slice(0, 10)) {
      const { line, allowlist, why } = await shrink(found, judge, jails)
      say(`ESCAPE ${JSON.stringify({ name: why, allowlist: allowlist.slice(0, 12), line })}`)
    }
    let caughtAll = true
    for (const gate of brokenGates()) {
      const caught = await runCampaign({
        seed,
        mutants: 100_000,
        seeds,
        judge: gate.judge,
        whole: gate.whole,
        jails,
        mostEscapes: 1,
        roundSize: 500,
      })
      const [first] = caught.escapes
      const how = first && `caught within ${caught.mutants} mutants: ${JSON.stringify(first.line)}, ${first.why}`
      say(first ? `bites: ${gate.broken}, ${how}` : `DOES NOT BITE: ${gate.broken}`)
      caughtAll &&= first !== undefined
    }
    return report.escapes.length === 0 && caughtAll
  } finally {
    for (const jail of jails) jail.dispose()
  }
}
