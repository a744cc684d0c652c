import type { Stream } from '../../base/output/output-segments.ts'
import type { OutputText } from '../output/output-text.ts'

export interface TextPiece {
  readonly stream: Stream
  readonly text: string
}

/** The text of both streams in the order in which they spoke. Where that was not noted any more, the rest of one, then of the other. */
export function textPieces({ stdout, stderr, order }: Pick<OutputText, 'stdout' | 'stderr' | 'order'>): TextPiece[] {
  const text = { stdout, stderr }
  const at = { stdout: 0, stderr: 0 }
  const pieces = order.map(({ stream, chars }) => {
    const from = at[stream]
    at[stream] += chars
    return { stream, text: text[stream].slice(from, from + chars) }
  })
  const rest = (['stdout', 'stderr'] as const).map(stream => ({ stream, text: text[stream].slice(at[stream]) }))
  // A terminal is told to go to the left edge; a text is not.
  return [...pieces, ...rest].flatMap(piece =>
    piece.text === '' ? [] : [{ ...piece, text: piece.text.replaceAll('\r\n', '\n') }],
  )
}
