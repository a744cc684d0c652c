import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../scripts/docs.mjs'

const root = resolve(import.meta.dirname, '..')

test('the generated pages say what the tables in the code say', async () => {
  const fresh = await pages()
  const onDisk = Object.fromEntries(Object.keys(fresh).map(file => [file, readFileSync(join(root, file), 'utf8')]))
  expect(onDisk).toEqual(fresh)
})

test('every link between our pages leads somewhere', () => {
  const files = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...mdIn('docs'), ...mdIn('docs/adr')]
  const broken = files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter(target => !existsSync(resolve(root, file, '..', target)))
      .map(target => `${file} → ${target}`),
  )
  expect(broken).toEqual([])
})

test('every row of the specification that is called done names a test that exists', () => {
  const names = testNames()
  const rows = [
    ...readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8').matchAll(/^\| (§?[\w. –-]+) \| (.+) \|$/gm),
  ]
  expect(rows.length).toBeGreaterThan(10)
  const missing = rows.flatMap(([, row = '', tests = '']) =>
    [...tests.matchAll(/“([^”]+)”/g)]
      .filter(([, name = '']) => !names.includes(name))
      .map(([, name]) => `${row}: ${name}`),
  )
  expect(missing).toEqual([])
})

function mdIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`)
}

/** The text of every test file: a name is there if it stands in one, quoted in whatever way. */
function testNames(): string {
  return ['src', 'test']
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.test.ts'))
        .map(name => readFileSync(join(root, folder, name), 'utf8')),
    )
    .join('\n')
    .replaceAll("\\'", "'")
}
