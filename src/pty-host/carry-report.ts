import type { CarriedState } from '../base/process/pty.ts'

/**
 * What a shell reports at its end on its pipe: `<nonce> NUL <directory> LF NUL [|<codes> NUL] {NAME=value NUL} NUL <nonce> NUL`.
 * The codes are those of the parts of its last pipeline.
 *
 * The nonce is another one for each run: what an earlier run left in the pipe, or half a report, is no report.
 */
export function readCarryReport(bytes: Buffer, nonce: string): CarriedState | null {
  const begins = Buffer.from(`${nonce}\0`)
  const ends = Buffer.from(`\0\0${nonce}\0`)
  const from = bytes.indexOf(begins)
  const to = from < 0 ? -1 : bytes.indexOf(ends, from + begins.length)
  if (to < 0) return null
  const fields = split(bytes.subarray(from + begins.length, to + 1))
  const cwd = textOf(fields.shift() ?? Buffer.alloc(0))?.replace(/\n$/, '')
  if (cwd === undefined) return null
  const codes = /^\|(\d+(?: \d+)*)$/.exec(fields[0]?.toString('latin1') ?? '')?.[1]
  const env: Record<string, string> = Object.create(null)
  for (const field of fields) {
    const text = textOf(field)
    const at = text?.indexOf('=') ?? -1
    if (text !== null && at > 0) env[text.slice(0, at)] = text.slice(at + 1)
  }
  return { cwd, env: { ...env }, ...(codes !== undefined && { pipestatus: codes.split(' ').map(Number) }) }
}

function split(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(0, from)
    fields.push(bytes.subarray(from, to))
    from = to + 1
  }
  return fields
}

/** null: no text that could be given on unchanged. */
function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : null
}
