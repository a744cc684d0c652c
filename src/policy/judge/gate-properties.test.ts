import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPolicyTables } from '../../../test/policy-tables.ts'
import { readBash } from '../read/bash-reader.ts'
import { readByGrammar } from '../read/grammar-reader.ts'
import { readLiterally } from '../read/literal-reader.ts'
import { evaluate } from './evaluate.ts'

const SEED = 20_261_115
const tables = [...readPolicyTables('shell-cases.txt'), ...readPolicyTables('tool-cases.txt')]
const known = tables.flatMap(({ rules, lines }) => lines.map(({ line }) => ({ rules, line })))
const aLine = fc.constantFrom(...known)
/** A comment or a backslash at the end swallows what is added behind it, and an operator at the end waits for it. */
const noComment = fc.constantFrom(...known.filter(({ line }) => !/#|[\\|&]\s*$/.test(line)))
const anyPiece = fc.constantFrom(
  ..."echo ls git status log npm test find -delete -exec id rm -rf / ~ $ ( ) { } [ ] * ? ! # = : , ; & | < > ' \" ` \\ \n \t && || |& 2>&1 >/dev/null <<EOF $( ${ $' \"a b\" 'c d' a=b é 日本".split(
    ' ',
  ),
  ' ',
)
const verdictOf = (allowlist: readonly string[], command: string, lane: 'interactive' | 'headless' = 'interactive') =>
  evaluate({ id: '', allowlist, command, lane }).verdict

describe('monotonicity', () => {
  test('a rule taken away never lets more through', () => {
    const gone = fc.tuple(aLine, fc.nat())
    fc.assert(
      fc.property(gone, ([{ rules, line }, at]) => {
        const fewer = rules.filter((_, i) => i !== at % Math.max(1, rules.length))
        return verdictOf(fewer, line) !== 'auto' || verdictOf(rules, line) === 'auto'
      }),
      { numRuns: 1500, seed: SEED },
    )
  })

  test('a part added never lets more through', () => {
    fc.assert(
      fc.property(noComment, aLine, fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n'), (left, right, joint) => {
        const rules = [...left.rules, ...right.rules]
        const together = verdictOf(rules, `${left.line}${joint}${right.line}`)
        return (
          together !== 'auto' || (verdictOf(rules, left.line) === 'auto' && verdictOf(rules, right.line) === 'auto')
        )
      }),
      { numRuns: 1500, seed: SEED },
    )
  })

  test('the lane without a person is never weaker', () => {
    fc.assert(
      fc.property(fc.array(anyPiece, { maxLength: 12 }), pieces => {
        const line = pieces.join('')
        const rules = ['echo *', 'ls *', 'git status', 'find *']
        const [asked, alone] = [verdictOf(rules, line), verdictOf(rules, line, 'headless')]
        return (
          alone !== 'approval' &&
          (alone !== 'auto' || asked === 'auto') &&
          (alone === 'destructive') === (asked === 'destructive')
        )
      }),
      { numRuns: 2000, seed: SEED },
    )
  })
})

test('a line runs unasked only where its words would, given one by one', () => {
  const piece = fc
    .array(
      fc.constantFrom(...['а', 'ı', '–', '‐', '”', '；', 'é', ';', '`', '$', '(', '|', '\\', 'x', 'xn--', 'http://']),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map(signs => signs.join(''))
  const quoted = fc.tuple(piece, fc.constantFrom('single', 'double', 'none')).map(([text, how]) => {
    if (how === 'single') return `'${text}'`
    return how === 'double' ? `"${text.replace(/[`$\\]/g, '')}"` : text.replace(/[;`$(|\\]/g, sign => `\\${sign}`)
  })
  fc.assert(
    fc.property(fc.array(quoted, { minLength: 1, maxLength: 4 }), words => {
      const { verdict, parts } = evaluate({ id: '', allowlist: ['rg *'], command: `rg ${words.join('')}` })
      const [command = '', ...args] = parts[0]?.argv ?? []
      return verdict !== 'auto' || evaluate({ id: '', allowlist: ['rg *'], command, args }).verdict === 'auto'
    }),
    { numRuns: 5000, seed: SEED },
  )
})

test('words survive quoting', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 20 }).filter(text => !/\p{C}/u.test(text))
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), words => {
      const reading = readBash(words.map(quote).join(' '), 'bash')
      expect('commands' in reading && reading.commands.map(({ argv }) => argv)).toEqual([words])
    }),
    { numRuns: 500, seed: SEED },
  )
})

describe('robustness', () => {
  test('no input makes the gate throw', () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(anyPiece, { maxLength: 60 }).map(pieces => pieces.join('')),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map(units => String.fromCharCode(...units)),
    )
    const shell = fc.constantFrom('bash', 'sh', 'zsh', 'powershell', 'cmd', 'fish')
    fc.assert(
      fc.property(noise, shell, (command, name) => {
        evaluate({ id: '', allowlist: ['echo *', command], command, shell: name as 'bash' })
      }),
      { numRuns: 3000, seed: SEED },
    )
  })
})

describe('the readers', () => {
  const soup = fc.array(anyPiece, { maxLength: 14 }).map(pieces => pieces.join(''))

  test('what both accept, they read the same, and the gate accepts nothing that only one does', () => {
    fc.assert(
      fc.property(soup, line => {
        const [ours, theirs, both] = [readLiterally(line), readByGrammar(line), readBash(line, 'bash')]
        if ('gaveUp' in both) return true
        return 'commands' in ours && 'commands' in theirs && same(ours.commands, theirs.commands)
      }),
      { numRuns: 3000, seed: SEED },
    )
  })

  test('what they accept, bash can read', () => {
    const accepted = fc.sample(soup, { numRuns: 4000, seed: SEED }).filter(line => 'commands' in readBash(line, 'bash'))
    const unreadable = accepted.slice(0, 120).filter(line => spawnSync('bash', ['-n'], { input: line }).status !== 0)
    expect(accepted.length).toBeGreaterThan(100)
    expect(unreadable).toEqual([])
  })
})

const same = (left: readonly { argv: readonly string[] }[], right: readonly { argv: readonly string[] }[]): boolean =>
  JSON.stringify(left.map(({ argv }) => argv)) === JSON.stringify(right.map(({ argv }) => argv))
