import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Opened, openCommand } from '../drivers/mcp-client.ts'
import { needs, skipWithout } from '../drivers/needs.ts'
import { asUser, BUBBLEWRAP, giveToUser, startAsUser } from '../drivers/ordinary-user.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** A place whose folder tries first, and a server there that an ordinary user has started. */
class TryPlace {
  readonly place = new Place()
  server!: Opened

  async open(env: Readonly<Record<string, string>> = {}, tries = true): Promise<Opened> {
    const { place } = this
    place.write('work/package.json', JSON.stringify({ scripts: { test: 'node check.js' } }))
    place.write('work/check.js', "console.log('checked', require('fs').readdirSync('.').length)\n")
    place.write('work/.env', 'TOKEN=of-the-person\n')
    place.write('work/Makefile', 'all:\n\techo made\n')
    const git = (...args: string[]) => execFileSync('git', ['-C', place.work, ...args], { stdio: 'ignore' })
    git('init', '-q')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one')
    place.decide(decisions => decisions.bind('test', place.work, false, tries))
    const all = { ...giveToUser(place), ...env }
    const [command = '', ...args] = asUser(process.execPath, [PRODUCT, 'mcp'])
    this.server = await openCommand({ command, args, env: all }, place, { place, cwd: '/' })
    return this.server
  }

  run(command: string, args?: readonly string[], more: Readonly<Record<string, unknown>> = {}) {
    return this.server.headless({ action: 'run', command, ...(args && { args }), cwd: this.place.work, ...more })
  }

  async close(): Promise<void> {
    await this.server?.close()
    this.place.remove()
  }
}

describe('a server in a folder that tries first', needs('a sandbox'), () => {
  const at = new TryPlace()
  beforeAll(() => at.open())
  afterAll(() => at.close())

  test('runs what no rule covers without a question, and says that nothing was changed', async () => {
    const { data, text } = await at.run('node', ['-e', 'console.log(6 * 7)'])
    expect(data.result).toMatchObject({
      state: 'exited',
      exit_code: 0,
      stdout: '42\n',
      sandbox: { mode: 'read_only', network: 'none', changes: 0 },
    })
    expect(text).toContain('[sandbox: no network, home hidden; nothing was changed]')
  })

  // Real work that only reads ends as it does outside.
  test.for([
    ['git', ['log', '--format=%s', '-p', '--ext-diff'], 0, 'one'],
    ['git', ['diff', '--no-index', 'package.json', 'check.js'], 1, 'scripts'],
    ['grep', ['-rn', 'checked', '--include=*.js', '.'], 0, 'check.js'],
    ['grep', ['-rn', 'not there at all', '--include=*.js', '.'], 1, ''],
    ['node', ['check.js'], 0, 'checked'],
    ['npm', ['test', '--silent'], 0, 'checked'],
    ['python3', ['-c', 'import sys; print(sorted(__import__("os").listdir("."))); sys.exit(3)'], 3, 'check.js'],
    ['make', ['-n', '-B', 'all'], 0, 'echo made'],
    ['awk', ['{print NR}', 'check.js'], 0, '1'],
    ['bash', ['-c', 'for f in *.js; do wc -l "$f"; done'], 0, 'check.js'],
    ['node', ['-e', 'process.exit(9)'], 9, ''],
    ['bash', ['-c', 'kill -TERM $$'], 143, ''],
  ] as const)('%s %j ends there with %i, as outside', async ([command, args, code, says]) => {
    const { data } = await at.run(command, args)
    const { exit_code, stdout = '' } = data.result
    expect({ exit_code, ...(data.error && { error: data.error.message }) }).toEqual({ exit_code: code })
    expect(stdout).toContain(says)
  })

  test.for([
    ['node', ['-e', 'require("fs").writeFileSync("new.txt", "x")'], 'a place to write'],
    ['node', ['-e', 'require("https").get("https://example.com")'], 'the network'],
    ['node', ['-e', 'console.log(require("fs").readFileSync(".e" + "nv", "utf8"))'], 'a file or a right'],
  ] as const)('what fails for want of the outside is not run for real: %s %j', async ([command, args, want]) => {
    const { data } = await at.run(command, args)
    expect(data.error).toMatchObject({ code: 'PM_TERM_APPROVAL_REQUIRED', message: expect.stringContaining(want) })
    expect(data.result.sandbox?.wanted).toBeDefined()
    expect(JSON.stringify(data)).not.toContain('of-the-person')
    expect(readdirSync(at.place.work)).not.toContain('new.txt')
  })

  test('asks at once where the sandbox would only give a wrong answer, and for secrets', async () => {
    for (const [command, args] of [
      ['ps', ['aux']],
      ['curl', ['https://example.com']],
      ['git', ['push']],
      ['node', ['tool.js', join(at.place.root, 'elsewhere')]],
      ['awk', ['1', '.env']],
      ['rm', ['check.js']],
    ] as const) {
      const { data } = await at.run(command, args)
      expect([command, data.error?.code]).toEqual([command, 'PM_TERM_APPROVAL_REQUIRED'])
      expect([command, data.result.sandbox]).toEqual([command, undefined])
    }
  })

  test('no field of a request switches the sandbox off', async () => {
    for (const more of [{ sandbox: false }, { run: 'real' }, { jail: 'off' }, { env: { PM_TERM_SANDBOX: 'off' } }]) {
      const { data } = await at.run('node', ['-e', 'require("fs").writeFileSync("new.txt", "x")'], more)
      expect(data.success).toBe(false)
      expect(readdirSync(at.place.work)).not.toContain('new.txt')
    }
  })

  test('a kill ends everybody in it, and so does the death of the server', async () => {
    const script = 'setsid sleep 61 & sleep 61'
    const sleepers = (): number =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
        .split('\n')
        .filter(line => line === 'sleep 61').length
    const started = await at.run('bash', ['-c', script], { timeout_ms: 500 })
    expect(started.data.result.running).toBe(true)
    await eventually('both run', () => sleepers() === 2)
    await at.server.headless({ action: 'kill', session_id: started.data.identity.session_id })
    await eventually('none is left', () => sleepers() === 0)

    await at.run('bash', ['-c', script], { timeout_ms: 500 })
    await eventually('both run again', () => sleepers() === 2)
    // setpriv has become the server: the same pid.
    process.kill(at.server.pid, 'SIGKILL')
    await eventually('nobody outlives the server', () => sleepers() === 0)
  })
})

