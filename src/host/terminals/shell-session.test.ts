import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { segmentName } from '../../base/output/output-segments.ts'
import type { PtyProcess } from '../../base/process/pty.ts'
import { ShellSession } from './shell-session.ts'

const [PROMPT, READY, BEGINS, FINISHED] = ['A', 'B', 'C', 'D;0'].map(kind => `\x1b]133;${kind};aid=n\x07`)
let directory: string
let session: ShellSession
let prints: (text: string) => void
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'it-shell-'))
  let size = 0
  let watcher = () => {}
  prints = text => {
    appendFileSync(join(directory, segmentName(0, 'log')), text)
    size += Buffer.byteLength(text)
    watcher()
  }
  const process = { ended: new Promise(() => {}), write() {} } as unknown as PtyProcess
  const view = {
    source: () => ({ directory, size, over: false }),
    watch: (then: () => void) => {
      watcher = then
      return { dispose() {} }
    },
  }
  session = new ShellSession(process, { clock: systemClock, nonce: 'n', program: 'bash', view })
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const types = (text: string): void => session.write(Buffer.from(text))

test.each([
  ['before the next prompt is drawn', `${FINISHED}`, `${PROMPT}$ ${READY}`],
  ['while it is drawn', `${FINISHED}${PROMPT}$ `, READY ?? ''],
  ['behind it', `${FINISHED}${PROMPT}$ ${READY}`, ''],
])('keys of a person that come %s are half a line, also before the shell has echoed them', (_, before, after) => {
  prints(`${PROMPT}$ ${READY}${BEGINS}${before}`)
  types('half a li')
  prints(after)
  expect(session.busy).toBe('a person is typing there')
  prints(`half a li\r\n${BEGINS}${FINISHED}${PROMPT}$ ${READY}`)
  expect(session.busy).toBeNull()
})

test('an empty line or an interrupt leaves nothing half typed', () => {
  prints(`${PROMPT}$ ${READY}`)
  types('x\x03')
  prints(`^C\r\n${PROMPT}$ ${READY}`)
  expect(session.busy).toBeNull()
})
