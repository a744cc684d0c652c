import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Question } from '../../src/contract/wire/approver-frames.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'

/** While the card is up somebody changes the disk; then the person says yes to what they see. Numbers: docs/attacks.md. */
let live: LiveHost
let client: FakeClient
let person: FakeApprover
beforeEach(async () => {
  live = await openLiveHost()
  client = await live.client()
  person = await live.approver()
})
afterEach(() => live.close())

type Card = Extract<Question, { kind: 'command' }>

const card = async (id: string, after?: Question): Promise<Card> => {
  const fits = (each: Question) => each.request_id === id && each.ask_id !== after?.ask_id
  const question = await person.question(fits)
  if (question.kind !== 'command') throw new Error('not about a command')
  return question
}
const inWork = (...names: string[]) => join(live.place.work, ...names)

/** Says yes to the first card after `swap`, and gives the card that comes then. */
async function askedAgain(
  line: string,
  more: Record<string, unknown>,
  swap: () => void,
): Promise<[string, Card, Card]> {
  const id = client.command(line, more)
  const first = await card(id)
  expect(first.changed).toEqual([])
  swap()
  person.approve(first)
  return [id, first, await card(id, first)]
}

async function declined(id: string, question: Question): Promise<void> {
  person.decline(question, 'not that')
  const response = await client.response(id)
  expect([response.status, response.approved_by, response.output]).toEqual(['declined', undefined, ''])
}

test('D4: a directory renamed and another put in its place is asked about again, saying so, and nothing ran', async () => {
  mkdirSync(inWork('here'))
  const at = { working_directory: inWork('here') }
  const [id, first, second] = await askedAgain('touch ran', at, () => {
    renameSync(inWork('here'), inWork('before'))
    mkdirSync(inWork('here'))
  })
  expect([second.plan_hash === first.plan_hash, second.cwd, second.changed]).toEqual([
    false,
    inWork('here'),
    [`The directory was replaced: another one is at ${inWork('here')} now.`],
  ])
  expect([existsSync(inWork('here/ran')), existsSync(inWork('before/ran'))]).toEqual([false, false])
  await declined(id, second)
})

test('D4b: a directory replaced by a link is asked about again as the place the link leads to', async () => {
  mkdirSync(inWork('here'))
  mkdirSync(inWork('elsewhere'))
  const [id, , second] = await askedAgain('touch ran', { working_directory: inWork('here') }, () => {
    renameSync(inWork('here'), inWork('before'))
    symlinkSync(inWork('elsewhere'), inWork('here'))
  })
  expect([second.cwd, second.changed]).toEqual([
    inWork('elsewhere'),
    [`The directory was replaced: ${inWork('here')} leads to ${inWork('elsewhere')} now.`],
  ])
  expect(existsSync(inWork('elsewhere/ran'))).toBe(false)
  person.approve(second)
  expect(await client.response(id)).toMatchObject({ exit_code: 0, approved_by: 'person' })
  expect(existsSync(inWork('elsewhere/ran'))).toBe(true)
})

test('D4: a link further up in the path of the directory counts as well', async () => {
  mkdirSync(inWork('up/here'), { recursive: true })
  mkdirSync(inWork('other/here'), { recursive: true })
  const [id, , second] = await askedAgain('touch ran', { working_directory: inWork('up/here') }, () => {
    renameSync(inWork('up'), inWork('before'))
    symlinkSync(inWork('other'), inWork('up'))
  })
  expect(second.cwd).toBe(inWork('other/here'))
  await declined(id, second)
})

test.each(['cd sub && touch ran', 'env -C sub touch ran'])(
  'D4: a directory that the line goes to counts as well: %s',
  async line => {
    mkdirSync(inWork('sub'))
    mkdirSync(inWork('elsewhere'))
    const [id, , second] = await askedAgain(line, { working_directory: live.place.work }, () => {
      renameSync(inWork('sub'), inWork('before'))
      symlinkSync(inWork('elsewhere'), inWork('sub'))
    })
    expect(second.changed).toEqual([
      `The directory was replaced: ${inWork('sub')} leads to ${inWork('elsewhere')} now.`,
    ])
    await declined(id, second)
  },
)

test('D4: a directory that is gone is no place to run in', async () => {
  mkdirSync(inWork('here'))
  const id = client.command('touch ran', { working_directory: inWork('here') })
  const first = await card(id)
  rmSync(inWork('here'), { recursive: true })
  person.approve(first)
  expect(await client.response(id)).toMatchObject({ state: 'failed', error: { code: 'PM_TERM_INVALID_PAYLOAD' } })
  // Nobody goes on reading that it was approved.
  await person.heard.next('not_started', ({ ask_id }) => ask_id === first.ask_id)
})

test('D1: a script that changed is named on the new card, and a yes for the folder does not run the other text', async () => {
  writeFileSync(inWork('build.sh'), 'echo first\n')
  const id = client.command('bash build.sh', { working_directory: live.place.work })
  const first = await card(id)
  writeFileSync(inWork('build.sh'), 'echo second > trace\n')
  person.approve(first, { scope: { kind: 'terminal', rules: ['bash build.sh'] } })
  const second = await card(id, first)
  expect(second.changed).toEqual([`build.sh changed in ${inWork('build.sh')}.`])
  expect(second.stands_for).toMatchObject([{ text: 'echo second > trace\n' }])
  await declined(id, second)
  expect(existsSync(inWork('trace'))).toBe(false)
})

test.each([
  ['D3', 'bash outer.sh', 'outer.sh'],
  ['D7', 'node app.mjs', 'app.mjs'],
  ['D8', 'node -r ./inner.js app.mjs', 'node'],
])(
  'D3, D7, D8: what a shown script loads is named as not shown, and asked about again when it changes (%s)',
  async (_, line, by) => {
    for (const [name, text] of [
      ['outer.sh', 'source inner.js\n'],
      ['app.mjs', "import './inner.js'\n"],
      ['inner.js', ''],
    ] as const)
      writeFileSync(inWork(name), text)
    const [id, first, second] = await askedAgain(line, { working_directory: live.place.work }, () =>
      writeFileSync(inWork('inner.js'), 'evil\n'),
    )
    expect(first.not_shown).toEqual([{ name: expect.stringContaining('inner.js'), path: inWork('inner.js'), by }])
    expect(second.changed).toEqual([`${inWork('inner.js')} changed; ${by} loads it.`])
    await declined(id, second)
  },
)

test('D12: a program replaced by another file is asked about again and named', async () => {
  const tool = live.place.write('work/tool', '#!/bin/sh\necho good\n', 0o755)
  const at = { working_directory: live.place.work, args: [] }
  const [id, , second] = await askedAgain(tool, at, () => {
    rmSync(tool)
    live.place.write('work/tool', '#!/bin/sh\necho evil\n', 0o755)
  })
  expect(second.changed).toEqual([`The program ${tool} is another file now.`])
  await declined(id, second)
})

test('what is left as it was runs at once, in the directory that was shown', async () => {
  mkdirSync(inWork('here'))
  const id = client.command('pwd; /bin/echo "$PWD"', { working_directory: inWork('here') })
  person.approve(await card(id))
  expect(await client.response(id)).toMatchObject({ output: `${inWork('here')}\r\n${inWork('here')}\r\n` })
  const direct = client.command('/usr/bin/printenv', { working_directory: inWork('here'), args: ['PWD'] })
  person.approve(await card(direct))
  expect(await client.response(direct)).toMatchObject({ output: `${inWork('here')}\r\n` })
})
