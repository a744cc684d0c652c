// Prints numbered lines, each with the moment at which it was written: node ticker.mjs <lines> <ms between them>.
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [lines, gapMs] = process.argv.slice(2).map(Number)
for (let number = 0; number < lines; number++) {
  await sleep(gapMs)
  writeSync(1, `tick ${number} at ${(performance.timeOrigin + performance.now()).toFixed(3)}.\n`)
}
