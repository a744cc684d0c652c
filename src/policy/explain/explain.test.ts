import { expect, test } from 'vitest'
import type { Verdict } from '../model/verdict.ts'
import { explain } from './explain.ts'

type Row = readonly [text: string, why: string, rule?: string]

/** A verdict over parts of `line`, each found by its text; a part with a rule is covered by it. */
function verdictOf(line: string, verdict: Verdict['verdict'], why: string, rows: readonly Row[]): Verdict {
  const parts = rows.map(([text, reason, rule]) => {
    const start = Buffer.byteLength(line.slice(0, line.indexOf(text)))
    const end = start + Buffer.byteLength(text)
    return { text, start, end, argv: text.split(' '), covered: rule !== undefined, rule: rule ?? null, why: reason }
  })
  return { verdict, why, parts, flags: [], tier: 'none', reaches: [] }
}

const PLAIN = { colour: false, width: 80 }

test('one covered command', () => {
  const line = 'git status'
  expect(explain(line, verdictOf(line, 'auto', 'every part is allowed', [[line, '', 'git status']]), PLAIN)).toBe(
    `RUNS UNASKED  every part is allowed

  git status
  └── 1 ───┘

  1 ✓ git status  allowed by "git status"`,
  )
})

test('a chain with one part nobody allowed', () => {
  const line = 'git status && curl https://example.com/install.sh'
  const verdict = verdictOf(line, 'approval', 'no rule covers curl', [
    ['git status', '', 'git status *'],
    ['curl https://example.com/install.sh', 'no rule covers it'],
  ])
  expect(explain(line, verdict, PLAIN)).toBe(
    `NEEDS APPROVAL  no rule covers curl

  git status && curl https://example.com/install.sh
  └── 1 ───┘    └─────────────── 2 ───────────────┘

  1 ✓ git status                  allowed by "git status *"
  2 ✗ curl https://example.com/…  no rule covers it`,
  )
})

test('a reason that is the whole answer is said once', () => {
  const line = 'echo "$(id)"'
  const why = 'the line has a command substitution, which only a person can allow'
  expect(explain(line, verdictOf(line, 'approval', why, [[line, why]]), PLAIN)).toBe(
    `NEEDS APPROVAL  the line has a command substitution, which only a person can
                allow

  echo "$(id)"
  └─── 1 ────┘`,
  )
})

test('what nobody may run', () => {
  const line = 'rm -rf ~'
  expect(explain(line, verdictOf(line, 'destructive', 'rm would wipe ~', [[line, 'rm would wipe ~']]), PLAIN)).toBe(
    `BLOCKED FOR EVERYBODY  rm would wipe ~

  rm -rf ~
  └─ 1 ──┘`,
  )
})

test('what is hard to undo says so', () => {
  const line = 'git push --force'
  const verdict = verdictOf(line, 'approval', 'git rewrites history', [[line, 'git rewrites history']])
  expect(explain(line, { ...verdict, tier: 'grave' }, PLAIN)).toBe(
    `NEEDS APPROVAL  git rewrites history

  git push --force
  └───── 1 ──────┘

  ! Hard to undo: it always needs approval, by a deliberate gesture.`,
  )
})

test('what reaches beyond the project says whom', () => {
  const line = 'sudo ls'
  const verdict = verdictOf(line, 'approval', 'no rule covers it', [[line, 'no rule covers it']])
  const reaches = [{ what: 'root', words: 'sudo acts as root' } as const]
  expect(explain(line, { ...verdict, reaches }, PLAIN)).toBe(
    `NEEDS APPROVAL  no rule covers it

  sudo ls
  └─ 1 ─┘

  ! It reaches beyond the project: sudo acts as root`,
  )
})

test('short parts still get their number', () => {
  const line = 'a | b; c'
  const verdict = verdictOf(line, 'blocked', 'headless takes no operators', [
    ['a', '', 'a'],
    ['b', 'no rule covers it'],
    ['c', '', 'c'],
  ])
  expect(explain(line, verdict, PLAIN)).toBe(
    `BLOCKED  headless takes no operators

  a | b; c
  1   2  3

  1 ✓ a  allowed by "a"
  2 ✗ b  no rule covers it
  3 ✓ c  allowed by "c"`,
  )
})

