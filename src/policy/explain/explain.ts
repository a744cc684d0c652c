import { createColors } from 'picocolors'
import { type Cell, columnsOf, drawnText, drawText } from '../../contract/drawn-text.ts'
import { isBeyondProject, VERDICT_TITLES } from '../../contract/verdict-words.ts'
import type { Part, Verdict } from '../model/verdict.ts'

export interface Picture {
  readonly colour: boolean
  /** Columns of the terminal it is for. */
  readonly width: number
}

/**
 * A verdict as a picture: what happens, the line with its parts marked, and one row per part.
 *
 *   NEEDS APPROVAL  no rule covers it
 *
 *     git status && curl https://example.com
 *     └── 1 ───┘    └────────── 2 ─────────┘
 *
 *     1 ✓ git status  allowed by "git status"
 *     2 ✗ curl https… no rule covers it
 */
export function explain(line: string, verdict: Verdict, { colour, width }: Picture): string {
  const paint = createColors(colour)
  const tones = {
    auto: paint.green,
    try: paint.green,
    approval: paint.yellow,
    blocked: paint.red,
    destructive: paint.red,
  }
  const room = Math.max(30, width)
  const title = VERDICT_TITLES[verdict.verdict].toUpperCase()
  const rows = wrapText(drawnText(verdict.why), room - title.length - 2)
  const head = rows.map((row, i) =>
    i === 0 ? `${tones[verdict.verdict](paint.bold(title))}  ${row}` : ' '.repeat(title.length + 2) + row,
  )

  const marks = rangesOf(line, verdict.parts)
  const picture = rowsOf(drawText(line), room - 4).flatMap(row => {
    const drawn = row.map(cell => (cell.sign ? paint.inverse(cell.drawn) : cell.drawn)).join('')
    const under = markRow(row, marks)
    return under === '' ? [`  ${drawn}`] : [`  ${drawn}`, `  ${paint.dim(under)}`]
  })

  const [only] = verdict.parts
  const saidAlready = verdict.parts.length === 1 && only?.covered === false && only.why === verdict.why
  const reasons = saidAlready ? [] : reasonRows(verdict.parts, room, paint)

  const signs = drawText(line).some(cell => cell.drawn.startsWith('‹'))
  const warnings = [
    ...(verdict.tier === 'grave' ? ['Hard to undo: it always needs approval, by a deliberate gesture.'] : []),
    ...verdict.reaches.filter(isBeyondProject).map(({ words }) => `It reaches beyond the project: ${drawnText(words)}`),
    ...(verdict.flags.length > 0
      ? [`Look twice: ${verdict.flags.map(flag => flag.replaceAll('_', ' ')).join(', ')}.`]
      : []),
    ...(signs ? ['‹U+…› stands for a character that cannot be seen or looks like another.'] : []),
  ].flatMap(text => wrapText(text, room - 4).map((row, i) => `  ${i === 0 ? paint.yellow('!') : ' '} ${row}`))

  const near = verdict.reaches.filter(reach => !isBeyondProject(reach)).map(({ words }) => drawnText(words))
  const effects = near.length === 0 ? [] : wrapText(`What it does: ${near.join('; ')}`, room - 2).map(row => `  ${row}`)

  return [head, picture, reasons, effects, warnings]
    .filter(block => block.length > 0)
    .map(block => block.map(row => row.trimEnd()).join('\n'))
    .join('\n\n')
}

type Paint = ReturnType<typeof createColors>

function reasonRows(parts: readonly Part[], room: number, paint: Paint): string[] {
  const texts = parts.map(part => shorten(drawText(part.text), Math.min(30, Math.floor(room / 3))))
  const widest = Math.max(...texts.map(columnsOf))
  const digits = String(parts.length).length
  return parts.flatMap((part, i) => {
    const text = texts[i] ?? ''
    const lead = `  ${String(i + 1).padStart(digits)} ${part.covered ? paint.green('✓') : paint.red('✗')} ${paint.bold(text)}`
    const reason = part.covered && part.rule !== null ? `allowed by "${drawnText(part.rule)}"` : drawnText(part.why)
    const indent = digits + widest + 7
    return wrapText(reason, Math.max(16, room - indent)).map((row, j) =>
      j === 0 ? `${lead}${' '.repeat(widest - columnsOf(text) + 2)}${row}` : ' '.repeat(indent) + row,
    )
  })
}

