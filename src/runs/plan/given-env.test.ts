import { expect, test } from 'vitest'
import { githubToken } from '../../../test/fakes/made-up-tokens.ts'
import { runEnv } from './base-env.ts'
import { givenEnvs, leftOutNote } from './given-env.ts'

const PERSON = {
  PATH: '/usr/bin',
  HOME: '/home/me',
  TERM: 'xterm-kitty',
  GITHUB_TOKEN: 'x',
  MY_SETTING: githubToken(),
  DATABASE_URL: 'postgres://me:pa55word@db.example/shop',
}

test('what no person approved gets no variable that looks like a token, by its name or by its value', () => {
  for (const lane of ['headless', 'interactive'] as const) {
    const { unapproved, approved } = givenEnvs(PERSON, lane, '')
    expect(unapproved.leftOut).toEqual(['DATABASE_URL', 'GITHUB_TOKEN', 'MY_SETTING'])
    expect(Object.keys(unapproved.env).filter(name => name in PERSON)).toEqual(['PATH', 'HOME', 'TERM'])
    expect(approved).toMatchObject({ leftOut: [], env: { GITHUB_TOKEN: 'x', MY_SETTING: PERSON.MY_SETTING } })
  }
})

test('a name in the setting is handed on, and no other', () => {
  const { unapproved } = givenEnvs(PERSON, 'headless', 'GITHUB_TOKEN, OTHER')
  expect(unapproved.leftOut).toEqual(['DATABASE_URL', 'MY_SETTING'])
  expect(unapproved.env.GITHUB_TOKEN).toBe('x')
})

test.each([
  'SENTRY_AUTH_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SESSION_TOKEN',
  'OPENAI_API_KEY',
  'DB_PASSWORD',
  'PGPASSWORD',
  'SENTRY_DSN',
  'JWT_SECRET',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'githubToken',
])('%s looks like a token', name => {
  expect(givenEnvs({ [name]: 'x' }, 'headless', '').unapproved.leftOut).toEqual([name])
})

test.each([
  ['SSH_AUTH_SOCK', '/run/user/1000/ssh'],
  ['TOKEN_FILE', '/run/secrets/x'],
  ['AUTH0_DOMAIN', 'x.example'],
  ['KEYBOARD', 'de'],
  ['NEXT_PUBLIC_API_KEY', 'x'],
  ['HTTPS_PROXY', 'http://me:pa55word@proxy.example:3128'],
  ['COMPASS', 'north'],
  ['MONKEY', 'x'],
  ['EMPTY_TOKEN', ''],
])('%s does not', (name, value) => {
  expect(givenEnvs({ [name]: value }, 'headless', '').unapproved).toMatchObject({ leftOut: [], env: { [name]: value } })
})

test('pagers are off in both lanes, questions only where nobody could answer, and a program knows what it prints to', () => {
  const headless = givenEnvs({}, 'headless', '').unapproved.env
  const window = givenEnvs({}, 'interactive', '').approved.env
  expect(headless).toMatchObject({ PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', LESS: 'FRX', TERM: 'dumb' })
  expect(headless).toMatchObject({ DEBIAN_FRONTEND: 'noninteractive', GIT_TERMINAL_PROMPT: '0', PIP_NO_INPUT: '1' })
  expect(window).toMatchObject({ PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', TERM: 'xterm-256color' })
  for (const name of ['DEBIAN_FRONTEND', 'GIT_TERMINAL_PROMPT', 'PIP_NO_INPUT', 'CI'])
    expect(window).not.toHaveProperty(name)
  expect(headless).not.toHaveProperty('CI')
})

test('what the person or the agent has set wins', () => {
  const { env } = givenEnvs({ LESS: '-S', PIP_NO_INPUT: '0' }, 'headless', '').unapproved
  expect(env).toMatchObject({ LESS: '-S', PIP_NO_INPUT: '0' })
  expect(runEnv(env, { TERM: 'xterm', LESS: '', CI: '1' }, [])).toMatchObject({ TERM: 'xterm', LESS: '', CI: '1' })
})

test('the note names what was left out, and how it is handed on', () => {
  expect(leftOutNote(['A_TOKEN', 'B_TOKEN'])).toBe(
    "It ran without A_TOKEN, B_TOKEN: a person's approval or the setting PM_TERM_HAND_ON hands them on.",
  )
  expect(leftOutNote([...'abcdefg'])).toContain('a, b, c, d, e and 2 more')
})
