import { expect, test } from 'vitest'
import { hasOpenQuote } from './open-quote.ts'

test.each(['echo "a', "echo 'a", 'touch x; echo "a\nb', "git commit -m 'it's done'"])(
  'a shell cannot read %j',
  line => {
    expect((['bash', 'sh', 'zsh'] as const).map(shell => hasOpenQuote(line, shell))).toEqual([true, true, true])
  },
)

/** A quote that only looks open: a person may be asked about those. */
test.each([
  'echo "a"',
  "ls # it's a comment",
  "cat <<EOF\nit's here\nEOF",
  "echo $'it\\'s'",
  "echo it\\'s",
  'echo "$(echo "a")"',
  `echo "it's"`,
])('%j may well be read', line => {
  expect(hasOpenQuote(line, 'bash')).toBe(false)
})

test('of other shells nothing is said', () => {
  expect(hasOpenQuote('echo "a', 'fish')).toBe(false)
})
