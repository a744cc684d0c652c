import { afterEach, expect, test } from 'vitest'
import { type LiveHost, openLiveHost } from '../drivers/live-host.ts'

let at: LiveHost
afterEach(() => at.close())

test('what is hard to undo needs the words typed out, and is approved once only', async () => {
  at = await openLiveHost()
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('git push --force', { working_directory: at.place.work })
  const question = await approver.question()
  expect(question).toMatchObject({ grave: true, proposed_rules: [] })
  approver.approve(question)
  await approver.heard.next('answer_refused', frame => frame.problem.includes('type "run it"'))
  approver.approve(question, { typed: 'run it', scope: { kind: 'time', minutes: 5, rules: ['git push --force'] } })
  await approver.heard.next('answer_refused', frame => frame.problem.includes('once'))
  approver.approve(question, { typed: 'run it' })
  expect(await client.response(id)).toMatchObject({ approved_by: 'person', state: 'exited' })
})

test('PM_TERM_GRAVE=block refuses it without a question', async () => {
  at = await openLiveHost({ env: { PM_TERM_GRAVE: 'block' } })
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('git push --force', { working_directory: at.place.work })
  expect(await client.response(id)).toMatchObject({ status: 'error', state: 'blocked' })
  expect(approver.heard.all.some(frame => frame.type === 'question')).toBe(false)
})
