import { expect, test } from 'vitest'
import { inheritedEnv, runEnv } from './base-env.ts'

test.each([
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'PROMPT_COMMAND',
  'PS4',
  'IFS',
  'BASH_FUNC_ls%%',
  'NODE_OPTIONS',
  'NODE_PATH',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'PERL5OPT',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
  'GIT_DIR',
  'GIT_EXTERNAL_DIFF',
  'GIT_SSH_COMMAND',
  'LESSOPEN',
  'MANPAGER',
  'EDITOR',
  'PM_TERM_HOME',
  'PM_TERM_AUTO_APPROVE',
  'TERMINAL_PORT',
  'npm_config_script_shell',
])('%s of the server is not handed on', name => {
  expect(Object.keys(inheritedEnv({ [name]: 'x' })).filter(key => key === name)).toEqual([])
})

test('what a command needs to find its way is handed on unchanged', () => {
  const env = { PATH: '/usr/bin', HOME: '/home/me', LANG: 'de_DE.UTF-8', TMPDIR: '/tmp', SSH_AUTH_SOCK: '/run/ssh' }
  expect(inheritedEnv({ ...env, GONE: undefined })).toMatchObject(env)
})

test('the request adds its own, and the marks win over everything', () => {
  expect(runEnv({ A: '1', B: '1' }, { B: '2', RUN: 'forged' }, ['RUN=a=b', 'SERVER=s'])).toEqual({
    A: '1',
    B: '2',
    RUN: 'a=b',
    SERVER: 's',
  })
})

test('on Windows no program is taken from where a command happens to be', () => {
  expect(inheritedEnv({ SystemRoot: 'C:\\Windows' }).NoDefaultCurrentDirectoryInExePath).toBe('1')
  expect(inheritedEnv({ HOME: '/home/me' }).NoDefaultCurrentDirectoryInExePath).toBeUndefined()
})
