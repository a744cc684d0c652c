import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'
import { COMMANDS } from './commands.ts'

const read = (...argv: string[]) => readCommandLine(argv, '1.2.3')

test('no command at all starts the product', () => {
  expect(read()).toMatchObject({ kind: 'run', command: { name: 'start' }, words: [], options: {} })
})

test('settings are flags of every command', () => {
  expect(read('runs', '--home', '/somewhere', 'req_1')).toMatchObject({
    command: { name: 'runs' },
    words: ['req_1'],
    options: { home: '/somewhere' },
  })
})

test.each(COMMANDS.map(({ name }) => name))('"%s --help" is that command\'s own page', name => {
  const page = read(name, '--help')
  expect(page).toMatchObject({ kind: 'say', text: expect.stringMatching(new RegExp(`^interactive-terminal ${name}`)) })
  expect(read('help', name)).toEqual(page)
})

test('"--help" and "help" name every command', () => {
  const page = read('--help')
  expect(read('help')).toEqual(page)
  for (const { name } of COMMANDS) expect(page).toMatchObject({ text: expect.stringContaining(`  ${name}`) })
})

test.each([['--version'], ['-v'], ['version']])('"%s" is the version', word => {
  expect(read(word)).toEqual({ kind: 'say', text: '1.2.3' })
})

test.each([
  [['aprove'], 'There is no command "aprove". Did you mean "approve"?'],
  [['frobnicate'], 'There is no command "frobnicate".\n'],
  [['help', 'dcotor'], 'Did you mean "doctor"?'],
  [['policy', 'explan', 'ls'], '"policy" knows no "explan". Did you mean "explain"?'],
  [['runs', '--hom', 'x'], '"runs" has no option "--hom". Did you mean "--home"?'],
  [['runs', '--headless'], '"runs" has no option "--headless".'],
  [['policy', 'list', '--directory'], '"--directory" needs a value: --directory <dir>.'],
  [['policy', 'list', '--directory', '--headless'], '"--directory" needs a value'],
  [['policy', 'add', 'ls', '--headless=yes'], '"--headless" takes no value.'],
  [['runs', '-x'], 'There is no option "-x".'],
  [['runs', 'a', 'b'], '"runs" does not know what to do with "b": it takes [id].'],
])('%j is answered in our words', (argv, message) => {
  expect(read(...argv)).toMatchObject({ kind: 'wrong', message: expect.stringContaining(message) })
})

test('"policy" and "pair" alone show what they can do, "pair --list" does it', () => {
  expect(read('policy')).toEqual(read('policy', '--help'))
  expect(read('pair')).toEqual(read('pair', '--help'))
  expect(read('pair', '--list')).toMatchObject({ kind: 'run', options: { list: true } })
})

test('what looks like an option is a word behind "--"', () => {
  expect(read('policy', 'explain', '--', '-x')).toMatchObject({ words: ['explain', '-x'] })
})
