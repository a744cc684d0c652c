import * as z from 'zod'

/** Field schemas that several requests share. Each says in words what it takes: models read these messages. */

export const COMMAND_LIMIT_BYTES = 64 * 1024
const ARGS_LIMIT = 4096
export const DAY_MS = 86_400_000

/** Text that can become an argument of a process: no NUL, no half characters. */
const cleanText = (limitBytes: number) =>
  z
    .string('must be a string')
    .refine(text => !text.includes('\0'), 'must not contain a NUL byte')
    .refine(text => !/\p{Surrogate}/u.test(text), 'must not contain half of a surrogate pair')
    .refine(text => text.length <= limitBytes && utf8Length(text) <= limitBytes, `must be at most ${limitBytes} bytes`)

/** Bytes of `text` in UTF-8, without needing an encoder. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // Each half of a surrogate pair counts two of the pair's four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes
}

const ID = /^[A-Za-z0-9_.:-]{1,128}$/

export const Id = z.string('must be a string').regex(ID, 'must be 1 to 128 letters, digits or any of _ . : -')

export const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value)

export const WorkspaceId = z
  .string('must be a string')
  .refine(
    text => /^[A-Za-z0-9._-]{1,128}$/.test(text) && !/^\.{1,2}$/.test(text),
    'must be 1 to 128 letters, digits or any of . _ - and not a dot path',
  )

export const Command = cleanText(COMMAND_LIMIT_BYTES).refine(text => text.trim() !== '', 'must not be empty')

export const Args = z
  .array(cleanText(COMMAND_LIMIT_BYTES), 'must be an array of strings')
  .max(ARGS_LIMIT, `must be at most ${ARGS_LIMIT} strings`)
  .refine(
    args => args.length > ARGS_LIMIT || args.reduce((sum, arg) => sum + utf8Length(arg), 0) <= COMMAND_LIMIT_BYTES,
    `must be at most ${COMMAND_LIMIT_BYTES} bytes together`,
  )

export const Path = cleanText(4096).refine(text => text !== '', 'must not be empty')

export const Env = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be a plain variable name: letters, digits and _'),
    cleanText(32 * 1024),
    'must be an object of strings',
  )
  .refine(env => Object.keys(env).length <= 256, 'must have at most 256 names')

export const Millis = z
  .int('must be a whole number of milliseconds')
  .min(0, 'must not be negative')
  .max(DAY_MS, `must be at most ${DAY_MS} (a day)`)

export const Context = cleanText(4096)

export const Text = cleanText(4096)
