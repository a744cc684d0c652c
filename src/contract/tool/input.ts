import * as z from 'zod'
import { utf8Length } from '../field.ts'

/** What is typed into a program that runs: text, and keys by their names. */

export const INPUT_LIMIT_BYTES = 4096

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** What each key sends; `[` becomes `O` for cursor keys where the program has asked for that. */
const KEY_BYTES: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  space: ' ',
  escape: '\x1b',
  backspace: '\x7f',
  delete: '\x1b[3~',
  insert: '\x1b[2~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  page_up: '\x1b[5~',
  page_down: '\x1b[6~',
  ...Object.fromEntries(letters.map((letter, i) => [`ctrl-${letter}`, String.fromCharCode(i + 1)])),
}
const CURSOR_KEYS: ReadonlySet<string> = new Set(['up', 'down', 'right', 'left', 'home', 'end'])

export const KEY_NAMES = Object.keys(KEY_BYTES)

const Typed = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .refine(text => !/\p{Surrogate}/u.test(text), 'must not contain half of a surrogate pair')
  .refine(text => !/(?![\n\t])\p{Cc}/u.test(text), 'must be printable: send control characters as {"key": "ctrl-c"}')

const Key = z
  .string('must be a string')
  .transform(name => name.toLowerCase())
  .refine(
    name => Object.hasOwn(KEY_BYTES, name),
    `must be one of ${KEY_NAMES.slice(0, 15).join(', ')}, ctrl-a to ctrl-z`,
  )

/** Text without line breaks, and keys: what crosses a wire, is shown, and is typed. */
export const InputPieces = z
  .array(
    z.union(
      [z.strictObject({ text: Typed }), z.strictObject({ key: Key })],
      'must be {"text": "…"} without control characters, or {"key": "enter"}',
    ),
  )
  .min(1, 'must not be empty')
  .max(INPUT_LIMIT_BYTES)
export type InputPiece = z.infer<typeof InputPieces>[number]

/** As it is asked for: one text, in which a line break is the enter key, or pieces. */
export const Input = z
  .union([z.string(), z.array(z.unknown())], {
    error: 'must be text, or a list of {"text": "…"} and {"key": "enter"}',
  })
  .transform(given => asPieces(typeof given === 'string' ? [{ text: given }] : given.slice(0, INPUT_LIMIT_BYTES + 1)))
  .pipe(InputPieces)
  .refine(
    pieces => utf8Length(inputBytes(pieces, 'normal')) <= INPUT_LIMIT_BYTES,
    `must be at most ${INPUT_LIMIT_BYTES} bytes`,
  )

/** A line break and a tab are keys; a person has to see them as such. */
function asPieces(given: readonly unknown[]): unknown[] {
  return given.flatMap((piece): unknown[] => {
    const { data } = Words.safeParse(piece)
    return data === undefined
      ? [piece]
      : data.text
          .replaceAll('\r\n', '\n')
          .split(/([\n\t])/)
          .filter(part => part !== '')
          .map(part => (part === '\n' ? { key: 'enter' } : part === '\t' ? { key: 'tab' } : { text: part }))
  })
}
const Words = z.strictObject({ text: z.string() })

/** The characters that are typed. `cursor`: as the program has set the terminal. */
export function inputBytes(pieces: readonly InputPiece[], cursor: 'normal' | 'application'): string {
  return pieces
    .map(piece => {
      if ('text' in piece) return piece.text
      const bytes = KEY_BYTES[piece.key] ?? ''
      return cursor === 'application' && CURSOR_KEYS.has(piece.key) ? bytes.replace('[', 'O') : bytes
    })
    .join('')
}

/** The same as lines of text, where it is no more than that; null: other keys are in it. */
export function inputAsText(pieces: readonly InputPiece[]): string | null {
  const parts = pieces.map(piece =>
    'text' in piece ? piece.text : piece.key === 'enter' ? '\n' : piece.key === 'space' ? ' ' : null,
  )
  return parts.includes(null) ? null : parts.join('')
}
