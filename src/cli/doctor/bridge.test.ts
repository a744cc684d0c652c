import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { containerCheck } from './bridge.ts'

const checked = (container: Parameters<typeof containerCheck>[1]['container'], hostIsHere = false) =>
  containerCheck(loadSettings({ flags: {}, env: { HOME: '/home/me' } }), {
    container,
    hostIsHere: () => hostIsHere,
    executable: 'interactive-terminal',
  })

test('whether this is a container is told with the reason, and so is that nobody can be sure', () => {
  expect(checked({ inContainer: 'no', why: [] })).toBe('no')
  expect(checked({ inContainer: 'unsure', why: ['process 1 is "sleep"'] })).toMatch(
    /^unsure: process 1 is "sleep"\. If this is a container, nobody may be in front of it/,
  )
  expect(checked({ inContainer: 'yes', why: ['/.dockerenv exists'] }, true)).toContain('host in a container')
})

test('a container from which nobody can be asked is a fault', () => {
  expect(() => checked({ inContainer: 'yes', why: ['/.dockerenv exists'] })).toThrow()
})
