import { expect, test } from 'vitest'
import { changeOf, unsafeCarried, withCarried } from './carry.ts'

const started = { cwd: '/home/ada/app', env: { PATH: '/bin', HOME: '/home/me', GIVEN: '1' } }

test('what a run changed is the difference to how it was started, not what it was given', () => {
  const told = { cwd: '/home/ada/app/sub', env: { PATH: '/bin', GIVEN: '1', ADDED: 'x' } }
  expect(changeOf(started, told)).toEqual({
    cwd: '/home/ada/app/sub',
    env: { ADDED: 'x', HOME: null },
    said: { cwd: '/home/ada/app/sub', env: ['ADDED', 'HOME'] },
  })
})

test('a run that changed nothing says nothing', () => {
  const told = {
    cwd: '/home/ada/app',
    env: { ...started.env, PWD: '/home/ada/app', OLDPWD: '/', SHLVL: '2', _: '/usr/bin/env', TERM: 'x' },
  }
  expect(changeOf(started, told)).toEqual({ cwd: null, env: {}, said: null })
})

test.each([
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'BASH_ENV',
  'ENV',
  'GIT_DIR',
  'NODE_OPTIONS',
  'PYTHONPATH',
  'BASH_FUNC_ls%%',
  'PM_TERM_HOME',
])('%s is never given on, and it is said', name => {
  const { env, said } = changeOf(started, { cwd: '/home/ada/app', env: { ...started.env, [name]: 'x' } })
  expect({ env, said }).toEqual({ env: {}, said: { left_out: [name] } })
})

test('a directory that is gone at the end is told', () => {
  expect(changeOf(started, { cwd: '', env: started.env }).said).toEqual({
    nothing: 'the directory it ended in is gone',
  })
})

test('the next run gets what was set and misses what was unset', () => {
  expect(withCarried({ A: '1', B: '2' }, { B: null, C: '3' })).toEqual({ A: '1', C: '3' })
})

test('only variables that change how output looks leave auto-approval alone', () => {
  expect(unsafeCarried({ NO_COLOR: '1', LANG: 'C', FOO: '1', HOME: null, LC_ALL: '$(x)' })).toEqual([
    'FOO',
    'HOME',
    'LC_ALL',
  ])
})
