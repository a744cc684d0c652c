import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { exportCommand } from './export-command.ts'

const home = mkdtempSync(join(tmpdir(), 'it-export-command-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const raw = { flags: {}, env: { PM_INTERACTIVE_TERMINAL_HOME: home, HOME: home } }
const exported = (id: string, options: Record<string, string>) =>
  exportCommand(raw, [id], options, { version: '9', now: () => 0 })

test('a format, a version or an id that there is not gets a sentence that says which there are', async () => {
  await expect(exported('req_1', { format: 'mp4' })).rejects.toThrow('One of text, json, asciicast.')
  await expect(exported('req_1', { 'cast-version': '1' })).rejects.toThrow('2 or 3')
  await expect(exported('../etc', {})).rejects.toThrow('is no id of a run')
})
