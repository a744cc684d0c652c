export interface Expression {
  readonly source: string
  readonly flags: string
}

/**
 * Where the lines begin that have the pattern, at most so many. It is given to where it runs as text, a thread or a script with a
 * limit in time, so it uses nothing from outside of itself.
 */
export function linesWith({ source, flags }: Expression, text: string, most: number): number[] {
  const pattern = new RegExp(source, flags)
  const inLine = new RegExp(source, flags.replace('g', ''))
  const starts: number[] = []
  for (let found = pattern.exec(text); found !== null && starts.length < most; found = pattern.exec(text)) {
    const start = found.index === 0 ? 0 : text.lastIndexOf('\n', found.index - 1) + 1
    const end = text.indexOf('\n', found.index)
    const line = text.slice(start, end < 0 ? text.length : end)
    // What was found may reach over the end of its line; alone the line may not have it.
    if (inLine.test(line)) starts.push(start)
    if (end < 0) break
    pattern.lastIndex = end + 1
  }
  return starts
}
