// The arithmetic of the table.

/** Between two neighbours it is read off the line that joins them. What is missing is left out; `null` of nothing. */
export function quantile(values, share) {
  const sorted = values.filter(isFigure).sort((a, b) => a - b)
  if (sorted.length === 0) return null
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]
  return below + (sorted[Math.ceil(at)] - below) * (at - Math.floor(at))
}

export const median = values => quantile(values, 0.5)

/** How a figure is shown beside the floor's. A figure that is missing on either side is no figure. */
export const SHOWN_AS = {
  /** Times as long as the floor: less is better. */
  ratio: (value, floor) => (isFigure(value) && floor > 0 ? (value / floor).toFixed(2) : '–'),
  /** How much of the floor's speed: more is better. */
  share: (value, floor) => (isFigure(value) && floor > 0 ? `${Math.round((100 * value) / floor)} %` : '–'),
  /** A count, or megabytes: the same on every machine. */
  plain: value => (isFigure(value) ? String(Math.round(value * 10) / 10 + 0) : '–'),
  text: value => value ?? '–',
}

const isFigure = value => typeof value === 'number' && Number.isFinite(value)

/** A markdown table whose columns are also straight as plain text. */
export function markdownTable([head, ...rows]) {
  const safe = [head, ...rows].map(row => row.map(cell => String(cell).replaceAll('|', '\\|').replace(/\s+/g, ' ')))
  const widths = head.map((_, column) => Math.max(3, ...safe.map(row => row[column].length)))
  const line = row => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  const [first, ...others] = safe.map(line)
  return [first, rule, ...others].join('\n')
}
