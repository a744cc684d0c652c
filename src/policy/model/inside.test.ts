import { isAbsolute, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import { isInside } from './inside.ts'

const NAMES = ['', '.', '..', '...', '.git', 'a', 'ab', 'a.', 'b c']

/** Every path of up to three such names. */
const paths = ['/', ...NAMES.flatMap(a => NAMES.flatMap(b => NAMES.map(c => `/${a}/${b}/${c}`)))].flatMap(path => [
  path,
  path.replace(/\/+$/, ''),
])

test('a path is in a directory exactly where Node finds no way out of it', () => {
  const all = [...new Set(paths)]
  const wrong: string[] = []
  let inside = 0
  for (const directory of all.filter((_, i) => i % 31 === 0))
    for (const path of all) {
      const from = relative(directory, path)
      const expected = from === '' || (!from.startsWith(`..${sep}`) && from !== '..' && !isAbsolute(from))
      if (expected) inside++
      if (isInside(directory, path) !== expected) wrong.push(`${directory} ${path}`)
    }
  expect(wrong).toEqual([])
  expect(inside).toBeGreaterThan(100)
})
