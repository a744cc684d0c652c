import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

/** Every shell a request may name, through a real host: what was sent is what the shell was given. */
let at: LiveHost
let client: FakeClient
let approver: FakeApprover
beforeAll(async () => {
  at = await openLiveHost()
  client = await at.client()
  approver = await at.approver()
})
afterAll(() => at.close())

const has = (program: string): boolean => ['/bin', '/usr/bin'].some(directory => existsSync(join(directory, program)))
const run = async (terminal_profile: string, command: string, more: Record<string, unknown> = {}) => {
  const asked = { working_directory: at.place.work, approval_required: true, terminal_profile, ...more }
  const id = client.command(command, asked)
  const question = await approver.question(each => each.request_id === id)
  approver.approve(question)
  return { question, response: await client.response(id) }
}

/** Text that a shell could trip over, quoted for that shell, and what it stands for. */
const TRICKY = `a  b"c\\d$HOME\`id\`!*?[x]{1,2}~;&|<>#äöü漢字🙂é\nnext line`
const quoted = {
  posix: `'${TRICKY}'`,
  // In single quotes fish reads \\ as one backslash.
  fish: `'${TRICKY.replaceAll('\\', '\\\\')}'`,
}

/** What each one says of itself, so that no shell can stand in for another. */
const SHELLS = [
  { profile: 'bash', quotes: 'posix', which: '/bin/echo "$BASH_VERSION"', says: /^\d+\./ },
  { profile: 'sh', quotes: 'posix', which: '/bin/echo "$0"', says: /sh$/ },
  { profile: 'zsh', quotes: 'posix', which: '/bin/echo "$ZSH_VERSION"', says: /^\d+\./ },
  { profile: 'fish', quotes: 'fish', which: '/bin/echo $FISH_VERSION', says: /^\d+\./ },
] as const

for (const { profile, quotes, which, says } of SHELLS) {
  describe(`in ${profile}`, needs(profile), () => {
    test('the line runs in that shell, and the card names it', async () => {
      const { question, response } = await run(profile, which)
      expect(question).toMatchObject({
        shell: profile,
        executables: [expect.stringMatching(new RegExp(`/${profile}$`)), '/bin/echo'],
      })
      expect(response.output.trim()).toMatch(says)
    })

    test('quotes, unicode and line breaks arrive as they were sent', async () => {
      const { question, response } = await run(profile, `printf '<%s>' ${quoted[quotes]}`)
      expect(question).toMatchObject({ command: `printf '<%s>' ${quoted[quotes]}` })
      expect(response.output).toBe(`<${TRICKY.replaceAll('\n', '\r\n')}>`)
    })

    test('a line of 60 KB arrives whole', async () => {
      const long = 'x'.repeat(60_000)
      const { response } = await run(profile, `/bin/echo '${long}' | wc -c`)
      expect(response.output.trim()).toBe('60001')
    })

    test('its exit code is the line’s, and a signal is told', async () => {
      expect((await run(profile, '/bin/echo before; exit 37')).response).toMatchObject({
        exit_code: 37,
        output: 'before\r\n',
      })
      expect((await run(profile, 'sleep 0; false')).response.exit_code).toBe(1)
      const self = profile === 'fish' ? '$fish_pid' : '$$'
      expect((await run(profile, `kill -TERM ${self}; sleep 5`)).response).toMatchObject({
        exit_code: null,
        signal: 'SIGTERM',
      })
    })

    test('directory, variables and virtual environment hold', async () => {
      at.place.write('work/sub dir/.venv/bin/tool', '#!/bin/sh\necho "tool of $VIRTUAL_ENV"\n', 0o755)
      const cwd = join(at.place.work, 'sub dir')
      const { response } = await run(profile, 'pwd; /bin/echo "$GREETING"; tool', {
        working_directory: cwd,
        env: { GREETING: 'grüß "dich" $HOME' },
        activate_venv: true,
      })
      expect(response).toMatchObject({
        cwd,
        output: [cwd, 'grüß "dich" $HOME', `tool of ${cwd}/.venv`, ''].join('\r\n'),
      })
    })

    test('a line that starts with a dash is a line', async () => {
      const { response } = await run(profile, '--version')
      expect([response.exit_code, /not found|Unknown command/.test(response.output)]).toEqual([127, true])
    })

    // Not by its exit code: fish says 0 here.
    test('a line that cannot be read fails as that shell fails, and nothing of it runs', async () => {
      // Only the shell knows: what is in the quote is more than our reader takes.
      const { response } = await run(profile, 'touch never; /bin/echo "open $HOME')
      expect(response.output).toMatch(/unmatched|unexpected EOF|Unterminated|not balanced/)
      expect(existsSync(join(at.place.work, 'never'))).toBe(false)
    })

    test('no file of the person is read', async () => {
      for (const file of ['.bashrc', '.profile', '.zshenv', '.zshrc', '.config/fish/config.fish'])
        at.place.write(file, '/bin/echo sourced\n')
      expect((await run(profile, '/bin/echo clean')).response.output).toBe('clean\r\n')
    })
  })
}

test.each([
  ['pwsh', 'pwsh'],
  ['powershell', 'powershell'],
  ['cmd', 'cmd.exe'],
])('a shell that is not there is named: %s', async (profile, program) => {
  if (has(program)) {
    expect((await run(profile, 'exit 5')).response.exit_code).toBe(5)
    return
  }
  const id = client.command('exit 5', { working_directory: at.place.work, terminal_profile: profile })
  const { error } = await client.response(id)
  expect(error).toMatchObject({
    code: 'PM_TERM_INVALID_PAYLOAD',
    message: expect.stringContaining(`The shell ${program} is not on this machine`),
  })
})
