import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { reportChangedBundle } from './check-bundle.ts'

/** A program of three files, one of which somebody has changed; and what is said of it. */
function changedProgram(quietMs: (clock: FakeClock) => number) {
  const directory = mkdtempSync(join(tmpdir(), 'it-bundle-'))
  const hashes = ['app.cjs', 'engine.cjs', 'journal.cjs'].map(name => {
    writeFileSync(join(directory, name), name.repeat(30_000))
    return [name, createHash('sha256').update(name.repeat(30_000)).digest('hex')]
  })
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(Object.fromEntries(hashes)))
  writeFileSync(join(directory, 'engine.cjs'), 'something else')
  const clock = new FakeClock()
  const said: string[] = []
  reportChangedBundle({ clock, report: message => said.push(message), quietMs: () => quietMs(clock), directory })
  const after = async (ms: number) => {
    await clock.advance(ms)
    for (let i = 0; i < 50; i++) await idle()
    return said.map(each => each.includes('engine.cjs was changed') && !each.includes('journal.cjs'))
  }
  return { after, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

test('a server to which nobody speaks says within a second which of its files was changed', async () => {
  const { after, remove } = changedProgram(() => Number.POSITIVE_INFINITY)
  expect(await after(400)).toEqual([])
  expect(await after(600)).toEqual([true])
  remove()
})

test('while calls come its files are not read, until the last one is a moment ago', async () => {
  const lastCall = 3000
  const { after, remove } = changedProgram(clock => Math.max(0, clock.elapsed() - lastCall))
  expect(await after(3200)).toEqual([])
  expect(await after(1300)).toEqual([true])
  remove()
})

test('calls without a break put it off for ten seconds at most', async () => {
  const { after, remove } = changedProgram(() => 0)
  expect(await after(9500)).toEqual([])
  expect(await after(1500)).toEqual([true])
  remove()
})
