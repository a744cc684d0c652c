import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsonLog } from '../../base/log.ts'
import { notifyBy } from './notify-program.ts'

const place = mkdtempSync(join(tmpdir(), 'it-notify-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
const LATE = { waiting: 2, project: 'shop', expires_in_s: 75 }

test('the program of the person gets counts and the project as JSON, no words, and nothing of our environment', async () => {
  const program = join(place, 'push.sh')
  const heard = join(place, 'heard')
  writeFileSync(
    program,
    `#!/bin/sh\n{ cat; echo "$# \${PM_TERM_HOME-none} \${NODE_OPTIONS-none}"; } > ${heard}.part\nmv ${heard}.part ${heard}\n`,
  )
  chmodSync(program, 0o755)
  const env = { PATH: process.env.PATH, PM_TERM_HOME: '/ours', NODE_OPTIONS: '--x' }
  notifyBy(() => program, { env, log: jsonLog({ level: 'silent', write: () => {}, now: () => 0 }) })(LATE)
  await expect.poll(() => existsSync(heard)).toBe(true)
  expect(readFileSync(heard, 'utf8')).toBe(`${JSON.stringify(LATE)}\n0 none none\n`)
})

test('a program that cannot be started is a warning in the log, and nothing else', async () => {
  const lines: string[] = []
  const log = jsonLog({ level: 'warn', write: line => void lines.push(line), now: () => 0 })
  notifyBy(() => join(place, 'none'), { env: {}, log })(LATE)
  notifyBy(() => '', { env: {}, log })(LATE)
  await expect.poll(() => lines.length).toBe(1)
})
