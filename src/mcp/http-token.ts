import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory, writeAtomically } from '../base/atomic-file.ts'
import { TermError } from '../contract/errors.ts'

/** The bearer token of MCP over HTTP: made once, readable by its owner only. A file others can read is refused. */
export function httpToken(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) {
    privateDirectory(dirname(file))
    writeAtomically(file, `${randomBytes(32).toString('base64url')}\n`)
  } else if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
    throw new TermError('PM_TERM_INTERNAL', `Others can read ${file}. Remove it, and a new token is made.`, {
      details: { file },
    })
  }
  const token = readFileSync(file, 'utf8').trim()
  if (token.length < 32)
    throw new TermError('PM_TERM_INTERNAL', `${file} holds no token. Remove it, and a new one is made.`)
  return token
}
