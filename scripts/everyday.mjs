#!/usr/bin/env node
// What agents run all day and how much of it asks: npm run everyday. Judges harmless lines on a tree as agents meet it, in a
// trusted, a bound and an unbound folder, and says of each that still needs approval what would make it free.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everydayGate, everydayLines, PLACES } from './everyday-places.mjs'

const LANES = ['interactive', 'headless']
const dir = realpathSync(mkdtempSync(join(tmpdir(), 'it-everyday-')))
try {
  const { judge, frees } = await everydayGate(dir)
  const groups = everydayLines()
  const judged = Object.entries(groups).flatMap(([group, lines]) =>
    lines.flatMap(line =>
      PLACES.flatMap(place => LANES.map(lane => ({ group, line, place, lane, ...judge(line, place, lane) }))),
    ),
  )
  const share = rows => {
    const auto = rows.filter(({ verdict }) => verdict === 'auto').length
    return `${auto}/${rows.length} (${Math.round((100 * auto) / rows.length)} %)`
  }
  console.log('| lines | lane | trusted | bound | unbound |\n|---|---|---|---|---|')
  for (const group of Object.keys(groups))
    for (const lane of LANES) {
      const cells = PLACES.map(place =>
        share(judged.filter(each => each.group === group && each.lane === lane && each.place === place)),
      )
      console.log(`| ${[group, lane, ...cells].join(' | ')} |`)
    }

  const interactive = judged.filter(({ lane }) => lane === 'interactive')
  const asking = place =>
    interactive
      .filter(each => each.place === place && each.verdict !== 'auto')
      .map(each => ({ ...each, frees: frees(each.line, place) ?? 'nothing' }))
  const isForTrust = each => /^trust this folder: policy trust$/.test(each.frees)
  for (const place of ['app', 'bound']) {
    const open = asking(place)
    const rest = open.filter(each => !isForTrust(each))
    console.log(`\nStill asks in ${place === 'app' ? 'a trusted' : 'a bound'} folder: ${rest.length}`)
    for (const each of rest) console.log(`  ${each.line}\n      ${each.why}\n      → ${each.frees}`)
    if (rest.length < open.length) console.log(`  and ${open.length - rest.length} that are free once it is trusted`)
  }

  const elsewhere = asking('unbound')
  const bindable = elsewhere.filter(each => each.frees === 'bind this folder').length
  const trusted = elsewhere.filter(isForTrust).length
  const free = interactive.filter(each => each.place === 'unbound' && each.verdict === 'auto').length
  console.log(
    `\nIn no folder of the person's: ${free} lines read nothing and are free, ${bindable} are once it is bound, ` +
      `${trusted} once it is trusted, ${elsewhere.length - bindable - trusted} for other reasons not.`,
  )
} finally {
  rmSync(dir, { recursive: true, force: true })
}
