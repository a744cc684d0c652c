import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPattern } from './pattern.ts'
import type { Rule } from './rules.ts'
import { rulesFor } from './rules-by-program.ts'

const rule = (text: string): Rule => {
  const pattern = readPattern(text)
  if ('problem' in pattern) throw new Error(pattern.problem)
  return { pattern, source: 'default', why: text, reach: 'anywhere', options: 'any' }
}

describe('rules by program', () => {
  it('keeps the order of the rules for one program, and of no other', () => {
    const rules = ['git log *', 'ls', 'git status', 'git *'].map(rule)
    rulesFor('git', rules)
    expect(rulesFor('git', rules).map(({ why }) => why)).toEqual(['git log *', 'git status', 'git *'])
    expect(rulesFor('rm', rules)).toEqual([])
  })

  it('finds whatever a look through all of them finds, however often it is asked', () => {
    const program = fc.constantFrom('git', 'ls', 'npm', 'cat')
    fc.assert(
      fc.property(
        fc.array(program, { maxLength: 12 }),
        program,
        fc.integer({ min: 1, max: 4 }),
        (names, wanted, times) => {
          const rules = names.map(rule)
          const forIt = (list: readonly Rule[]) => list.filter(({ pattern }) => pattern.words[0] === wanted)
          for (let i = 0; i < times; i++) expect(forIt(rulesFor(wanted, rules))).toEqual(forIt(rules))
        },
      ),
    )
  })
})
