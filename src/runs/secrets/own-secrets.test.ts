import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { hex } from '../../../test/fakes/made-up-tokens.ts'
import { ownSecrets } from './own-secrets.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'own-secrets-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('keys on disk are known, also those that are made later, and an old one for good', async () => {
  const clock = new FakeClock()
  const codes: string[] = []
  const local = join(home, 'local.key')
  const keys = join(home, 'keys')
  const own = ownSecrets({ files: [local, join(home, 'none')], directories: [keys], others: () => codes }, clock)
  expect(own()).toEqual([])

  writeFileSync(local, `${hex(64)}\n`)
  mkdirSync(keys)
  writeFileSync(join(keys, 'box.key'), `box ${hex(63)}0\n`)
  await clock.advance(1000)
  expect(own()).toEqual([hex(64), `${hex(63)}0`])

  codes.push('493 027 118')
  rmSync(local)
  writeFileSync(local, `${hex(60)}beef and more\n`)
  await clock.advance(1000)
  expect(own()).toEqual([hex(64), `${hex(60)}beef`, `${hex(63)}0`, '493 027 118'])
})
