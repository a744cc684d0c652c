import type { Stream } from '../../base/output/output-segments.ts'
import { withoutEscapes } from './escapes.ts'
import { SeenRows } from './seen-rows.ts'

/** What one stream said before the other spoke. */
export interface StreamText {
  readonly stream: Stream
  readonly text: string
}

/** Goes back over what was printed: a carriage return, a backspace, a cursor move, an erased line, another screen. */
const REDRAWS = /\r(?!\n)|\x08|\x1b\[[0-?]*[A-HJKPXdf@]|\x1b\[\?(?:47|104[79])[hl]|\x1b[78M]/

export const redraws = (text: string): boolean => REDRAWS.test(text)

/**
 * Output as a person sees it at the end: a progress bar is one line, a spinner is gone. A stream that goes back over its lines
 * gives each of them where it was written last, through `redrawn`; the others are given as they came.
 */
export function seenTurns(
  turns: readonly StreamText[],
  redrawn: (text: string) => string = text => text,
): StreamText[] {
  const drawn = (['stdout', 'stderr'] as const).filter(stream =>
    redraws(
      turns
        .filter(turn => turn.stream === stream)
        .map(({ text }) => text)
        .join(''),
    ),
  )
  if (drawn.length === 0) return turns.map(({ stream, text }) => ({ stream, text: withoutEscapes(text) }))

  const rows = new Map(drawn.map(stream => [stream, new SeenRows()]))
  const placed: { at: number; turn: StreamText }[] = []
  for (const [at, { stream, text }] of turns.entries()) {
    const screen = rows.get(stream)
    if (screen) screen.write(text, at)
    else placed.push({ at, turn: { stream, text: withoutEscapes(text) } })
  }
  for (const [stream, screen] of rows)
    for (const { at, text } of screen.text()) placed.push({ at, turn: { stream, text: redrawn(text) } })
  return placed.sort((a, b) => a.at - b.at).map(({ turn }) => turn)
}
