import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Preview } from '../../src/contract/preview/preview-frames.ts'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeApprover, FakeClient } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

let host: BrowserHost
let window: WindowPage
let client: FakeClient
let approver: FakeApprover
beforeAll(async () => {
  host = await BrowserHost.open()
  // Before the window: who comes second would need its code.
  approver = await host.live.approver()
  window = await host.window()
  client = await host.live.client()
})
afterAll(() => host.close())

const work = (...names: string[]) => join(host.live.place.work, ...names)
const asks = (command: string): string =>
  client.command(command, { working_directory: host.live.place.work, workspace_id: 'test' })
/** What the host looked up for the question of this command. */
async function previewOf(command: string): Promise<Preview> {
  const { ask_id } = await approver.heard.next('question', each => each.kind === 'command' && each.command === command)
  return approver.heard.next('preview', each => each.ask_id === ask_id)
}

test('a card shows what a command would delete and overwrite, and nothing of it happens by looking', async () => {
  mkdirSync(work('old'))
  for (const name of ['a', 'b', 'c']) writeFileSync(work('old', name), 'x'.repeat(500))
  writeFileSync(work('notes.txt'), 'hello')
  const id = asks('rm -rf ol* > notes.txt')
  await window.page.locator('[data-preview]').waitFor()
  const lines = await window.page.locator('[data-preview-line]').allInnerTexts()
  expect(lines).toEqual([
    'ol* stands for old',
    'Overwrites notes.txt, 5 bytes',
    expect.stringMatching(/^Deletes 3 files and 1 directory, 1\.5 KB/),
  ])

  // It is below what has to be read, and takes no part in it.
  expect(await window.page.locator('[data-to-read] [data-preview]').count()).toBe(0)
  expect([existsSync(work('old/a')), existsSync(work('notes.txt'))]).toEqual([true, true])
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
})

test('the preview follows the line that a person writes instead, and never shows what another one would do', async () => {
  const { page } = window
  mkdirSync(work('parts'))
  for (const name of ['a', 'b']) writeFileSync(work('parts', name), 'x'.repeat(400))
  const id = asks('rm parts/a')
  await page.locator('[data-preview-line]', { hasText: 'Deletes 1 file' }).waitFor()
  await page.locator('[data-toggle=edit]').click()
  await page.locator('[data-line]').fill('rm parts/*')
  await page.locator('[data-decide] [data-preview-line]', { hasText: 'Deletes 2 files' }).waitFor()
  expect(await page.locator('[data-body] [data-preview]').count()).toBe(0)
  await page.locator('[data-line]').fill('rm parts/a')
  await page.locator('[data-body] [data-preview-line]', { hasText: 'Deletes 1 file' }).waitFor()
  expect(await page.locator('[data-decide] [data-preview]').count()).toBe(0)
  expect(existsSync(work('parts/a'))).toBe(true)
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
})

test(
  'a repository that names a program is not asked, and the program does not run while the card is shown',
  needs('git'),
  async () => {
    const canary = work('canary')
    const evil = host.live.place.write('evil.sh', `#!/bin/sh\ntouch ${canary}\n`, 0o755)
    execFileSync('git', ['init', '-q', work()])
    execFileSync('git', ['-C', work(), 'config', 'core.fsmonitor', evil])
    const id = asks('git push origin main')
    expect(await previewOf('git push origin main')).toMatchObject({
      items: [{ about: 'unknown', why: expect.stringContaining('core.fsmonitor') }],
    })
    expect(existsSync(canary)).toBe(false)
    client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  },
)

test('who comes later sees the same, and a card is approved without waiting for it', async () => {
  const id = asks('rm old/a')
  const preview = await previewOf('rm old/a')
  const later = await host.live.approver()
  expect(await later.heard.next('preview', ({ ask_id }) => ask_id === preview.ask_id)).toEqual(preview)
  const question = await later.question(({ ask_id }) => ask_id === preview.ask_id)
  later.approve(question)
  expect(await client.response(id)).toMatchObject({ status: 'approved', exit_code: 0 })
  expect(existsSync(work('old/a'))).toBe(false)
})
