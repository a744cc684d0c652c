import { spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SETTING_NAMES } from '../../src/config/env.ts'
import { commandLine } from '../drivers/command-line.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place.remove())

const doctor = (words: readonly string[] = [], env: Record<string, string> = {}) =>
  commandLine(place, ['doctor', '--http-port', '0', ...words], env)

describe('doctor', () => {
  test('tells every check, ends well, and shows every setting with its value and source', async () => {
    place.write('home/settings.json', JSON.stringify({ PM_TERM_RETENTION_DAYS: 3 }))
    const { code, out } = await doctor(['--settings', '--kill-grace-ms', '700'], {
      PM_TERM_LOG_LEVEL: 'warn',
      PM_CONTAINER_TO_HOST_BRIDGE_HOST: 'old.test',
    })
    expect(code).toBe(0)
    for (const name of SETTING_NAMES) expect(out).toContain(`${name} = `)
    for (const line of [
      'PM_TERM_KILL_GRACE_MS = 700  (flag --kill-grace-ms)',
      'PM_TERM_LOG_LEVEL = "warn"  (environment PM_TERM_LOG_LEVEL)',
      'PM_INTERACTIVE_TERMINAL_HOST_ALIAS = "old.test"  (environment PM_CONTAINER_TO_HOST_BRIDGE_HOST)',
      'PM_TERM_RETENTION_DAYS = 3  (settings.json PM_TERM_RETENTION_DAYS)',
      'PM_TERM_AUTO_APPROVE = "allowlist"  (default)',
      'ok    settings are valid',
      'ok    rules can be read: 1 workspaces',
      'All is well.',
    ])
      expect(out).toContain(line)
  })

  test('tells first whether all is well, then only what somebody has set', async () => {
    const { out } = await doctor([], { PM_TERM_LOG_LEVEL: 'warn' })
    const [checks = '', settings = ''] = out.split('All is well.')
    expect(checks).toContain('ok    state directory can be written: ')
    expect(checks).not.toContain('PM_TERM_LOG_LEVEL = ')
    expect(settings).toContain('PM_TERM_LOG_LEVEL = "warn"')
    expect(settings).not.toContain('(default)')
    expect(settings).toContain('"doctor --settings" shows all of them.')
  })

  test.each<[string, () => Record<string, string>, string]>([
    ['a wrong setting', () => ({ PM_TERM_LOG_LEVEL: 'loud' }), 'FAIL  settings are valid: PM_TERM_LOG_LEVEL'],
    [
      'a broken settings file',
      () => {
        place.write('home/settings.json', '{')
        return {}
      },
      'settings.json is not a JSON object',
    ],
    [
      'a broken rule file',
      () => {
        place.write('home/data/test/terminal-allowlist.json', '{')
        return {}
      },
      'terminal-allowlist.json is not JSON',
    ],
    [
      'rules that others can change',
      () => {
        chmodSync(place.write('home/data/test/terminal-allowlist.json', '{}'), 0o666)
        return {}
      },
      'can be written by other users',
    ],
    [
      'a token that others can read',
      () => {
        place.write('home/state/http-token', 'x'.repeat(43), 0o644)
        return {}
      },
      'FAIL  HTTP token is yours alone',
    ],
  ])('names %s and fails', async (_, prepare, line) => {
    const { code, out } = await doctor([], prepare())
    expect(code).toBe(1)
    expect(out).toContain(line)
    expect(out).toMatch(/\d of \d+ checks failed; fix the first one first\./)
  })

  test('only looks: it leaves nothing behind', async () => {
    await doctor()
    expect([place.read('home/state/http-token'), place.read('home/settings.json')]).toEqual(['', ''])
  })
})

test.each([
  [['--help'], 0, 'MCP over stdio: this is what a client starts'],
  [['policy', '--help'], 0, 'explain "<command>"'],
  [['aprove'], 2, 'Did you mean "approve"?'],
  [['where'], 0, 'http-token'],
  [['where', 'nowhere'], 2, 'There is no place "nowhere".'],
  [['--version'], 0, '.'],
  [['frobnicate'], 2, 'There is no command "frobnicate".'],
  [['--no-such-flag'], 2, 'no-such-flag'],
])('%j ends with %i and says what it should', async (words, code, line) => {
  const said = await commandLine(place, words)
  expect(said.code).toBe(code)
  expect(said.out).toContain(line)
  expect(said.out).not.toMatch(/at .*\.cjs:\d+/)
})

test.each([[['policy', 'list']], [['doctor']], [['--help']], [['runs']], [['where']]])(
  '§6: %j ends quietly when its reader is gone, as in "| head"',
  async words => {
    const child = spawn(process.execPath, [PRODUCT, ...words], { cwd: place.work, env: place.env({}), stdio: 'pipe' })
    child.stdout.destroy()
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
    })
    const code = await new Promise(resolve => child.once('close', resolve))
    expect([said, code]).toEqual(['', 141])
  },
)

test.each([['verify'], ['runs'], ['host']])('%s explains a journal that is garbage, and how to go on', async word => {
  place.write('home/state/journal.db', 'garbage '.repeat(1000))
  const { code, out } = await commandLine(place, [word])
  expect(code).toBe(2)
  expect(out).toMatch(/The journal is damaged and cannot be read .* the next host begins a new one\.\n$/)
  expect(out).not.toMatch(/at .*\.cjs:\d+/)
})

test('a server with a wrong setting does not start, and says which', async () => {
  const { code, out } = await commandLine(place, ['mcp'], { PM_TERM_ALIAS_PHASE: 'later' })
  expect(code).toBe(2)
  expect(out).toContain('PM_TERM_ALIAS_PHASE')
  expect(out).toMatch(/interactive-terminal\.cjs"? doctor/)
})

test('runs and where answer in JSON, and without a terminal nothing is coloured', async () => {
  expect(JSON.parse((await commandLine(place, ['runs', '--json'])).out)).toEqual([])
  expect(JSON.parse((await commandLine(place, ['where', 'state', '--json'])).out)).toEqual({ state: place.state })
  expect(JSON.parse((await commandLine(place, ['where', '--json'])).out)).toMatchObject({ state: place.state })
  for (const words of [['doctor'], ['policy', 'explain', 'git push'], ['runs'], ['--help']])
    expect((await commandLine(place, words)).out).not.toContain('\x1b')
})
