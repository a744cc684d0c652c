import { expect, test } from 'vitest'
import type { Result } from '../../contract/tool/response.ts'
import { outputContent } from './output-content.ts'
import { outputUri, readUri } from './run-uri.ts'

const content = (result: Result, raw: Result = {}, cursor = 0) =>
  outputContent('req_1', cursor, async ({ format }) => ({ result: format === 'raw' ? raw : result }) as never)
const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64')

test('a text with a sign for what could not be read stays a text when its program printed just that', async () => {
  const stdout = 'a � b\n'
  const raw = { base64: Buffer.from(stdout).toString('base64') }
  expect(await content({ state: 'exited', exit_code: 0, stdout }, raw)).toMatchObject([{ text: stdout }])
})

test('a page that begins and ends in the middle of a character is still a text', async () => {
  const raw = { base64: base64(0x82, 0xac, 0x41, 0xe2, 0x82) }
  expect(await content({ state: 'running', running: true, stdout: '�A' }, raw, 1)).toMatchObject([
    { uri: 'terminal://runs/req_1/output?cursor=1', text: '�A\n[running]\n' },
  ])
})

test('bytes that do not fit are said beside those that do', async () => {
  const rest = { omitted_bytes: 7, omitted_from: 3 }
  const [bytes, note] = await content(
    { state: 'exited', stdout: '�\0', ...rest },
    { base64: base64(255, 0, 1), ...rest },
  )
  expect(bytes).toMatchObject({ mimeType: 'application/octet-stream', blob: base64(255, 0, 1) })
  expect(note).toMatchObject({
    text: expect.stringMatching(/^\[7 bytes from offset 3 on are not here; read terminal:/),
  })
})

test('what is lost for good is said, and so is how a run without output is', async () => {
  expect(await content({ state: 'exited', exit_code: 0, stdout: 'x\n', lost_bytes: 5 })).toMatchObject([
    { text: '[5 bytes are lost to the quota or a full disk]\nx\n[5 bytes are lost to the quota or a full disk]\n' },
  ])
  expect(await content({ state: 'declined' })).toMatchObject([{ text: '[declined; no output here]\n' }])
  expect(await content({ state: 'awaiting_approval' })).toMatchObject([
    {
      text: '[awaiting_approval; no output here]\n',
      _meta: { 'interactive-terminal/run': { state: 'awaiting_approval' } },
    },
  ])
})

test('a run is found under its uri whatever characters its id has, and nothing else is', () => {
  expect(readUri(outputUri('a.b:c_d-e', 9))).toEqual({ kind: 'output', id: 'a.b:c_d-e', cursor: 9 })
  for (const uri of ['terminal://runs/', 'terminal://runs/x', 'terminal://runs/%2e%2e%2fx/output'])
    expect(() => readUri(uri)).toThrow('No such resource')
  expect(() => readUri('terminal://runs/x/output?cursor=-1')).toThrow('A cursor is a byte offset')
})
