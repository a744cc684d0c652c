import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Path below dist/web → SHA-256 in hex, as the build made them. What is not listed is not served. */
export type WebList = Readonly<Record<string, string>>

export interface WebFile {
  readonly bytes: Buffer
  readonly type: string
  /** For what a browser may load it (Sec-Fetch-Dest). */
  readonly dests: readonly string[]
}

export type WebFiles = ReadonlyMap<string, WebFile>

const KINDS: Readonly<Record<string, Omit<WebFile, 'bytes'>>> = {
  html: { type: 'text/html; charset=utf-8', dests: ['document'] },
  js: { type: 'text/javascript; charset=utf-8', dests: ['script', 'worker', 'sharedworker', 'serviceworker'] },
  css: { type: 'text/css; charset=utf-8', dests: ['style'] },
  svg: { type: 'image/svg+xml', dests: ['image'] },
  png: { type: 'image/png', dests: ['image'] },
  woff2: { type: 'font/woff2', dests: ['font'] },
}

/**
 * Read once, at the start, and held to the hashes the build wrote into the program: a file that was changed since is the work of
 * somebody who would like to draw our cards. Throws then.
 */
export function readWebFiles(directory: string, list: WebList): WebFiles {
  const files = new Map<string, WebFile>()
  for (const [path, hash] of Object.entries(list)) {
    const bytes = readFileSync(join(directory, path))
    if (createHash('sha256').update(bytes).digest('hex') !== hash)
      throw new Error(`${join(directory, path)} is not what was built. Build it again: npm run build.`)
    const kind = KINDS[path.split('.').at(-1) ?? '']
    if (kind) files.set(path === 'index.html' ? '/' : `/${path}`, { bytes, ...kind })
  }
  return files
}
