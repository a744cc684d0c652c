/** Rows under a heading, as wide as what is in them; the last column has what is left of the line and is cut there. */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = process.stdout.columns || Number.POSITIVE_INFINITY,
): string {
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map(row => lengthOf(row[column] ?? ''))))
  return all.map(row => lineOf(row, widths, width)).join('\n')
}

function lineOf(row: readonly string[], widths: readonly number[], width: number): string {
  const cells = row.map((cell, column) =>
    column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)),
  )
  const text = cells.join('  ').trimEnd()
  return lengthOf(text) > width ? `${[...text].slice(0, width - 1).join('')}…` : text
}

const lengthOf = (text: string): number => [...text].length
