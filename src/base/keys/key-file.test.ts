import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { admissionMessage, approverSigner, isSignedByApprover, makeApproverRecord } from './approver-key.ts'
import { ensureKeyFile, readKeyFile } from './key-file.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'it-key-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('a key is made once, for its owner alone', () => {
  const file = join(directory, 'state', 'local.key')
  const key = ensureKeyFile(file)
  expect([key.length, ensureKeyFile(file).equals(key), statSync(file).mode & 0o777]).toEqual([32, true, 0o600])
})

test.each([
  ['others can read', 'a'.repeat(64), 0o640, 'can be read by other users'],
  ['holds no key', 'secret', 0o600, 'does not hold a key'],
])('a file that %s is refused', (_, text, mode, problem) => {
  const file = join(directory, 'local.key')
  writeFileSync(file, text)
  chmodSync(file, mode)
  expect(() => readKeyFile(file)).toThrow(problem)
})

test('only the passphrase makes a signature, and only for the link it was made on', () => {
  const record = makeApproverRecord('correct horse')
  const message = admissionMessage('nonce', 'link 1')
  const signature = approverSigner('correct horse', record)(message)
  expect({
    right: isSignedByApprover(record, message, signature),
    wrong: isSignedByApprover(record, message, approverSigner('battery staple', record)(message)),
    elsewhere: isSignedByApprover(record, admissionMessage('nonce', 'link 2'), signature),
    nonsense: isSignedByApprover(record, message, 'zz'),
  }).toEqual({ right: true, wrong: false, elsewhere: false, nonsense: false })
  expect(JSON.stringify(record)).not.toContain('horse')
})
