import { expect, test } from 'vitest'
import type { StatusAnswered } from '../../contract/wire/host-status.ts'
import { type WindowWorld, windowCheck } from './window.ts'

const desktop: WindowWorld = {
  platform: 'linux',
  env: { DISPLAY: ':0', PATH: '/usr/bin' },
  screen: async () => ({ problem: 'no desktop session of yours was found', candidates: [] }),
  browser: () => '/usr/bin/chromium',
  isProgram: () => true,
}
const host = (windows: number, approvers: number) =>
  ({ windows, approvers: Array.from({ length: approvers }, (_, i) => `who ${i}`) }) as unknown as StatusAnswered
const settings = { PM_TERM_WINDOW: 'auto', PM_TERM_BROWSER: '' } as const

test.each<
  [string, Partial<WindowWorld>, Partial<Record<keyof typeof settings, string>>, StatusAnswered | null, unknown]
>([
  ['a desktop with a browser', {}, {}, null, 'opens with /usr/bin/chromium'],
  ['a window that is open', { env: {} }, {}, host(1, 1), '1 open'],
  [
    'no screen, somebody in a terminal',
    { env: {} },
    {},
    host(0, 1),
    'there is no screen: no desktop session of yours was found, and 1 terminal can answer',
  ],
  [
    'no screen and nobody',
    { env: {} },
    {},
    host(0, 0),
    {
      detail: 'there is no screen: no desktop session of yours was found',
      note: expect.stringMatching(/from a terminal of your desktop: ".+ open"\. Answer in a terminal: ".+ approve"/),
    },
  ],
  [
    'no window by setting',
    {},
    { PM_TERM_WINDOW: 'never' },
    null,
    { detail: 'none by PM_TERM_WINDOW', note: expect.stringContaining('approve') },
  ],
  [
    'no browser at all',
    { browser: () => null, isProgram: () => false },
    {},
    null,
    { detail: 'there is no browser', note: expect.stringContaining('Install one of the Chromium family') },
  ],
  ['only a default browser', { browser: () => null }, {}, null, 'opens in your default browser'],
  [
    'macOS without a screen variable',
    { platform: 'darwin', env: {}, browser: () => null },
    {},
    null,
    'opens in your default browser',
  ],
])('%s is told as what it is', async (_, world, set, status, found) => {
  expect(await windowCheck({ ...settings, ...set } as typeof settings, status, { ...desktop, ...world })).toEqual(found)
})

test('a browser setting that names no program is a fault with its fix', async () => {
  const set = { ...settings, PM_TERM_BROWSER: '/nowhere' } as unknown as typeof settings
  await expect(windowCheck(set, null, { ...desktop, isProgram: () => false })).rejects.toMatchObject({
    message: 'PM_TERM_BROWSER names /nowhere, which is no program that can be started',
    fix: expect.stringContaining('absolute path of a browser'),
  })
})
