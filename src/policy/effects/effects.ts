import { programName } from '../destructive/unwrap.ts'
import { CHANGES_HERE } from './changes-here.ts'
import { DOES_HERE } from './does-here.ts'
import { type EffectRow, effectOf } from './effect-row.ts'
import { GRAVE_ELSEWHERE } from './grave-elsewhere.ts'
import { GRAVE_GIT } from './grave-git.ts'
import { GRAVE_HERE } from './grave-here.ts'
import { REACHES_HERE } from './reach-here.ts'
import { REACHES_MACHINES } from './reach-machines.ts'
import { REACHES_OTHERS } from './reach-others.ts'

/** Everything that is known to be hard to undo, to reach beyond the project, or to do something in it. The first row that fits gives the reason. */
export const EFFECTS: readonly EffectRow[] = [
  ...GRAVE_HERE,
  GRAVE_GIT,
  ...GRAVE_ELSEWHERE,
  ...REACHES_HERE,
  ...REACHES_MACHINES,
  ...REACHES_OTHERS,
  ...DOES_HERE,
  ...CHANGES_HERE,
]

export interface Effect {
  readonly row: EffectRow
  readonly words: string
}

/** What one command does, wrappers taken off. */
export function effectsOf(argv: readonly string[], rows: readonly EffectRow[] = EFFECTS): Effect[] {
  const [program = '', ...words] = argv
  const name = programName(program).replace(/\.exe$/i, '')
  return rows.flatMap(row => {
    const said = effectOf(row, name, words)
    return said === null ? [] : [{ row, words: said }]
  })
}
