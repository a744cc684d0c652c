import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { type BrowserWorld, openInOwnBrowser } from './open-browser.ts'

const programs = mkdtempSync(join(tmpdir(), 'it-own-browser-'))
const world = (env: Record<string, string>): BrowserWorld => ({
  platform: 'linux',
  env: { DISPLAY: ':0', ...env },
  uid: 1000,
  chosen: '',
  findScreen: null,
})

test('an address goes to the person’s own browser as one word, whatever is in it', async () => {
  const seen = join(programs, 'seen')
  writeFileSync(
    join(programs, 'xdg-open'),
    `#!/bin/sh\nprintf '%s' "$*" > '${seen}.new'; mv '${seen}.new' '${seen}'\n`,
    {
      mode: 0o755,
    },
  )
  const address = 'https://example.com/$(touch%20x)?a=`id`&b=1;c'
  await openInOwnBrowser(world({ PATH: [programs, '/usr/bin', '/bin'].join(delimiter) }))(address)
  await expect.poll(() => existsSync(seen)).toBe(true)
  expect(readFileSync(seen, 'utf8')).toBe(address)
})

test('where there is no browser or no screen, that is said', async () => {
  await expect(openInOwnBrowser(world({ PATH: '/no/such/place' }))('https://example.com')).rejects.toThrow(
    'xdg-open is not on this machine: copy the address.',
  )
  await expect(openInOwnBrowser(world({ DISPLAY: '', PATH: programs }))('https://example.com')).rejects.toThrow(
    'there is no screen',
  )
})
