import pc from 'picocolors'
import { drawn, proseRows, wrapped } from './drawn.ts'
import type { Field } from './field.ts'

/** Above what a person types. */
export const heading = (text: string, columns: number): string[] =>
  proseRows(text, columns).map(words => pc.bold(words))

/** What they have typed, with the caret in it. */
export function typed({ text, caret }: Field, columns: number): string[] {
  const chars = [...text]
  const before = drawn(chars.slice(0, caret).join(''))
  const after = drawn(chars.slice(caret).join(''))
  return wrapped(`${before}▏${after}`, Math.max(8, columns - 2)).map(words => `> ${words}`)
}
