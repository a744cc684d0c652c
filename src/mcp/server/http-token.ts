import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../../base/atomic-file.ts'
import { TermError } from '../../contract/tool/errors.ts'

const TOKEN = /^[A-Za-z0-9_-]{32,256}$/

/** The bearer token of MCP over HTTP: made once, readable by its owner only. A file others can read is refused. */
export function httpToken(file: string): string {
  privateDirectory(dirname(file))
  try {
    // Of two servers that start at once one makes it and both read it.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  return readHttpToken(file)
}

/** A token that somebody else made, mounted into a container for example. It is never made up when it is missing. */
export function readHttpToken(file: string): string {
  if (!existsSync(file))
    throw new TermError(
      'PM_TERM_INVALID_MODE',
      `PM_TERM_HTTP_TOKEN_FILE: there is no ${file}. Mount the token there.`,
      {
        details: { file },
      },
    )
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new TermError('PM_TERM_INTERNAL', `Others can read ${file}. Remove it, and a new token is made.`, {
      details: { file },
    })
  const token = readFileSync(file, 'utf8').trim()
  if (TOKEN.test(token)) return token
  throw new TermError('PM_TERM_INTERNAL', `${file} holds no token. Remove it, and a new one is made.`, {
    details: { file },
  })
}
