import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loginEnv } from '../../src/mcp/host-link/login-env.ts'

/** A login shell that does what a test says, before it runs what it was given. */
function shellThat(does: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'it-login-')), 'sh')
  writeFileSync(file, `#!/bin/sh\n${does}\nshift 2\nexec /bin/sh -c "$1"\n`)
  chmodSync(file, 0o755)
  return file
}
const asked = (shell: string) =>
  loginEnv({
    person: { username: 'ada', homedir: '/home/ada', shell },
    node: process.execPath,
    platform: 'linux',
    ownEnv: { PATH: '/evil', NODE_OPTIONS: '--require /evil.js' },
  })

test('A29: a launched host gets the PATH and the screen of the person, and nothing else of their profile', async () => {
  const shell = shellThat(
    '/bin/echo "Welcome!"; export PATH=/mine:$PATH DISPLAY=:7 LD_PRELOAD= NODE_OPTIONS= TOKEN=secret',
  )
  expect(await asked(shell)).toEqual({
    HOME: '/home/ada',
    USER: 'ada',
    LOGNAME: 'ada',
    SHELL: shell,
    DISPLAY: ':7',
    PATH: '/mine:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  })
})

test('a login shell that fails leaves a plain PATH', async () => {
  const env = await asked(shellThat('exit 1'))
  expect(env.PATH).toBe('/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin')
})
