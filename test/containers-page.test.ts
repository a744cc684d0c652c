import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from '../reality/page-blocks.mjs'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/containers.md'), 'utf8')

test('every block on the page about containers is typed by a script, or the page says that it was not run', () => {
  const blocks = blocksOf(root)
  expect([...new Set(blocks.map(({ where }) => where))].sort()).toEqual([
    'build',
    'client',
    'first terminal',
    'first terminal, after q',
    'not run',
    'second terminal',
  ])
  const silent = blocks.filter(({ reason, lines: [first = ''] }) => {
    const before = page.slice(0, page.indexOf(first)).split('\n\n').at(-2)
    return reason !== null && !before?.includes('not run here')
  })
  expect(silent).toEqual([])
})

test('whatever was tried on no machine of ours says so, with the reason', () => {
  const rows = page.split('\n').filter(line => /^\|.*(macOS|Windows|Docker Desktop|WSL2|podman 5)/.test(line))
  expect(rows.length).toBeGreaterThan(6)
  expect(rows.filter(row => !/not run here: /.test(row))).toEqual([])
})
