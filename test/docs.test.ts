import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../scripts/docs.mjs'
import { EXAMPLES } from './fakes/examples.ts'
import { OPERATOR_PAYLOADS } from './fakes/operator-page.ts'

const root = resolve(import.meta.dirname, '..')

test('the generated pages say what the tables in the code say', async () => {
  const fresh = await pages()
  const onDisk = Object.fromEntries(Object.keys(fresh).map(file => [file, readFileSync(join(root, file), 'utf8')]))
  expect(onDisk).toEqual(fresh)
})

test('every link between our pages leads somewhere', () => {
  const files = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'SECURITY.md', ...mdIn('docs'), ...mdIn('docs/adr')]
  const broken = files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter(target => !existsSync(resolve(root, file, '..', target)))
      .map(target => `${file} → ${target}`),
  )
  expect(broken).toEqual([])
})

test('every row of the specification that is called done names a test that exists', () => {
  const titles = testTitles()
  const rows = [
    ...readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8').matchAll(/^\| ([^|]+) \| (.*) \|$/gm),
  ].slice(1)
  expect(rows.length).toBeGreaterThan(60)
  expect(twice(rows.map(([, row = '']) => row))).toEqual([])
  const wrong = rows.flatMap(([, row = '', tests = '']) => {
    const named = [...tests.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name)
    if (named.length === 0) return [`${row}: names no test`]
    return named.filter(name => !titles.has(name)).map(name => `${row}: ${name}`)
  })
  expect(wrong).toEqual([])
})

/** The numbers of the report; those it does not describe (A16, A18, A21–A24) were never given out. */
const ATTACKS = [
  ...['§1.1', '§1.2', '§1.3', '§1.4', '§1.5', '§1.6', '§1.7', '§1.8', '§3', '§5', '§6'],
  ...['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7a', 'A7b', 'A7c', 'A7d', 'A8', 'A8c', 'A9', 'A9x', 'A10', 'A10x', 'A11'],
  ...['A12', 'A13', 'A14', 'A15', 'A17', 'A19', 'A20', 'A25a', 'A25b', 'A25c', 'A25d', 'A26', 'A27', 'A27b', 'A28'],
  ...['A28b', 'A29', 'A30', 'A31'],
  ...[
    'D1',
    'D2',
    'D3',
    'D4',
    'D4b',
    'D5',
    'D5b',
    'D6',
    'D7',
    'D8',
    'D9',
    'D10',
    'D11',
    'D12',
    '§4 – drawn',
    '§4 – seen',
  ],
]

test('every attack of the report is a test that carries its number, or is told as a limit', () => {
  const titles = testTitles()
  const rows = [...readFileSync(join(root, 'docs/attacks.md'), 'utf8').matchAll(/^\| ([§AD][^|]+) \| (.+) \|$/gm)].map(
    ([, numbers = '', rest = '']) => ({ numbers: numbers.split(', '), rest }),
  )
  const told = rows.flatMap(({ numbers }) => numbers)
  expect(ATTACKS.filter(number => !told.includes(number))).toEqual([])
  const wrong = rows.flatMap(({ numbers, rest }) => {
    const [tests = '', today = ''] = rest.split(/ (?<!\\)\| /).reverse()
    const named = tests.split(/(?<=”), (?=“)/).map(name => name.replace(/^“|”$/g, '').replaceAll('\\|', '|'))
    if (tests === '–') return /\*\*limit\*\*|does not say/.test(today) ? [] : [`${numbers}: names no test`]
    const missing = named.filter(name => !titles.has(name))
    const unnumbered = numbers.filter(number => !named.some(name => carries(name, number)))
    return [...missing.map(name => `${numbers}: ${name}`), ...unnumbered.map(number => `no title carries ${number}`)]
  })
  expect(wrong).toEqual([])
})

/** Before its words; `A7` stands for A7a to A7d, and `§3` for what is told of it in several rows. */
const carries = (title: string, number: string): boolean => {
  const [label = ''] = title.split(/:| (?=[a-z])/, 1)
  const wanted = [number, number.replace(/(?<=^A7)[a-d]$| – .*/, '')]
  return label.split(', ').some(each => wanted.includes(each))
}

test('every payload on the page for operators is one that a caller really gets', () => {
  expect(OPERATOR_PAYLOADS.length).toBeGreaterThan(4)
  const titles = testTitles()
  for (const { payload, example, test } of OPERATOR_PAYLOADS) {
    if (test !== null) expect(titles).toContain(test)
    else expect(EXAMPLES.get(`${example}.response`), `${example}: ${payload.error.code}`).toMatchObject(payload)
  }
})

test('the list of changes tells nothing twice', () => {
  const lines = [...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^- (.{30})/gm)].map(
    ([, begins = '']) => begins,
  )
  expect(lines.length).toBeGreaterThan(40)
  expect(twice(lines)).toEqual([])
})

const twice = (words: readonly string[]): string[] => words.filter((word, i) => words.indexOf(word) !== i)

function mdIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`)
}

/** What the tests are called, as it stands in their files; of `%s does this` also `does this`. */
function testTitles(): Set<string> {
  const text = ['src', 'test']
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.test.ts'))
        .map(name => readFileSync(join(root, folder, name), 'utf8')),
    )
    .join('\n')
  // A title is the first argument of test, describe, or what one of their `each` gives.
  const titles = [...text.matchAll(/(?:\b(?:test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/g)].map(
    ([, , title = '']) => title.replaceAll(/\\(['"`])/g, '$1'),
  )
  return new Set([...titles, ...titles.map(title => title.replace(/^%\w /, ''))])
}
