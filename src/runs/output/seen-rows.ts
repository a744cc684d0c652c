import { escapes } from './escapes.ts'

interface PaintedRow {
  /** One for each column; the second of a wide character is empty. */
  readonly cells: string[]
  /** Which turn wrote in it last. */
  at: number
  /** Something in it was written over or erased. */
  redrawn: boolean
}

interface CursorPlace {
  rows: PaintedRow[]
  row: number
  column: number
}

const TAB = 8
/** How far up a cursor is moved by row and column; a screen is seldom higher. */
const SCREEN_ROWS = 30
const WIDEST = 400

/** The lines of a terminal without edges: enough to know what is left of a progress bar. */
export class SeenRows {
  #now: CursorPlace = { rows: [], row: 0, column: 0 }
  /** What is behind a full-screen program. */
  #behind: CursorPlace | null = null
  #saved = { row: 0, column: 0 }
  #at = 0

  write(text: string, at: number): void {
    this.#at = at
    let from = 0
    for (const { 0: sequence, index } of text.matchAll(escapes())) {
      this.#print(text.slice(from, index))
      this.#obey(sequence)
      from = index + sequence.length
    }
    this.#print(text.slice(from))
  }

  /** The lines, those of one turn together, each ended by a line break but for the last one. */
  text(): { at: number; text: string }[] {
    const behind = [...(this.#behind?.rows ?? [])]
    while (behind.length > 0 && isEmpty(behind.at(-1))) behind.pop()
    const all = [...behind, ...this.#now.rows]
    while (all.length > 1 && isEmpty(all.at(-1)) && isEmpty(all.at(-2))) all.pop()
    const groups: { at: number; text: string }[] = []
    all.forEach((row, i) => {
      const line = shown(row) + (i < all.length - 1 ? '\n' : '')
      const last = groups.at(-1)
      // An empty line belongs to what is before it: nothing was written in it.
      if (last && (last.at === row.at || line.trim() === '')) last.text += line
      else groups.push({ at: row.at, text: line })
    })
    return groups.filter(({ text }) => text !== '')
  }

  #print(text: string): void {
    for (const char of text) {
      switch (char) {
        case '\n':
          this.#now.row += 1
          this.#now.column = 0
          this.#touch()
          break
        case '\r':
          this.#now.column = 0
          break
        case '\b':
          this.#now.column = Math.max(0, this.#now.column - 1)
          break
        default:
          this.#put(char)
      }
    }
  }

  #put(char: string): void {
    const row = this.#touch()
    const { column } = this.#now
    if (NO_WIDTH.test(char) && column > 0) {
      row.cells[column - 1] = (row.cells[column - 1] ?? ' ') + char
      return
    }
    const width = char === '\t' ? TAB - (column % TAB) : WIDE.test(char) ? 2 : 1
    if (column < row.cells.length) row.redrawn = true
    while (row.cells.length < column) row.cells.push(' ')
    row.cells[column] = char
    for (let i = 1; i < width; i++) row.cells[column + i] = ''
    this.#now.column += width
  }

  /** The row of the cursor, which is there from now on. */
  #touch(): PaintedRow {
    const { rows, row } = this.#now
    while (rows.length <= row) rows.push({ cells: [], at: this.#at, redrawn: false })
    const found = rows[row] as PaintedRow
    found.at = this.#at
    return found
  }

  #obey(sequence: string): void {
    const [, mode = '', given = '', final = ''] = /^\x1b\[(\??)([0-9;]*)([@-~])$/.exec(sequence) ?? []
    const [first = 0, second = 0] = given.split(';').map(Number)
    if (mode === '?') {
      if (/^(47|1047|1049)$/.test(given)) this.#otherScreen(final === 'h')
      return
    }
    if (final === '') {
      if (sequence === '\x1b7') this.#saved = { row: this.#now.row, column: this.#now.column }
      else if (sequence === '\x1b8') this.#goTo(this.#saved.row, this.#saved.column)
      else if (sequence === '\x1bM') this.#goTo(this.#now.row - 1, this.#now.column)
      return
    }
    this.#control(final, first, second)
  }

  #control(final: string, first: number, second: number): void {
    const now = this.#now
    const count = Math.min(Math.max(1, first), WIDEST)
    const cells = now.rows[now.row]?.cells ?? []

    const controls: Readonly<Record<string, () => void>> = {
      A: () => this.#goTo(now.row - count, now.column),
      B: () => this.#goTo(now.row + count, now.column),
      C: () => this.#goTo(now.row, now.column + count),
      D: () => this.#goTo(now.row, now.column - count),
      E: () => this.#goTo(now.row + count, 0),
      F: () => this.#goTo(now.row - count, 0),
      G: () => this.#goTo(now.row, count - 1),
      H: () => this.#goTo(this.#top() + count - 1, second - 1),
      f: () => this.#goTo(this.#top() + count - 1, second - 1),
      d: () => this.#goTo(this.#top() + count - 1, now.column),
      J: () => this.#eraseRows(first),
      K: () => this.#eraseInRow(first),
      P: () => cells.splice(now.column, count),
      X: () => cells.fill(' ', now.column, now.column + count),
    }
    controls[final]?.()
  }

  /** Never far from what is there: a few bytes must not make a million lines. */
  #goTo(row: number, column: number): void {
    const { rows } = this.#now
    this.#now.row = Math.max(0, Math.min(row, rows.length + SCREEN_ROWS))
    this.#now.column = Math.max(0, Math.min(column, Math.max(WIDEST, rows[this.#now.row]?.cells.length ?? 0)))
  }

  #top(): number {
    return Math.max(0, this.#now.rows.length - SCREEN_ROWS)
  }

  #eraseRows(how: number): void {
    const { rows, row } = this.#now
    // 3 is what was scrolled away, which stays to be read.
    if (how === 3) return
    if (how !== 2) this.#eraseInRow(how)
    const [from, to] = how === 0 ? [row + 1, rows.length] : how === 1 ? [this.#top(), row] : [this.#top(), rows.length]
    for (const erased of rows.slice(from, to)) {
      erased.cells.length = 0
      erased.redrawn = true
    }
  }

  #eraseInRow(how: number): void {
    const row = this.#now.rows[this.#now.row]
    if (!row) return
    row.redrawn = true
    if (how === 2) row.cells.length = 0
    else if (how === 1) row.cells.fill(' ', 0, this.#now.column + 1)
    else row.cells.length = Math.min(row.cells.length, this.#now.column)
  }

  /** A full-screen program draws on a screen of its own, and leaves the one behind as it was. */
  #otherScreen(isOn: boolean): void {
    if (isOn && this.#behind === null) {
      this.#behind = this.#now
      this.#now = { rows: [], row: 0, column: 0 }
    } else if (!isOn && this.#behind !== null) {
      this.#now = this.#behind
      this.#behind = null
    }
  }
}

const isEmpty = (row: PaintedRow | undefined): boolean =>
  row === undefined || row.cells.every(cell => cell.trim() === '')

const shown = ({ cells, redrawn }: PaintedRow): string => {
  const line = cells.join('')
  return redrawn ? line.trimEnd() : line
}

const NO_WIDTH = /^(?:[\p{Mn}\p{Me}\x00-\x07\x0e-\x1f]|\u200d|\ufe0f)$/u
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u
