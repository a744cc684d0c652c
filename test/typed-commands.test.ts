import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/line/commands.ts'
import { commandLine } from './drivers/command-line.ts'
import { Place } from './drivers/place.ts'

/** Commands that we tell people to type exist as typed: no text says our bare name by itself (base/own-command.ts). */
const place = new Place()
afterAll(() => place.remove())

const src = resolve(import.meta.dirname, '../src')
const NAMES = COMMANDS.map(({ name }) => name).join('|')
/** Titles and names, not something to type. */
const NOT_TYPED = ["cards.length === 0 ? 'interactive-terminal approve'", "const who = { name: 'interactive-terminal"]

test('no text tells people to type our name where it may not be on their PATH', () => {
  const wrong = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .flatMap(file =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .filter(line => !/^\s*(\/?\*|\/\/)/.test(line))
        .filter(line => new RegExp(`interactive-terminal (${NAMES})\\b(?! *$)|"interactive-terminal"[, ]`).test(line))
        .filter(line => !NOT_TYPED.some(words => line.includes(words)))
        .map(line => `${file}: ${line.trim()}`),
    )
  expect(wrong).toEqual([])
})

const inShell = (line: string): Promise<{ code: number; out: string }> =>
  new Promise(done =>
    execFile('sh', ['-c', line], { env: place.env(), cwd: place.root }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? -1) : 0, out: stdout + stderr }),
    ),
  )

test('what a message says to type starts this very program', async () => {
  const { out } = await commandLine(place, ['pair', '--list'])
  const said = /Nobody is paired\. (.+) pair <name> admits a container\./.exec(out)?.[1] ?? ''
  expect(said).toMatch(/interactive-terminal\.cjs"?$/)
  expect(await inShell(`${said} pair --list`)).toEqual({ code: 0, out })
})

test('a mistyped command is told how to get help, and that works', async () => {
  const { out } = await commandLine(place, ['aprove'])
  const said = /See "(.+)" for all commands\./.exec(out)?.[1] ?? ''
  expect(await inShell(said)).toMatchObject({ code: 0, out: expect.stringContaining('approve') })
})
