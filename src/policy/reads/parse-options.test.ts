import { expect, test } from 'vitest'
import { type OptionTable, parseOptions } from './parse-options.ts'

const TABLE: OptionTable = {
  options: '-e= -f= -n -r -c? --regexp= --file= --files-with-matches --recursive --color? --help',
  digits: 'bundled',
}
const parsed = (...words: string[]) => {
  const found = parseOptions(['x', ...words], 1, TABLE)
  if ('unknown' in found) return `unknown ${found.unknown}`
  const options = found.options.map(({ name, value }) => (value === null ? name : `${name} ${value}`))
  return `${options.join(', ')} | ${found.operands.map(({ text }) => text).join(', ')}`
}

test.each([
  [['-n', 'a', '-r', 'b'], '-n, -r | a, b'],
  [['-nr', 'a'], '-n, -r | a'],
  [['-nea', 'b'], '-n, -e a | b'],
  [['-5ne', 'a', 'b'], '-n, -e a | b'],
  [['-e', '-n', 'b'], '-e -n | b'],
  [['--regexp=a', 'b'], '--regexp a | b'],
  [['--reg', 'a', 'b'], '--regexp a | b'],
  [['--reg=', 'b'], '--regexp  | b'],
  [['--file', 'a'], '--file a | '],
  [['--files', 'a'], '--files-with-matches | a'],
  [['--col', 'a'], '--color | a'],
  [['-c', 'a'], '-c | a'],
  [['-cx', 'a'], '-c x | a'],
  [['--', '-n', 'a'], ' | -n, a'],
  [['-', 'a'], ' | -, a'],
  [['--re', 'a'], 'unknown --re'],
  [['--recursive=yes'], 'unknown --recursive=yes'],
  [['-nz'], 'unknown -nz'],
  [['-e'], 'unknown -e'],
  [['--other'], 'unknown --other'],
])('%j is taken apart as the tool does it', (words, expected) => {
  expect(parsed(...words)).toBe(expected)
})
