import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WantedShell } from '../terminals/wanted-shell.ts'
import { needShell } from './need-shell.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'it-need-shell-')))
mkdirSync(join(home, 'shop/.venv/bin'), { recursive: true })
mkdirSync(join(home, 'programs'))
writeFileSync(join(home, 'programs/bash'), '', { mode: 0o755 })
const world = { shell: '/bin/bash', platform: 'linux', env: { PATH: join(home, 'programs') }, home } as const
const need = (wanted: Partial<WantedShell>) =>
  needShell(world, { profile: 'bash', cwd: null, venv: null, ...wanted }, home)

test('a person names a directory and a virtual environment in it, also from their home on', () => {
  expect(need({})).toEqual({ cwd: home, venv: null })
  expect(need({ cwd: '~/shop', venv: '.venv' })).toEqual({ cwd: join(home, 'shop'), venv: join(home, 'shop/.venv') })
  expect(need({ profile: 'system', cwd: join(home, 'shop') })).toEqual({ cwd: join(home, 'shop'), venv: null })
})

test.each<[Partial<WantedShell>, string]>([
  [{ cwd: '/no/such/place' }, 'There is no directory /no/such/place. Nothing was opened.'],
  [{ cwd: 'shop' }, 'Write the directory from the root on, or with ~: shop.'],
  [{ cwd: '~/shop', venv: 'venv' }, 'venv is no virtual environment in'],
  [{ profile: 'fish' }, 'The shell fish is not on this machine. Choose another one, or install it.'],
])('%j is refused in words', (wanted, words) => {
  expect(() => need(wanted)).toThrow(words)
})