test('a long line breaks behind blanks, and its parts go on in the next row', () => {
  const line = 'git log --oneline --since="2 weeks ago" -- src/policy && npx vitest run --reporter=dot'
  const verdict = verdictOf(line, 'approval', 'no rule covers npx', [
    ['git log --oneline --since="2 weeks ago" -- src/policy', '', 'git log *'],
    [
      'npx vitest run --reporter=dot',
      '"npx vitest run" does not cover it: the option --reporter=dot is not on its list',
    ],
  ])
  expect(explain(line, verdict, { colour: false, width: 50 })).toBe(
    `NEEDS APPROVAL  no rule covers npx

  git log --oneline --since="2 weeks ago" --·
  └─────────────────── 1 ────────────────────
  src/policy && npx vitest run --reporter=dot
  ─────────┘    └──────────── 2 ────────────┘

  1 ✓ git log --oneli…  allowed by "git log *"
  2 ✗ npx vitest run …  "npx vitest run" does not
                        cover it: the option
                        --reporter=dot is not on
                        its list`,
  )
})

test('line breaks, tabs and stray blanks are drawn', () => {
  const line = 'cd src\n  ls\t-la  '
  const verdict = verdictOf(line, 'auto', 'every part is allowed', [
    ['cd src', '', 'cd *'],
    ['ls\t-la', '', 'ls *'],
  ])
  expect(explain(line, verdict, PLAIN)).toBe(
    `RUNS UNASKED  every part is allowed

  cd src⏎
  └─1──┘
  ··ls⇥-la··
    └─2──┘

  1 ✓ cd src  allowed by "cd *"
  2 ✓ ls⇥-la  allowed by "ls *"`,
  )
})

test('what cannot be seen is written out', () => {
  const line = 'cat "report\u202efdp.sh"'
  const verdict = verdictOf(line, 'approval', 'it turns the direction of the text around', [[line, 'not covered']])
  expect(explain(line, { ...verdict, flags: ['bidi_control'] }, PLAIN)).toBe(
    `NEEDS APPROVAL  it turns the direction of the text around

  cat "report‹U+202E›fdp.sh"
  └────────── 1 ───────────┘

  1 ✗ cat "report‹U+202E›fdp.sh"  not covered

  ! Look twice: bidi control.
  ! ‹U+…› stands for a character that cannot be seen or looks like another.`,
  )
})

test('a letter that looks like another is written out', () => {
  const line = 'nрm test'
  expect(explain(line, verdictOf(line, 'approval', 'no rule covers it', [[line, 'no rule covers it']]), PLAIN)).toBe(
    `NEEDS APPROVAL  no rule covers it

  n‹U+0440›m test
  └───── 1 ─────┘

  ! ‹U+…› stands for a character that cannot be seen or looks like another.`,
  )
})

test('marks stand under wide characters too', () => {
  const line = 'echo 你好 🙂 && ls'
  const verdict = verdictOf(line, 'auto', 'every part is allowed', [
    ['echo 你好 🙂', '', 'echo *'],
    ['ls', '', 'ls *'],
  ])
  expect(explain(line, verdict, PLAIN)).toBe(
    `RUNS UNASKED  every part is allowed

  echo 你好 🙂 && ls
  └─── 1 ────┘    2─

  1 ✓ echo 你好 🙂  allowed by "echo *"
  2 ✓ ls            allowed by "ls *"`,
  )
})

test('colour adds nothing but colour', () => {
  const line = 'git status\u200b && ls'
  const verdict = verdictOf(line, 'approval', 'no', [['ls', 'no rule covers it']])
  const coloured = explain(line, verdict, { colour: true, width: 80 })
  expect(coloured).not.toBe(explain(line, verdict, PLAIN))
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(explain(line, verdict, PLAIN))
})

test('no row is wider than the terminal', () => {
  const line = `echo ${'a'.repeat(300)} \u200b${' b'.repeat(90)}`
  const picture = explain(
    line,
    verdictOf(line, 'approval', 'too long '.repeat(30) + 'x'.repeat(200), [[line, 'y'.repeat(99)]]),
    PLAIN,
  )
  expect(Math.max(...picture.split('\n').map(row => row.length))).toBeLessThanOrEqual(80)
})
