import { readRange } from '../../base/output/output-segments.ts'
import type { Redaction } from '../secrets/redactor.ts'
import { loadTerminal } from './load-terminal.ts'
import type { OutputSource } from './output-text.ts'
import { redactRows } from './screen-rows.ts'

export interface ScreenSize {
  readonly cols: number
  readonly rows: number
}

/** What is on the screen of a run, in words: one line for each row, and where the cursor is. */
export interface ScreenText extends ScreenSize {
  readonly text: string
  /** From 1. */
  readonly cursor_row: number
  readonly cursor_column: number
  /** What was printed before this offset was not looked at: it had scrolled away. */
  readonly from: number
  readonly next: number
}

const PIECE_BYTES = 128 * 1024
const PAGE_BYTES = 4 * 1024 * 1024
/** Many screens full of lines, and little work. */
const LAST_BYTES = 128 * 1024
/** A full-screen program that has drawn more has drawn everything again. */
const MOST_DRAWN_BYTES = 2 * 1024 * 1024
/** Rows above the screen that are looked at for the beginning of a secret: a private key has many lines. */
const ROWS_ABOVE = 300

/** `lineBreaks`: a pipe ends a line with one byte, where a terminal needs two. `redaction`: null where a person looks. */
export async function screenText(
  source: OutputSource,
  size: ScreenSize,
  lineBreaks: 'of_a_terminal' | 'of_a_pipe' = 'of_a_terminal',
  redaction: Redaction | null = null,
): Promise<ScreenText> {
  const { openTerminal } = await loadTerminal()
  const { terminal } = openTerminal({
    ...size,
    scrollback: redaction ? ROWS_ABOVE : 0,
    convertEol: lineBreaks === 'of_a_pipe',
  })
  try {
    const from = startOf(source)
    let at = from
    while (at < source.size) {
      const { pieces, next } = readRange(source.directory, at, Math.min(PIECE_BYTES, source.size - at))
      if (next <= at) break
      at = next
      for (const { bytes } of pieces) await new Promise<void>(done => terminal.write(bytes, done))
    }

    const { active } = terminal.buffer
    const top = redaction ? 0 : active.viewportY
    const rows = Array.from({ length: active.viewportY - top + terminal.rows }, (_, i) => {
      const line = active.getLine(top + i)
      return { text: line?.translateToString(redaction === null) ?? '', goesOn: line?.isWrapped ?? false }
    })
    const lines = redaction ? redactRows(rows, terminal.rows, redaction) : rows.map(row => row.text)
    const text = lines.join('\n').trimEnd()
    return { text, ...size, cursor_row: active.cursorY + 1, cursor_column: active.cursorX + 1, from, next: at }
  } finally {
    terminal.dispose()
  }
}

const OTHER_SCREENS = ['\x1b[?1049', '\x1b[?1047', '\x1b[?47'].map(text => Buffer.from(text))

/** Where to begin: the last lines are enough, unless a full-screen program has drawn since it began. */
function startOf({ directory, size }: OutputSource): number {
  if (size <= LAST_BYTES) return 0
  const late = lineStart(directory, size - LAST_BYTES)
  const change = lastChange(directory, size)
  if (change === null) return late
  return change.isOn && size - change.at <= MOST_DRAWN_BYTES ? change.at : Math.max(late, change.at)
}

/** The last time that a full-screen program began or ended. */
function lastChange(directory: string, size: number): { at: number; isOn: boolean } | null {
  for (let end = size; end > 0; end = Math.max(0, end - PAGE_BYTES)) {
    const from = Math.max(0, end - PAGE_BYTES)
    // A little more, so that one at the border is whole.
    const bytes = Buffer.concat(readRange(directory, from, end - from + 16).pieces.map(piece => piece.bytes))
    const at = Math.max(...OTHER_SCREENS.map(sequence => bytes.lastIndexOf(sequence)))
    if (at >= 0) return { at: from + at, isOn: /^\x1b\[\?\d+h/.test(bytes.toString('latin1', at, at + 16)) }
  }
  return null
}

function lineStart(directory: string, offset: number): number {
  const [piece] = readRange(directory, offset, PIECE_BYTES).pieces
  return piece ? piece.start + piece.bytes.indexOf(0x0a) + 1 : offset
}
