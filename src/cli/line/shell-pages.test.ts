import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import { SETTING_NAMES } from '../../config/env.ts'
import { SETUP_CLIENTS } from '../setup/clients.ts'
import { COMMANDS } from './commands.ts'
import { COMPLETED_SHELLS, completionScript } from './completion.ts'
import { manPage } from './man-page.ts'

const dir = mkdtempSync(join(tmpdir(), 'it-shell-'))
const scriptOf = (shell: string) => join(dir, `complete.${shell}`)
beforeAll(() => {
  for (const shell of COMPLETED_SHELLS) writeFileSync(scriptOf(shell), completionScript(shell))
})
afterAll(() => rmSync(dir, { recursive: true }))

test('setup completes and names exactly the clients that it knows', () => {
  const row = COMMANDS.find(({ name }) => name === 'setup')
  expect(row?.choices).toEqual(SETUP_CLIENTS.map(({ id }) => id))
  for (const { id } of SETUP_CLIENTS) expect(row?.more).toContain(id)
})

/** What is typed, and what a shell must offer for its last word. */
const CASES: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['interactive-terminal po', ['policy']],
  ['interactive-terminal policy re', ['remove', 'replay']],
  ['interactive-terminal setup claude-', ['claude-desktop']],
  ['interactive-terminal doctor --js', ['--json']],
  ['interactive-terminal where http', ['http-token']],
]

test.each(CASES)('bash offers what fits "%s"', { ...needs('bash') }, (line, offered) => {
  const words = line.split(' ')
  const script = `source ${scriptOf('bash')}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _interactive_terminal; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p interactive-terminal >&2`
  const said = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  expect(said.stderr).toContain('-F _interactive_terminal interactive-terminal')
  expect(said.stdout.trim().split('\n')).toEqual(offered)
})

test.each(CASES)(
  'fish offers what fits "%s", with a sentence for each command and option',
  { ...needs('fish') },
  (line, offered) => {
    const script = `source ${scriptOf('fish')}; complete -C '${line}'`
    const out = execFileSync('fish', ['--no-config', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, HOME: dir },
    })
    const rows = out
      .trim()
      .split('\n')
      .map(row => row.split('\t'))
    expect(rows.map(([word]) => word)).toEqual(offered)
  },
)

test('zsh completes each of them when Tab is pressed', needs('zsh'), async () => {
  const env = { PATH: process.env.PATH, HOME: dir, TERM: 'xterm' }
  const shell = spawn('zsh', ['-f', '-i'], { cols: 200, rows: 40, cwd: dir, env })
  let shown = ''
  const shows = (text: string) => expect.poll(() => shown, { timeout: 20_000 }).toContain(text)
  shell.onData(text => {
    shown += text
  })
  try {
    // In two pieces: what is typed is shown as well, and is not what is waited for.
    shell.write(`autoload -Uz compinit && compinit -D -u && source ${scriptOf('zsh')} && PS1='rea''dy> '\r`)
    await shows('ready> ')
    for (const [line, offered] of CASES.filter(([, words]) => words.length === 1)) {
      // Tab, then to the beginning of the line: what stands there is printed.
      shell.write(`${line}\t\x01print -r -- 'g''ot:' \r`)
      await shows(`got: ${line.slice(0, line.lastIndexOf(' ') + 1)}${offered[0]}`)
    }
  } finally {
    shell.kill('SIGKILL')
  }
})

test('the manual page has every command with its options, and every setting', () => {
  const page = manPage('1.2.3').replaceAll('\\-', '-')
  for (const { name, operands, options } of COMMANDS) {
    expect(page).toContain(`.B ${`${name} ${operands}`.trim()}\n`)
    for (const option of options) expect(page).toContain(`--${option.name}`)
  }
  for (const name of SETTING_NAMES) expect(page).toContain(`.B ${name}, --`)
})

test('"man" shows the manual page without a warning', needs('man'), () => {
  writeFileSync(join(dir, 'it.1'), manPage('1.2.3'))
  const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-l', join(dir, 'it.1')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
  })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/setup <client>/)
  expect(stdout).toMatch(/interactive-terminal - a real terminal for AI agents/)
})
