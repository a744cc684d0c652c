import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { Question } from '../../src/contract/wire/approver-frames.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { skipWithout } from '../drivers/needs.ts'

/** While the card is up, or while the line runs, another program turns up under the name that was shown. Numbers: docs/attacks.md. */
const root = mkdtempSync(join(tmpdir(), 'it-moving-'))
const front = join(root, 'front')
const back = join(root, 'back')
const gotHere = (what: string) => `#!/bin/sh\necho ${what} "$@"\n`

let live: LiveHost
let client: FakeClient
let person: FakeApprover
beforeEach(async () => {
  for (const directory of [front, back]) {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
  }
  program(back, 'tool', gotHere('shown'))
  live = await openLiveHost({ env: { PATH: `${front}:${back}:/usr/bin:/bin` } })
  client = await live.client()
  person = await live.approver()
})
afterEach(() => live.close())
afterAll(() => rmSync(root, { recursive: true, force: true }))

function program(directory: string, name: string, text: string): string {
  const file = join(directory, name)
  writeFileSync(`${file}.new`, text)
  chmodSync(`${file}.new`, 0o755)
  renameSync(`${file}.new`, file)
  return file
}

type Card = Extract<Question, { kind: 'command' }>
const here = () => ({ working_directory: live.place.work })
const card = async (id: string, after?: Question): Promise<Card> =>
  (await person.question(each => each.request_id === id && each.ask_id !== after?.ask_id)) as Card

test.for<[how: string, line: string, more: { terminal_profile?: string; env?: object; args?: string[] }]>([
  ['as it was shown', 'tool one', {}],
  ['behind sudo or env', 'env tool one', {}],
  ['in a shell of its own', 'sh -c "tool one"', {}],
  ['where a variable is set', 'tool one', { env: { X: '1' } }],
  ['where the line has a variable', 'tool "$USER"', {}],
  ['in a substitution', 'echo $(tool one)', {}],
  ['in sh', 'tool one', { terminal_profile: 'sh' }],
  ['in zsh', 'tool one', { terminal_profile: 'zsh' }],
  ['in fish', 'tool one', { terminal_profile: 'fish' }],
  ['without a shell', 'env', { args: ['tool', 'one'] }],
])(
  'D5: a program that turns up in front of the one on the card is never run unseen (%s)',
  async ([_, line, more], { skip }) => {
    skipWithout(skip, more.terminal_profile ?? 'sh')
    const id = client.command(line, { ...here(), ...more })
    const first = await card(id)
    const shadow = program(front, 'tool', `#!/bin/sh\ntouch ${join(root, 'shadow-ran')}\n`)
    person.approve(first)
    const second = await card(id, first)
    expect(second.changed).toEqual([`tool is another file now: ${shadow}, not ${join(back, 'tool')}.`])
    person.decline(second)
    expect(await client.response(id)).toMatchObject({ status: 'declined', output: '' })
    expect(existsSync(join(root, 'shadow-ran'))).toBe(false)
  },
)

test.each([
  ['D10, a variable is set', 'tool', { env: { X: '1' } }],
  ['D11, the line has a variable', 'tool "$USER"', {}],
  ['D5b, in the middle of a line', 'cd / && tool | cat', {}],
])('D5b, D10, D11: machine code that is replaced is asked about again (%s)', async (_, line, more) => {
  copyFileSync('/bin/true', join(back, 'tool'))
  const id = client.command(line, { ...here(), ...more })
  const first = await card(id)
  expect(first.executables).toContain(join(back, 'tool'))
  const other = join(back, 'other')
  copyFileSync('/bin/echo', other)
  renameSync(other, join(back, 'tool'))
  person.approve(first)
  const second = await card(id, first)
  expect(second.changed).toEqual([`The program ${join(back, 'tool')} is another file now.`])
  person.decline(second)
  await client.response(id)
})

test('D12: the program that reads a script is pinned with it, though nobody names it', async () => {
  program(back, 'reader', '#!/bin/sh\necho read by the first\n')
  program(back, 'tool', '#!/usr/bin/env reader\n')
  const id = client.command('tool', here())
  const first = await card(id)
  program(back, 'reader', '#!/bin/sh\necho read by another\n')
  person.approve(first)
  const second = await card(id, first)
  expect(second.changed).toEqual([`The program ${join(back, 'reader')} is another file now.`])
  person.decline(second)
  await client.response(id)
})

test('a program that a shown script names is watched, too', async () => {
  live.place.write('work/build.sh', 'tool one\n')
  const id = client.command('bash build.sh', here())
  const first = await card(id)
  const shadow = program(front, 'tool', gotHere('evil'))
  person.approve(first)
  const second = await card(id, first)
  expect(second.changed).toEqual([`tool is another file now: ${shadow}, not ${join(back, 'tool')}.`])
  person.decline(second)
  await client.response(id)
})

test('a program put in front of one that no text names is asked about, as anything might look for it', async () => {
  const id = client.command('/usr/bin/env true', here())
  const first = await card(id)
  const shadow = program(front, 'sort', gotHere('evil'))
  person.approve(first)
  expect((await card(id, first)).changed).toEqual([expect.stringContaining(`${shadow} was put in front of `)])
})

test.for([
  ['bash', 'until [ -e go ]; do sleep 0.05; done; tool one'],
  ['bash', 'cd . && until [ -e go ]; do sleep 0.05; done; (tool one) | cat'],
  ['zsh', 'until [ -e go ]; do sleep 0.05; done; tool one'],
  ['sh', 'until [ -e go ]; do sleep 0.05; done; tool one'],
])('in %s, what turns up while the line runs is not taken either: %s', async ([profile = '', line], { skip }) => {
  skipWithout(skip, profile)
  const id = client.command(`touch started; ${line}`, { ...here(), terminal_profile: profile })
  person.approve(await card(id))
  await eventually('it runs', () => existsSync(join(live.place.work, 'started')))
  program(front, 'tool', gotHere('evil'))
  live.place.write('work/go', '')
  expect(await client.response(id)).toMatchObject({ exit_code: 0, output: 'shown one\r\n' })
})

test('what nobody can pin is listed as found when it runs', async () => {
  const id = client.command('$TOOL x; not-there-yet y; PATH=/opt/x:$PATH tool z', here())
  const question = await card(id)
  expect(question.found_when_run).toEqual(['$TOOL', 'not-there-yet', 'tool'])
  expect(question.executables).not.toContain(join(back, 'tool'))
  person.decline(question)
  await client.response(id)
})

test('a line behaves under the pins as it does without: words, quotes, status, arguments, and a PATH it sets itself', async () => {
  const line = `printf '%s|' "$#" "$0" 'a  b' $(tool "x y"); PATH=${front}; other; exit 7`
  program(front, 'other', '#!/bin/sh\necho other\n')
  const id = client.command(line, here())
  person.approve(await card(id))
  expect(await client.response(id)).toMatchObject({ exit_code: 7, output: '0|bash|a  b|shown|x|y|other\r\n' })
})
