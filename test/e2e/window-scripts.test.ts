import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Question } from '../../src/contract/wire/approver-frames.ts'
import { type LiveHost, openLiveHost } from '../drivers/live-host.ts'

let live: LiveHost
beforeAll(async () => {
  live = await openLiveHost()
})
afterAll(() => live.close())

const write = (name: string, text: string) => writeFileSync(join(live.place.work, name), text)
const isAbout = (id: string) => (question: Question) => question.request_id === id

test('the question about a script shows what the script says', async () => {
  write('hello.sh', 'echo hello from the script\n')
  const [client, person] = [await live.client(), await live.approver()]
  const id = client.command('bash hello.sh', { working_directory: live.place.work })
  const question = await person.question(isAbout(id))
  expect(question).toMatchObject({
    stands_for: [{ kind: 'script', name: 'hello.sh', text: 'echo hello from the script\n', omitted_bytes: 0 }],
  })
  person.approve(question)
  expect(await client.response(id)).toMatchObject({ exit_code: 0, output: 'hello from the script\r\n' })
})

test('D1: a script that was changed after it was shown is asked about again, and the old yes starts nothing', async () => {
  write('turn.sh', 'echo first\n')
  const [client, person] = [await live.client(), await live.approver()]
  const id = client.command('bash turn.sh', { working_directory: live.place.work })
  const first = await person.question(isAbout(id))
  write('turn.sh', 'echo second\n')
  person.approve(first)
  const second = await person.question(question => isAbout(id)(question) && question.ask_id !== first.ask_id)
  expect([second.plan_hash === first.plan_hash, second]).toMatchObject([
    false,
    { stands_for: [{ text: 'echo second\n' }] },
  ])
  person.approve(second)
  expect(await client.response(id)).toMatchObject({ exit_code: 0, output: 'second\r\n' })
})

test('a script that was changed and is then declined never runs', async () => {
  write('bad.sh', 'echo harmless\n')
  const [client, person] = [await live.client(), await live.approver()]
  const id = client.command('bash bad.sh', { working_directory: live.place.work })
  const first = await person.question(isAbout(id))
  write('bad.sh', `touch ${join(live.place.work, 'trace')}\n`)
  person.approve(first)
  const second = await person.question(question => isAbout(id)(question) && question.ask_id !== first.ask_id)
  person.decline(second, 'not that')
  expect(await client.response(id)).toMatchObject({ status: 'declined', reason: 'not that' })
  expect(live.place.read('work/trace')).toBe('')
})

test('npm run and make show the lines behind their names', async () => {
  write('package.json', JSON.stringify({ scripts: { deploy: 'scp x y' } }))
  write('Makefile', 'ship: pack\n\tscp x y\npack:\n\ttar c x\n')
  const [client, person] = [await live.client(), await live.approver()]
  for (const [line, texts] of [
    ['npm run deploy', ['scp x y']],
    ['make ship', ['ship: pack\n\tscp x y', 'pack:\n\ttar c x']],
  ] as const) {
    const id = client.command(line, { working_directory: live.place.work })
    const question = await person.question(isAbout(id))
    expect(question).toMatchObject({ stands_for: texts.map(text => ({ text })) })
    person.decline(question)
    await client.response(id)
  }
})
