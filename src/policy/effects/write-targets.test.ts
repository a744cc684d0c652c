import { expect, test } from 'vitest'
import { roughScan } from '../destructive/rough-scan.ts'
import { WRITERS, writeTargets } from './write-targets.ts'

const EXAMPLES = WRITERS.flatMap(row =>
  Object.entries(row.examples).map(([line, files]) => [line, files, row] as const),
)

test.each(EXAMPLES)('%s changes %j', (line, files, row) => {
  const found = roughScan(line).flatMap(({ argv }) => writeTargets(argv, [row]))
  expect(found.map(({ path }) => path)).toEqual(files)
})
