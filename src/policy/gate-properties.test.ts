import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPolicyTables } from '../../test/policy-tables.ts'
import { readBash } from './bash-reader.ts'
import { evaluate } from './evaluate.ts'
import { readByGrammar } from './grammar-reader.ts'
import { readLiterally } from './literal-reader.ts'

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

  const WORST: readonly (readonly [string, string])[] = [
    ['a megabyte of text', `echo ${'a'.repeat(1_000_000)}`],
    ['64 KiB of words', 'a '.repeat(32_000)],
    ['64 KiB of separators', 'a;'.repeat(32_000)],
    ['64 KiB of substitutions', '$('.repeat(32_000)],
    ['64 KiB of closed substitutions', '$()'.repeat(20_000)],
    ['64 KiB of backticks', '`'.repeat(64_000)],
    ['64 KiB of quotes', `echo ${'"'.repeat(60_000)}`],
    ['64 KiB of single quotes', `echo ${"''".repeat(30_000)}`],
    ['64 KiB of braces', `echo ${'{'.repeat(60_000)}`],
    ['64 KiB of brackets', `echo ${'['.repeat(60_000)}`],
    ['64 KiB of parentheses', '('.repeat(64_000)],
    ['64 KiB of here-documents', 'cat <<A\n'.repeat(8_000)],
    ['64 KiB of pipes', 'ls|'.repeat(20_000)],
    ['64 KiB of backslashes', `echo ${'\\'.repeat(60_000)}`],
    ['64 KiB of wrappers', `${'sudo '.repeat(12_000)}rm -rf /`],
    ['64 KiB of options', `git log ${'--x '.repeat(15_000)}`],
    ['64 KiB of blanks', `ls${' '.repeat(64_000)}`],
    ['64 KiB of markup', '<a '.repeat(20_000)],
    ['64 KiB of marks', `echo ${'é́'.repeat(10_000)}`],
    ['a deep sed script', `sed '${'{'.repeat(30_000)}' f`],
    ['a long awk program', `awk '${'/a/ || '.repeat(8_000)}' f`],
    ['nested shells', `${'bash -c \'sh -c "'.repeat(3_000)}`],
    ['nested evals', `${'eval '.repeat(10_000)}x`],
    ['fork bomb look-alikes', ':(){ '.repeat(10_000)],
  ]

  test.each(WORST)('%s falls closed within 50 ms', (_, command) => {
    // Time of this process, not of the clock: the machine may be busy with something else.
    const runs = [1, 2, 3].map(() => {
      const started = cpuMs()
      const verdict = verdictOf(['ls *', 'echo', 'git status', 'sed *', 'awk *'], command)
      return { verdict, tookMs: cpuMs() - started }
    })
    const tookMs = Math.min(...runs.map(run => run.tookMs))
    const verdict = runs[0]?.verdict
    expect({ auto: verdict === 'auto', slow: tookMs > 50 ? tookMs : false }).toEqual({ auto: false, slow: false })
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

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const same = (left: readonly { argv: readonly string[] }[], right: readonly { argv: readonly string[] }[]): boolean =>
  JSON.stringify(left.map(({ argv }) => argv)) === JSON.stringify(right.map(({ argv }) => argv))