function shorten(cells: readonly Cell[], columns: number): string {
  const all = cells.map(cell => cell.drawn).join('')
  if (columnsOf(all) <= columns) return all
  let cut = ''
  for (const cell of cells) {
    if (columnsOf(cut) + cell.columns > columns - 1) break
    cut += cell.drawn
  }
  return `${cut}…`
}

/** Rows of at most `columns`, broken behind a blank where there is one near, and behind every line break. */
function rowsOf(cells: readonly Cell[], columns: number): Cell[][] {
  const rows: Cell[][] = []
  let row: Cell[] = []
  const filled = (): number => row.reduce((sum, cell) => sum + cell.columns, 0)
  for (const cell of cells) {
    if (filled() + cell.columns > columns) {
      const blank = row.findLastIndex(one => one.drawn === ' ')
      const tail = blank > row.length / 2 ? row.splice(blank + 1) : []
      // A blank at the edge is drawn, or a word cut in two would look like two words.
      const last = row.at(-1)
      rows.push(last?.drawn === ' ' ? [...row.slice(0, -1), { ...last, drawn: '·', sign: true }] : row)
      row = tail
    }
    row.push(cell)
    if (cell.drawn === '⏎') {
      rows.push(row)
      row = []
    }
  }
  if (row.length > 0) rows.push(row)
  return rows
}

interface Range {
  readonly start: number
  readonly end: number
  readonly label: string
}

/** The parts' byte ranges as ranges of the string. */
function rangesOf(line: string, parts: readonly Part[]): Range[] {
  const bytes = Buffer.from(line)
  const index = (offset: number): number => bytes.subarray(0, offset).toString().length
  return parts.map((part, i) => ({ start: index(part.start), end: index(part.end), label: String(i + 1) }))
}

function markRow(row: readonly Cell[], ranges: readonly Range[]): string {
  let marks = ''
  for (const { start, end, label } of ranges) {
    const inside = row.filter(cell => cell.at >= start && cell.at < end)
    const [first] = inside
    if (!first) continue
    const from = row.slice(0, row.indexOf(first)).reduce((sum, cell) => sum + cell.columns, 0)
    const columns = inside.reduce((sum, cell) => sum + cell.columns, 0)
    const begins = first.at <= start
    const ends = (inside.at(-1)?.at ?? 0) + 2 >= end
    marks = marks.padEnd(from) + bracket(columns, begins ? label : '', { begins, ends })
  }
  return marks
}

function bracket(columns: number, label: string, edge: { begins: boolean; ends: boolean }): string {
  if (columns < label.length + 2) return label.padEnd(columns, '─').slice(0, Math.max(columns, label.length))
  const text = columns >= label.length + 6 && label !== '' ? ` ${label} ` : label
  const left = Math.floor((columns - 2 - text.length) / 2)
  const line = '─'.repeat(left) + text + '─'.repeat(columns - 2 - text.length - left)
  return (edge.begins ? '└' : '─') + line + (edge.ends ? '┘' : '─')
}

function wrapText(text: string, columns: number): string[] {
  const rows: string[] = []
  let row = ''
  const longest = new RegExp(`.{1,${columns}}`, 'gu')
  for (const word of text.split(' ').flatMap(whole => whole.match(longest) ?? [''])) {
    if (row !== '' && columnsOf(row) + 1 + columnsOf(word) > columns) {
      rows.push(row)
      row = word
    } else row = row === '' ? word : `${row} ${word}`
  }
  return [...rows, row]
}