describe('where the sandbox is not what it must be', needs('a sandbox'), () => {
  test.for([
    ['there is no bubblewrap', '/usr/local/bin:/nowhere', /bubblewrap is not on the PATH/],
    ['the bubblewrap of Debian 12 is too old', '/usr/bin', /older than 0\.12 and writes outside what it is told/],
    ['the folder does not try', `${dirname(BUBBLEWRAP ?? '/')}:/usr/local/bin:/usr/bin:/bin`, /no rule covers it/],
  ] as const)('it asks and says why: %s', async ([, path, why], { skip }) => {
    if (why.source.startsWith('older')) skipWithout(skip, 'bubblewrap 0.8')
    const at = new TryPlace()
    await at.open({ PATH: path }, !why.source.startsWith('no rule'))
    const { data } = await at.run(process.execPath, ['-e', '1'])
    expect(data.error).toMatchObject({ code: 'PM_TERM_APPROVAL_REQUIRED', message: expect.stringMatching(why) })
    await at.close()
  })

  test('one that stops working at the second start asks, and nothing runs bare', async () => {
    const at = new TryPlace()
    const counter = join(at.place.root, 'count')
    // As a bubblewrap that breaks after the probe and one start.
    const file = at.place.write(
      'bin/bwrap',
      `#!/bin/sh\nn=$(cat ${counter} 2>/dev/null || echo 0); echo $((n + 1)) > ${counter}\n[ "$n" -ge 3 ] && { echo "bwrap: Creating new namespace failed" >&2; exit 1; }\nexec ${BUBBLEWRAP} "$@"\n`,
      0o755,
    )
    await at.open({ PATH: `${dirname(file)}:/usr/local/bin:/usr/bin:/bin:${dirname(process.execPath)}` })
    expect((await at.run('node', ['-e', 'console.log(1)'])).data.result.exit_code).toBe(0)
    const { data } = await at.run('node', ['-e', 'console.log(1)'])
    expect(data.error).toMatchObject({
      code: 'PM_TERM_APPROVAL_REQUIRED',
      message: expect.stringContaining('it did not start'),
    })
    await at.close()
  })
})

test(
  '"doctor" says in one sentence whether commands can be tried, and "policy try" needs a person',
  needs('a sandbox'),
  async () => {
    const at = new TryPlace()
    await at.open()
    const env = giveToUser(at.place)
    const said = async (...args: string[]): Promise<string> => {
      const child = startAsUser(process.execPath, [PRODUCT, ...args], { cwd: at.place.work, env })
      let text = ''
      child.stdout?.on('data', chunk => (text += chunk))
      child.stderr?.on('data', chunk => (text += chunk))
      await new Promise(resolve => child.on('close', resolve))
      return text
    }
    expect(await said('doctor')).toMatch(/trying first: .*it holds here/)
    expect(await said('policy', 'try', 'off')).toMatch(/terminal/i)
    await at.close()
  },
)
