import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makePlan } from './plan.ts'
import { recheck } from './plan-changes.ts'

const root = mkdtempSync(join(tmpdir(), 'it-plan-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function program(name: string, text = '#!/bin/sh\n'): string {
  const file = join(root, name)
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}
const what = (file: string) => ({ command: 'x', argv: ['x', '1'], cwd: '/', env: { A: '1' }, program: file })

test('the same plan has the same hash, and any change of it another one', () => {
  const file = program('same')
  const base = what(file)
  const changed = [
    { ...base, command: 'y' },
    { ...base, argv: ['x', '2'] },
    { ...base, argv: ['x 1'] },
    { ...base, cwd: '/tmp' },
    { ...base, env: { A: '2' } },
    { ...base, env: { A: '1', B: '' } },
    { ...base, program: program('other') },
  ].map(each => makePlan(each).hash)
  expect(new Set([makePlan(base).hash, makePlan({ ...base }).hash, ...changed]).size).toBe(changed.length + 1)
})

test('a variable with another value has another hash, and with its first value the first one again', () => {
  const base = what(program('again'))
  const hashWith = (A: string) => makePlan({ ...base, env: { A } }).hash
  const first = hashWith('1')
  expect(hashWith('2')).not.toBe(first)
  expect(hashWith('1')).toBe(first)
  expect(makePlan({ ...base, env: { A: '1","B":"2' } }).hash).not.toBe(
    makePlan({ ...base, env: { A: '1', B: '2' } }).hash,
  )
})

test('a program that was not touched may start', () => {
  const plan = makePlan(what(program('calm')))
  expect(() => recheck(plan)).not.toThrow()
})

test.each([
  ['replaced by another file', (file: string) => renameSync(program('evil', '#!/bin/sh\nevil\n'), file)],
  ['written to', (file: string) => writeFileSync(file, '#!/bin/sh\nevil\n')],
  [
    'turned into a link to another file',
    (file: string) => {
      unlinkSync(file)
      symlinkSync(program('target', '#!/bin/sh\nevil\n'), file)
    },
  ],
])('a program that was %s after it was judged does not start', (_, change) => {
  const file = program('swapped', '#!/bin/sh\ngood and a little longer\n')
  const plan = makePlan(what(file))
  change(file)
  expect(() => recheck(plan)).toThrow('is another file now. Nothing ran.')
})

test('a program that vanished after it was judged does not start', () => {
  const file = program('gone')
  const plan = makePlan(what(file))
  unlinkSync(file)
  expect(() => recheck(plan)).toThrow()
})
