/**
 * The program of the thread that looks for a pattern in a text: it may take for ever without holding up anybody else, and it can
 * be ended. It is given to the thread as text, so it uses nothing from outside of itself.
 */
export function matchWorker(port: MatchPort, { source, flags }: { source: string; flags: string }): void {
  const pattern = new RegExp(source, flags)
  const inLine = new RegExp(source, flags.replace('g', ''))
  port.on('message', ({ id, text, most }) => {
    const starts: number[] = []
    pattern.lastIndex = 0
    for (let found = pattern.exec(text); found !== null && starts.length < most; found = pattern.exec(text)) {
      const start = found.index === 0 ? 0 : text.lastIndexOf('\n', found.index - 1) + 1
      const end = text.indexOf('\n', found.index)
      const line = text.slice(start, end < 0 ? text.length : end)
      // What was found may reach over the end of its line; alone the line may not have it.
      if (inLine.test(line)) starts.push(start)
      if (end < 0) break
      pattern.lastIndex = end + 1
    }
    port.postMessage({ id, starts })
  })
}

export interface MatchPort {
  on(event: 'message', listener: (asked: { id: number; text: string; most: number }) => void): void
  postMessage(answer: { id: number; starts: number[] }): void
}
