import { RepositoryMould } from './repository-mould.ts'
import { runSurroundings } from './surroundings-campaign.ts'
import { CLOSED_EYES } from './surroundings-eyes.ts'
import { noScratchRoot, SurroundingsJail } from './surroundings-jail.ts'

interface Soak {
  readonly runs: number
  readonly seed: number
  readonly say: (text: string) => void
}

/** The long campaign, and how soon it catches each closed eye. True when nothing was harmed and every closed eye was caught. */
export async function soakSurroundings({ runs, seed, say }: Soak): Promise<boolean> {
  const missing = noScratchRoot()
  if (missing !== null) {
    say(`surroundings: ${missing}, nothing can be run safely`)
    return false
  }
  const jail = new SurroundingsJail()
  const mould = new RepositoryMould()
  try {
    const startedAt = performance.now()
    let toldAt = 0
    let harmsSaid = 0
    const report = await runSurroundings({
      seed,
      runs,
      lines: Infinity,
      jail,
      mould,
      mostHarms: 10,
      progress: ({ judged, ran, harms }) => {
        for (const found of harms.slice(harmsSaid)) say(`HARM ${JSON.stringify(found)}`)
        harmsSaid = harms.length
        if (ran - toldAt < 1_000 && ran < runs) return
        toldAt = ran
        const rate = Math.round(ran / ((performance.now() - startedAt) / 1000))
        say(`surroundings: seed ${seed}  ${judged} judged  ${ran} ran  ${harms.length} harms  ${rate}/s`)
      },
    })
    let caughtAll = true
    for (const { blindTo, eyes } of CLOSED_EYES) {
      const { harms, judged } = await runSurroundings({ seed, lines: 20_000, jail, mould, mostHarms: 1, eyes })
      const [first] = harms
      const how = first && `caught within ${judged} lines: ${JSON.stringify(first.line)}, ${first.why}`
      say(first ? `bites: blind to ${blindTo}, ${how}` : `DOES NOT BITE: blind to ${blindTo}`)
      caughtAll &&= first !== undefined
    }
    return report.harms.length === 0 && caughtAll
  } finally {
    jail.dispose()
    mould.dispose()
  }
}
