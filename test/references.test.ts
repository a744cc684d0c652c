import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** The repository explains itself: whatever a clone reads about, it has. */
const root = resolve(import.meta.dirname, '..')
// Not asked of git: a machine may have none.
const NOT_OURS = /^(\.git|node_modules|dist.*|shots|results)$|\.log$/
const under = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.test(name))
    .flatMap(entry => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? under(path) : entry.isFile() ? [path] : []
    })
const texts = under('')
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ text }) => !text.includes('\0'))

test('every relative link of a page leads to a file that is there', () => {
  const links = texts
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, target = '']) => ({ file, target })),
    )
  expect(links.length).toBeGreaterThan(100)
  const broken = links.filter(({ file, target }) => !existsSync(resolve(root, dirname(file), target)))
  expect(broken).toEqual([])
})

test('nothing refers to a folder or a document outside the repository', () => {
  // In two pieces, so that this file does not name them either.
  const outside = new RegExp(
    `\\.\\./${'shared'}\\b|\\b(SPEC|DESIGN|STYLE|TESTING|HOUSE)(\\.md)? (§|D\\d)|\\bfindings [AD]\\d`,
  )
  const wrong = texts.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter(line => outside.test(line))
      .map(line => `${file}: ${line.trim()}`),
  )
  expect(wrong).toEqual([])
})

test('every section and decision that is referred to is in docs/spec.md', () => {
  const spec = readFileSync(join(root, 'docs/spec.md'), 'utf8')
  const known = new Set([...spec.matchAll(/^\| (D\d+) \|/gm)].map(([, decision = '']) => decision))
  for (const part of spec.split(/^## /m).slice(1)) {
    const section = /^\d+/.exec(part)?.[0] ?? ''
    known.add(`§${section}`)
    for (const [, row = ''] of part.matchAll(/^(\d+)\. /gm)) known.add(`§${section}.${row}`)
  }
  const list = /(?:docs\/spec\.md|\[spec\]\(\.\.\/spec\.md\)) ((?:(?:§[\d.]*\d|D\d+)(?:, | and )?)+)/g
  const named = texts.flatMap(({ file, text }) =>
    [...text.matchAll(list)].flatMap(([, numbers = '']) =>
      [...numbers.matchAll(/§[\d.]*\d|D\d+/g)].map(([number]) => ({ file, number })),
    ),
  )
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter(({ number }) => !known.has(number))).toEqual([])
})

test('the index of decisions has every record, under the title it carries', () => {
  const index = texts.find(({ file }) => file === 'docs/adr/README.md')?.text ?? ''
  const records = texts.filter(({ file }) => /^docs\/adr\/\d{4}-/.test(file))
  const rows = records.map(({ file, text }) => {
    const [, number = '', title = ''] = /^# (\d+)\. (.+)\n/.exec(text) ?? []
    return `| ${number} | [${title}](${file.replace('docs/adr/', '')}) |`
  })
  expect(records.length).toBeGreaterThan(50)
  expect(rows.filter(row => !index.includes(row))).toEqual([])
})
