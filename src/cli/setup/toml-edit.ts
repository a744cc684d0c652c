/** Changes of a TOML text by its lines: tables and single keys in them. Everything else stays as it is. */

export class TomlProblem extends Error {}

interface TomlRow {
  readonly text: string
  /** `a.b` of `[a.b]`, and for `[[a]]` with brackets around; null: no header. */
  readonly header: string | null
  /** The key of `key = …`, or null. */
  readonly key: string | null
}

const HEADER = /^\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(#.*)?$/
const KEY = /^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=(.*)$/

/** The lines, each known for what it is. A line that is nothing, or a value that never ends, is a fault of the file. */
function rowsOf(text: string): TomlRow[] {
  const rows: TomlRow[] = []
  let open = ''
  let openedAt = 0
  for (const [index, line] of text.split('\n').entries()) {
    if (open !== '') {
      open = stillOpen(`${open}\n${line}`)
      rows.push({ text: line, header: null, key: null })
      continue
    }

    const header = HEADER.exec(line)
    const pair = header ? null : KEY.exec(line)
    if (!header && !pair && !/^\s*(#.*)?$/.test(line))
      throw new TomlProblem(`line ${index + 1}: ${line.trim()} is no TOML`)
    openedAt = index + 1
    if (pair) {
      if (/^\s*(#.*)?$/.test(pair[2] ?? '')) throw new TomlProblem(`line ${index + 1}: ${pair[1]} has no value`)
      open = stillOpen(pair[2] ?? '')
    }

    const name = header ? plain(header[2] ?? '') : null
    rows.push({
      text: line,
      header: header?.[1] === '[[' ? `[${name}]` : name,
      key: pair ? plain(pair[1] ?? '') : null,
    })
  }
  if (open !== '') throw new TomlProblem(`line ${openedAt}: the value is not closed`)
  return rows
}

/** `a . "b"` as `a.b`. */
const plain = (key: string): string => key.replaceAll(/\s*\.\s*/g, '.').replaceAll(/["']/g, '')

/** What is left open of a value at the end of its line: a text of several lines, or brackets. '' : it is whole. */
function stillOpen(value: string): string {
  const bare = value
    .replaceAll(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, '""')
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g, '""')
    .replaceAll(/#[^\n]*/g, '')
  if (/"""|'''/.test(bare)) return value
  if (/"(?!")|'/.test(bare.replaceAll('""', ''))) return value.includes('\n') ? value : `${value}\n`
  const depth = [...bare].reduce((sum, each) => sum + ('[{'.includes(each) ? 1 : ']}'.includes(each) ? -1 : 0), 0)
  return depth > 0 ? value : ''
}

/** The lines of a table, header first, without the blank ones at its end; null: there is no such table. */
export function tomlTable(text: string, name: string): readonly string[] | null {
  const found = rangeOf(rowsOf(text), name)
  return found ? text.split('\n').slice(found.start, found.end) : null
}

/** Puts a whole table in the place of the one of that name, or at the end. */
export function setTomlTable(text: string, name: string, lines: readonly string[]): string {
  const rows = rowsOf(text)
  refuseOtherForms(rows, name)
  const all = text.split('\n')
  const found = rangeOf(rows, name)
  if (found) return [...all.slice(0, found.start), ...lines, ...all.slice(found.end)].join('\n')
  const gap = text.trim() === '' ? '' : text.endsWith('\n\n') ? text : text.endsWith('\n') ? `${text}\n` : `${text}\n\n`
  return `${gap}${lines.join('\n')}\n`
}

export function removeTomlTable(text: string, name: string): string {
  const found = rangeOf(rowsOf(text), name)
  if (!found) return text
  const all = text.split('\n')
  const before = all.slice(0, found.start)
  const after = all.slice(found.end)
  if (before.at(-1) === '' && (after.length === 0 || after[0] === '')) before.pop()
  return [...before, ...after].join('\n')
}

/** Sets one key of a table. */
export function setTomlKey(text: string, table: string, key: string, value: string): string {
  const rows = rowsOf(text)
  refuseOtherForms(rows, table, key)
  const found = rangeOf(rows, table)
  if (!found) return setTomlTable(text, table, [`[${table}]`, `${key} = ${value}`])
  const all = text.split('\n')
  const at = rows.findIndex((row, index) => index > found.start && index < found.end && row.key === key)
  if (at < 0) all.splice(found.start + 1, 0, `${key} = ${value}`)
  else all[at] = `${key} = ${value}`
  return all.join('\n')
}

export function tomlKey(text: string, table: string, key: string): string | null {
  const rows = rowsOf(text)
  const found = rangeOf(rows, table)
  if (!found) return null
  const row = rows.find((each, index) => index > found.start && index < found.end && each.key === key)
  return row?.text.slice(row.text.indexOf('=') + 1).trim() ?? null
}

export function removeTomlKey(text: string, table: string, key: string): string {
  const rows = rowsOf(text)
  const found = rangeOf(rows, table)
  if (!found) return text
  const at = rows.findIndex((row, index) => index > found.start && index < found.end && row.key === key)
  const all = text.split('\n')
  if (at >= 0) all.splice(at, 1)
  return all.join('\n')
}

function rangeOf(rows: readonly TomlRow[], name: string): { start: number; end: number } | null {
  const start = rows.findIndex(({ header }) => header === name)
  if (start < 0) return null
  const next = rows.findIndex(({ header }, index) => index > start && header !== null)
  let end = next < 0 ? rows.length : next
  while (end > start + 1 && /^\s*(#.*)?$/.test(rows[end - 1]?.text ?? '')) end -= 1
  return { start, end }
}

/** `features.shell_tool = …` or `features = { … }`: right, but nothing to be changed line by line. */
function refuseOtherForms(rows: readonly TomlRow[], table: string, key?: string): void {
  let header = ''
  for (const row of rows) {
    header = row.header ?? header
    if (row.key === null) continue
    const full = header === '' ? row.key : `${header}.${row.key}`
    const isOther = header !== table && (full === table || full.startsWith(`${table}.`) || table.startsWith(`${full}.`))
    if (isOther && !header.startsWith(`${table}.`))
      throw new TomlProblem(
        `${row.text.trim()} is written in a form that is not changed here; ${key ? `set ${key} of [${table}]` : `write [${table}]`} by hand`,
      )
  }
}
