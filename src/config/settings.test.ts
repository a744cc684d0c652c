import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TermError } from '../contract/tool/errors.ts'
import { flagOf, SETTING_NAMES, type SettingName } from './env.ts'
import { agreedProgram, loadSettings, type RawSettings, readSettings } from './settings.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'it-settings-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const inFile = (content: unknown) =>
  writeFileSync(join(home, 'settings.json'), typeof content === 'string' ? content : JSON.stringify(content))

const read = (raw: Partial<RawSettings> = {}) =>
  readSettings({ flags: raw.flags ?? {}, env: { PM_TERM_HOME: home, ...raw.env } })

const told = (name: SettingName, raw: Partial<RawSettings> = {}) => {
  const { configuration, problems } = read(raw)
  return { value: configuration.settings[name], source: configuration.sources[name], problems }
}

describe('a setting comes from the nearest of its places', () => {
  const NAME = 'PM_TERM_KILL_GRACE_MS'

  test('a flag wins over everything', () => {
    inFile({ [NAME]: 30 })
    expect(told(NAME, { flags: { 'kill-grace-ms': '10' }, env: { [NAME]: '20' } })).toEqual({
      value: 10,
      source: { kind: 'flag', name: '--kill-grace-ms' },
      problems: [],
    })
  })

  test('TERMINAL_PORT wins even over the flag, as it always did', () => {
    const { configuration } = readSettings({
      flags: { port: '9200' },
      env: { PM_TERM_HOME: home, TERMINAL_PORT: '9300' },
    })
    expect(configuration.settings.PM_TERM_PORT).toBe(9300)
  })

  test('a variable wins over the file', () => {
    inFile({ [NAME]: 30 })
    expect(told(NAME, { env: { [NAME]: '20' } })).toEqual({
      value: 20,
      source: { kind: 'environment', name: NAME },
      problems: [],
    })
  })

  test('the file wins over the default', () => {
    inFile({ [NAME]: 30 })
    expect(told(NAME)).toEqual({ value: 30, source: { kind: 'settings.json', name: NAME }, problems: [] })
  })

  test('the default stands when nobody said anything', () => {
    expect(told(NAME)).toEqual({ value: 400, source: { kind: 'default' }, problems: [] })
  })
})

describe('an older name of a setting', () => {
  const NAME = 'PM_INTERACTIVE_TERMINAL_HOST_ALIAS'
  const OLD = 'PM_CONTAINER_TO_HOST_BRIDGE_HOST'

  test('still counts, and it is told which name was used', () => {
    expect(told(NAME, { env: { [OLD]: 'old.test' } })).toEqual({
      value: 'old.test',
      source: { kind: 'environment', name: OLD },
      problems: [],
    })
  })

  test('loses against the name of today', () => {
    expect(told(NAME, { env: { [OLD]: 'old.test', [NAME]: 'new.test' } }).value).toBe('new.test')
  })

  test('counts in settings.json too, after the environment', () => {
    inFile({ [OLD]: 'file.test' })
    expect(told(NAME).source).toEqual({ kind: 'settings.json', name: OLD })
    expect(told(NAME, { env: { [OLD]: 'env.test' } }).value).toBe('env.test')
  })
})

