import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandLine, shellLine } from '../drivers/command-line.ts'
import { eventually, openStdio } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place.remove())

const CLAUDE = '{\n  "numStartups": 3,\n  "secret": "k"\n}\n'
const servers = () => JSON.parse(place.read('.claude.json')).mcpServers
const permissions = () => JSON.parse(place.read('.claude/settings.json')).permissions

/** In a terminal of their own, where somebody answers. */
async function typed(words: readonly string[], answer: string): Promise<{ code: number | null; out: string }> {
  const pty = spawn(process.execPath, [PRODUCT, ...words], { cwd: place.work, env: place.env(), cols: 300, rows: 50 })
  let out = ''
  let code: number | null = null
  let isAnswered = false
  pty.onData(text => {
    out += text
    if (isAnswered || !out.includes('[y/N]')) return
    isAnswered = true
    pty.write(`${answer}\r`)
  })
  pty.onExit(({ exitCode }) => {
    code = exitCode
  })
  await eventually('setup ends', () => code !== null)
  return { code, out: out.replaceAll('\r', '') }
}

describe('a person in a terminal', () => {
  test('sees the change, says yes, and gets it back byte for byte', async () => {
    const file = place.write('.claude.json', CLAUDE, 0o640)
    const { code, out } = await typed(['setup', 'claude', '--only-terminal', '--write'], 'y')
    expect([code, out]).toEqual([0, expect.stringContaining('+     "interactive-terminal": {')])
    expect(servers()['interactive-terminal']).toEqual({
      type: 'stdio',
      command: 'node',
      args: [PRODUCT, 'mcp'],
      env: {},
    })
    expect(permissions()).toEqual({
      allow: ['mcp__interactive-terminal__memory_terminal', 'mcp__interactive-terminal__memory_terminal_interactive'],
      deny: ['Bash'],
    })
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(statSync(join(place.home, 'state/setup/claude.v1.json')).mode & 0o777).toBe(0o600)

    expect((await typed(['setup', 'claude', '--undo'], 'y')).code).toBe(0)
    expect([place.read('.claude.json'), place.read('.claude/settings.json')]).toEqual([CLAUDE, ''])
    expect(await commandLine(place, ['setup', 'claude', '--undo'])).toMatchObject({ code: 0 })
  })

  test('says no, and nothing changes', async () => {
    place.write('.claude.json', CLAUDE)
    const { code, out } = await typed(['setup', 'claude', '--write'], '')
    expect([code, out]).toEqual([1, expect.stringContaining('Nothing was changed.')])
    expect([place.read('.claude.json'), place.read('.claude/settings.json')]).toEqual([CLAUDE, ''])
    expect(place.read('home/state/setup/claude.v1.json')).toBe('')
  })

  test('writes twice, the client writes in between, and undo takes back ours alone', async () => {
    place.write('.claude.json', CLAUDE)
    await typed(['setup', 'claude', '--write'], 'y')
    const changed = { ...JSON.parse(place.read('.claude.json')), numStartups: 4 }
    writeFileSync(join(place.root, '.claude.json'), JSON.stringify(changed))
    await typed(['setup', 'claude', '--only-terminal', '--write'], 'y')
    expect(permissions().deny).toEqual(['Bash'])
    await typed(['setup', 'claude', '--undo'], 'y')
    expect(JSON.parse(place.read('.claude.json'))).toEqual({ numStartups: 4, secret: 'k' })
    expect(place.read('.claude/settings.json')).toBe('')
  })

  test('keeps a link to where the file really is', async () => {
    const real = place.write('dotfiles/config.toml', 'model = "o"\n')
    mkdirSync(join(place.root, '.codex'))
    symlinkSync(real, join(place.root, '.codex/config.toml'))
    await typed(['setup', 'codex', '--write'], 'y')
    expect(lstatSync(join(place.root, '.codex/config.toml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain('model = "o"\n\n[mcp_servers.interactive-terminal]\n')
  })

  test('is told what is wrong with a half-written file, and nothing is written', async () => {
    place.write('.claude/settings.json', '{ "permissions": {')
    const { code, out } = await typed(['setup', 'claude', '--write'], 'y')
    expect(code).toBe(2)
    expect(out).toContain('.claude/settings.json cannot be changed, line 1: the file ends too early.')
    expect(out).not.toMatch(/at .*\.cjs:\d+/)
    expect([place.read('.claude.json'), place.read('.claude/settings.json')]).toEqual(['', '{ "permissions": {'])
  })
})

describe('nobody else', () => {
  const REFUSED = 'Only a person can widen what may run: use a terminal.\n'

  test('without a terminal it shows, and writes nothing', async () => {
    const shown = await commandLine(place, ['setup', 'codex', '--only-terminal'])
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('+ shell_tool = false') })
    expect(await commandLine(place, ['setup', 'codex', '--write'])).toEqual({ code: 2, out: REFUSED })
    expect(place.read('.codex/config.toml')).toBe('')
  })

  test('a command that runs here writes nothing, with a terminal of its own either', async () => {
    const server = await openStdio({ place })
    try {
      const line = `script -qec ${JSON.stringify(shellLine(['setup', 'codex', '--write']))} /dev/null </dev/null`
      const { data } = await server.headless({ action: 'run', ...place.shell(line) })
      expect(data.result.stdout).toContain('A command that runs here cannot widen what may run.')
      expect(place.read('.codex/config.toml')).toBe('')
    } finally {
      await server.close()
    }
  })

  test('an unknown client is answered with what was meant', async () => {
    const { code, out } = await commandLine(place, ['setup', 'claud'])
    expect([code, out]).toEqual([2, expect.stringContaining('There is no client "claud". Did you mean claude?')])
  })
})
