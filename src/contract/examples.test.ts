import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { AllowlistFile, HeadlessPolicyFile, WorkspaceFile } from './disk/files.ts'
import { OutputExport } from './disk/output-export.ts'
import { RecordLine } from './disk/run-record.ts'
import { SavedCommandsFile } from './disk/saved-commands.ts'
import { canonicalise } from './tool/canonicalise.ts'
import { parseEditor } from './tool/editor-request.ts'
import { EditorResponse } from './tool/editor-response.ts'
import { ERRORS, type ErrorCode, errorBody, fallbackFor, TermError } from './tool/errors.ts'
import { parseHeadless } from './tool/headless-request.ts'
import { HeadlessResponse, InteractiveResponse } from './tool/response.ts'
import { WindowPreferences } from './window/window-preferences.ts'

/** The examples are the contract for people who write a client: what they show must be what is true. */
const directory = join(import.meta.dirname, 'examples')
const all = readdirSync(directory).map(file => ({
  name: file.replace(/\.json$/, ''),
  content: JSON.parse(readFileSync(join(directory, file), 'utf8')),
}))
const withEnd = (end: string) => all.filter(({ name }) => name.endsWith(end))
/** Each tool has its own contract. */
const CONTRACTS = {
  headless: { parse: parseHeadless, response: HeadlessResponse },
  interactive: { parse: (request: unknown) => canonicalise(request, 'accept'), response: InteractiveResponse },
  editor: { parse: parseEditor, response: EditorResponse },
}
const contractOf = (name: string) => CONTRACTS[name.split('-')[0] as keyof typeof CONTRACTS]
const parse = (name: string, request: unknown) => contractOf(name).parse(request)
const WRONG_ON_PURPOSE = ['interactive-many-mistakes', 'interactive-unknown-action', 'interactive-unknown-mode']

test.each(withEnd('.request').filter(({ name }) => !WRONG_ON_PURPOSE.includes(name.replace('.request', ''))))(
  'the request $name is taken',
  ({ name, content }) => {
    expect(parse(name, content)).toMatchObject({ action: expect.any(String) })
  },
)

test.each(WRONG_ON_PURPOSE)('the mistakes of %s get exactly the error that is shown', name => {
  const example = (kind: string) => all.find(each => each.name === `${name}.${kind}`)?.content
  try {
    parse(name, example('request'))
    expect.unreachable()
  } catch (cause) {
    expect(errorBody(cause as TermError)).toEqual(example('response').error)
    expect(cause).toBeInstanceOf(TermError)
  }
})

test.each(withEnd('.response'))(
  'the response $name has the shape of its tool, and nothing beyond it',
  ({ name, content }) => {
    expect(contractOf(name).response.parse(content)).toEqual(content)
  },
)

test.each(withEnd('.response'))('the response $name is of one piece', ({ content }) => {
  const { success, status, error, fallback, result = content } = content
  expect({
    failed: status === 'failed',
    error: error !== null,
    accepted: status === 'accepted',
    fallback,
    order: Object.keys(content).slice(0, 3),
  }).toEqual({
    failed: !success,
    error: !success,
    accepted: success && result.running === true,
    fallback: success ? undefined : fallbackFor(error.code as ErrorCode, error.details),
    order: ['success', 'action', 'status'],
  })
})

test('every failure a caller can meet today has an example', () => {
  const later: ErrorCode[] = ['PM_TERM_INTERNAL']
  const shown = new Set(withEnd('.response').flatMap(({ content }) => content.error?.code ?? []))
  expect([...shown].sort()).toEqual(
    Object.keys(ERRORS)
      .filter(code => !later.includes(code as ErrorCode))
      .sort(),
  )
})

test.each([
  ['allowlist.file', AllowlistFile],
  ['headless-allowlist-policy.file', HeadlessPolicyFile],
  ['workspace.file', WorkspaceFile],
  ['saved-commands.file', SavedCommandsFile],
  ['window-preferences.file', WindowPreferences],
  ['output-export.file', OutputExport],
  ['run-record.lines', z.array(RecordLine)],
] as const)('%s is what lies on disk', (name, schema) => {
  const content = all.find(each => each.name === name)?.content
  expect(schema.parse(content)).toEqual(content)
})
