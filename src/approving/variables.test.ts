import { expect, test } from 'vitest'
import { isSecret, reachOf, variableWarnings } from './variables.ts'

test.each([
  'PATH',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'NODE_OPTIONS',
  'PYTHONPATH',
  'BASH_ENV',
  'ENV',
  'GIT_SSH_COMMAND',
  'GIT_CONFIG_COUNT',
  'PERL5OPT',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
  'PAGER',
  'MANPAGER',
  'EDITOR',
  'LESSOPEN',
  'npm_config_script_shell',
  'NPM_CONFIG_NODE_OPTIONS',
  'MAKEFLAGS',
  'RUSTC_WRAPPER',
  'BASH_FUNC_ls%%',
  'HOME',
  'https_proxy',
  'PROMPT_COMMAND',
  'GLIBC_TUNABLES',
  'DOTNET_STARTUP_HOOKS',
  'IFS',
  'CC',
  'VIRTUAL_ENV',
])('%s is warned of by name', name => {
  expect(reachOf(name)).not.toBeNull()
})

test.each([
  'CI',
  'NODE_ENV',
  'DEBUG',
  'PORT',
  'PYTHONUNBUFFERED',
  'PYTHONDONTWRITEBYTECODE',
  'TERM',
  'X',
  'NO_COLOR',
  'DATABASE_URL',
])('%s is not', name => {
  expect(reachOf(name)).toBeNull()
})

test('each is named, with what it does', () => {
  const env = [
    { name: 'CI', value: '1' },
    { name: 'PATH', value: '/x' },
    { name: 'LD_PRELOAD', value: '/x.so' },
  ]
  expect(variableWarnings(env)).toEqual([
    { name: 'PATH', does: 'decides which programs run' },
    { name: 'LD_PRELOAD', does: 'loads code of its choice into programs' },
  ])
})

test.each([
  ['GITHUB_TOKEN', 'x'],
  ['PGPASSWORD', 'hunter2'],
  ['DB_PASS', 'x'],
  ['AWS_SECRET_ACCESS_KEY', 'x'],
  ['API_KEY', 'x'],
  ['OPENAI_APIKEY', 'x'],
  ['SESSION_COOKIE', 'x'],
  ['X', 'ghp_0123456789'],
  ['X', 'sk-ant-0123'],
  ['X', 'eyJhbGciOiJI.eyJ'],
  ['DATABASE_URL', 'postgres://u:pw@host/db'],
  ['X', '-----BEGIN RSA PRIVATE KEY-----\nx'],
  ['SSH_PASSPHRASE', 'x'],
  ['AUTH', 'x'],
])('%s=%s is a secret', (name, value) => {
  expect(isSecret({ name, value })).toBe(true)
})

test.each([
  ['CI', '1'],
  ['PWD', '/x'],
  ['KEYBOARD', 'de'],
  ['COMPASS', 'n'],
  ['AUTHOR', 'ada'],
  ['DATABASE_URL', 'postgres://host/db'],
  ['TOKEN', ''],
])('%s=%s is none', (name, value) => {
  expect(isSecret({ name, value })).toBe(false)
})

test('what decides what runs is never hidden, whatever it is called', () => {
  expect(isSecret({ name: 'LD_TOKEN', value: '/x.so' })).toBe(false)
  expect(isSecret({ name: 'GIT_ASKPASS', value: '/x' })).toBe(false)
})
