import { describe, expect, test } from 'vitest'
import { LONGEST, lineOf, WORST_LINES, type WorstLine } from '../../../test/data/worst-lines.ts'
import { catastrophe } from '../destructive/catastrophe.ts'
import { roughScan } from '../destructive/rough-scan.ts'
import { grave } from '../effects/grave.ts'
import { Effort } from '../model/effort.ts'
import { powershellLineCatastrophe } from '../rules/powershell-rules.ts'
import { evaluate } from './evaluate.ts'

const named = WORST_LINES.map(worst => [worst.name, worst] as const)
const verdictOf = (command: string, { shell }: WorstLine, lane: 'interactive' | 'headless' = 'interactive') =>
  evaluate({ id: '', allowlist: ['ls *', 'git status', 'sed *', 'awk *'], command, shell, lane }).verdict

const WIPING = {
  bash: 'rm -rf /',
  zsh: 'rm -rf /',
  powershell: 'Remove-Item -Recurse -Force C:\\',
  cmd: 'rd /s /q C:\\',
}
/** What stands behind these is still text: a document or a quote that nobody closed. */
const NEVER_CLOSED = /^(?:here-documents|a here-document|shells in shells|quotes$)/

describe('64 KiB that are nothing but work', () => {
  test.each(named)('%s: asked, and refused where nobody can be asked', (_, worst) => {
    const line = lineOf(worst)
    expect([verdictOf(line, worst), verdictOf(line, worst, 'headless')]).toEqual(['approval', 'blocked'])
  })

  test.each(named)('%s: a wiping command before them is still refused for good', (_, worst) => {
    const line = lineOf({ ...worst, before: `${WIPING[worst.shell]}\n${worst.before ?? ''}` })
    expect(verdictOf(line, worst)).toBe('destructive')
  })

  test.each(named.filter(([name]) => !NEVER_CLOSED.test(name)))(
    '%s: a wiping command behind them is still refused for good',
    (_, worst) => {
      const line = lineOf({ ...worst, after: `${worst.after ?? ''}\n${WIPING[worst.shell]}` })
      expect(verdictOf(line, worst)).toBe('destructive')
    },
  )

  test.each(named)('%s: looking ends soon after the steps are used up', (_, worst) => {
    const effort = new Counted()
    const line = lineOf(worst)
    const scanned = roughScan(line, effort)
    catastrophe(line, '/home/user', { effort, scanned })
    powershellLineCatastrophe(line, effort)
    grave(scanned, effort)
    expect(effort.looks).toBeLessThan(60_000)
  })
})

test.each(['sudo ', 'env -C a ', 'timeout 5 ', 'nice -n 5 ', 'xargs -I x ', 'cmd /c ', 'eval ', 'docker run a '])(
  'no number of %s hides what they run',
  wrapper => {
    const worst: WorstLine = { name: '', shell: 'bash', piece: wrapper, after: 'rm -rf ~' }
    expect(verdictOf(lineOf(worst), worst)).toBe('destructive')
  },
)

test('more than 64 KiB is asked, and looked at from both ends', () => {
  const worst: WorstLine = { name: '', shell: 'bash', piece: 'a ' }
  const filler = 'a '.repeat(LONGEST)
  const lines = [`ls ${filler}`, `rm -rf /; ls ${filler}`, `ls ${filler}; rm -rf /`]
  expect(lines.map(line => verdictOf(line, worst))).toEqual(['approval', 'destructive', 'destructive'])
})

class Counted extends Effort {
  looks = 0

  override spend(steps: number): boolean {
    this.looks += 1
    return super.spend(steps)
  }
}