describe('a wrong value is named, never replaced behind anybody’s back', () => {
  test.each<[SettingName, string, string]>([
    ['PM_TERM_HTTP_PORT', '70000', 'must be at most 65535'],
    ['PM_TERM_HTTP_PORT', '-1', 'must be at least 0'],
    ['PM_TERM_HTTP_PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['PM_TERM_HTTP_PORT', '80.5', 'must be a whole number from 0 to 65535'],
    ['PM_TERM_HTTP_PORT', '', 'must be a whole number from 0 to 65535'],
    ['PM_TERM_KILL_GRACE_MS', ' ', 'must be a whole number from 0 to 60000'],
    ['PM_TERM_ANSWER_WITHIN_MS', '5', 'must be at least 1000'],
    ['PM_RUNNING_IN_CONTAINER', 'maybe', 'must be 1/true/yes/on or 0/false/no/off'],
  ])('%s=%j', (name, value, problem) => {
    expect(told(name, { env: { [name]: value } }).problems).toEqual([{ name, problem }])
  })

  test.each<[SettingName, unknown]>([
    ['PM_TERM_KILL_GRACE_MS', null],
    ['PM_TERM_KILL_GRACE_MS', true],
    ['PM_TERM_KILL_GRACE_MS', [5]],
    ['PM_TERM_AUTO_APPROVE', 'always'],
    ['PM_TERM_AUTO_APPROVE', null],
    ['PM_TERM_DATA_DIR', 7],
  ])('%s: %j in settings.json', (name, value) => {
    inFile({ [name]: value })
    expect(told(name).problems.map(problem => problem.name)).toEqual([name])
  })

  test('a choice that does not exist is answered with the ones that do', () => {
    const [problem] = told('PM_TERM_ALIAS_PHASE', { env: { PM_TERM_ALIAS_PHASE: 'later' } }).problems
    expect(problem?.name).toBe('PM_TERM_ALIAS_PHASE')
    for (const phase of ['accept', 'warn', 'strict']) expect(problem?.problem).toContain(phase)
  })

  test('all of them are told, not only the first', () => {
    const env = { PM_TERM_HTTP_PORT: 'x', PM_TERM_LOG_LEVEL: 'loud', PM_TERM_RETENTION_DAYS: '0' }
    expect(
      read({ env })
        .problems.map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(env).sort())
  })

  test('nothing starts with a wrong setting', () => {
    expect(() => loadSettings({ flags: {}, env: { PM_TERM_HOME: home, PM_TERM_HTTP_PORT: 'x' } })).toThrow(
      new TermError(
        'PM_TERM_INVALID_PAYLOAD',
        'PM_TERM_HTTP_PORT must be a whole number from 0 to 65535. See "interactive-terminal doctor".',
        { details: { problems: [{ name: 'PM_TERM_HTTP_PORT', problem: 'must be a whole number from 0 to 65535' }] } },
      ),
    )
  })
})

describe('a broken settings.json is reported', () => {
  test.each([
    ['is not JSON', '{'],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['is empty', ''],
  ])('when it %s', (_, text) => {
    inFile(text)
    expect(read().problems).toEqual([{ name: join(home, 'settings.json'), problem: 'is not a JSON object' }])
  })

  test('when it cannot be read', () => {
    mkdirSync(join(home, 'settings.json'))
    expect(read().problems).toEqual([{ name: join(home, 'settings.json'), problem: 'cannot be read' }])
  })

  test('when it names a setting that does not exist', () => {
    inFile({ PM_TERM_HTPP_PORT: 3000 })
    expect(read().problems).toEqual([
      { name: `PM_TERM_HTPP_PORT in ${join(home, 'settings.json')}`, problem: 'is not a setting of this file' },
    ])
  })

  test('when it tries to say where it is itself', () => {
    inFile({ PM_TERM_HOME: '/elsewhere' })
    const { configuration, problems } = read()
    expect(configuration.settings.PM_TERM_HOME).toBe(home)
    // Silently ignored would be a setting that does nothing.
    expect(problems.map(({ name }) => name)).toEqual([expect.stringContaining('PM_TERM_HOME')])
  })
})

test.each(['1', 'true', 'YES', ' on '])('%j switches on', value => {
  expect(told('PM_RUNNING_IN_CONTAINER', { env: { PM_RUNNING_IN_CONTAINER: value } }).value).toBe(true)
})

test.each(['0', 'false', 'No', 'off', ''])('%j switches off', value => {
  expect(told('PM_RUNNING_IN_CONTAINER', { env: { PM_RUNNING_IN_CONTAINER: value } }).value).toBe(false)
})

test('true and false in settings.json are what they say', () => {
  inFile({ PM_RUNNING_IN_CONTAINER: true })
  expect(told('PM_RUNNING_IN_CONTAINER').value).toBe(true)
})

test('every setting has a flag of its own', () => {
  expect(new Set(SETTING_NAMES.map(flagOf)).size).toBe(SETTING_NAMES.length)
  expect(flagOf('PM_TERM_HTTP_PORT')).toBe('http-port')
  expect(flagOf('PM_RUNNING_IN_CONTAINER')).toBe('running-in-container')
})

describe('one home holds everything', () => {
  test('settings, rules and state lie below it', () => {
    expect(read().configuration.paths).toMatchObject({
      settingsFile: join(home, 'settings.json'),
      dataDir: join(home, 'data'),
      stateDir: join(home, 'state'),
      httpTokenFile: join(home, 'state', 'http-token'),
    })
  })

  test('a ~ in a client’s configuration is the home directory', () => {
    const { configuration } = readSettings({
      flags: {},
      env: { PM_TERM_HOME: '~/it', PM_TERM_DATA_DIR: '~/rules', HOME: home },
    })
    expect(configuration.paths).toMatchObject({ dataDir: join(home, 'rules'), stateDir: join(home, 'it', 'state') })
  })

  test('the rules may lie elsewhere', () => {
    expect(read({ env: { PM_TERM_DATA_DIR: '/mnt/rules' } }).configuration.paths.dataDir).toBe('/mnt/rules')
  })
})

test('a program that notifies counts from settings.json only if the person agreed to that very one', () => {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ PM_TERM_NOTIFY_COMMAND: '/home/ann/push' }))
  const { configuration } = read({})
  const program = (agreed: string | null) => agreedProgram(configuration, 'PM_TERM_NOTIFY_COMMAND', () => agreed)
  expect([program(null), program('/tmp/another'), program('/home/ann/push')]).toEqual(['', '', '/home/ann/push'])
})
