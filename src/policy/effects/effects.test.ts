import { describe, expect, test } from 'vitest'
import { roughScan } from '../destructive/rough-scan.ts'
import { unwrap } from '../destructive/unwrap.ts'
import { Effort } from '../model/effort.ts'
import { EFFECTS, effectsOf } from './effects.ts'

/** Whether the row is about anything that the line runs. */
const fits = (row: (typeof EFFECTS)[number], line: string): boolean =>
  roughScan(line)
    .flatMap(({ argv }) => unwrap(argv, new Effort()).commands)
    .some(argv => effectsOf(argv, [row]).length > 0)

describe.each(EFFECTS.map(row => [`${row.program.source}: ${row.examples.matches[0]}`, row] as const))(
  '%s',
  (_, row) => {
    test.each(row.examples.matches)('%s is such a command', line => {
      expect(fits(row, line)).toBe(true)
    })

    test.each(row.examples.spares)('%s is none', line => {
      expect(fits(row, line)).toBe(false)
    })

    test('it has examples of both, and says why anybody should know', () => {
      expect(row.examples.matches.length && row.examples.spares.length).toBeGreaterThan(0)
      expect(row.tier === 'grave' || row.reaches !== undefined).toBe(true)
    })
  },
)
