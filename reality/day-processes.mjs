// Who is left when an agent has ended: commands of runs, each counted once, and servers of ours whose agent is gone.
import { readdirSync, readFileSync } from 'node:fs'

export function processes() {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        const [, state, parent] = /\) (\w) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        const run = /(?:^|\0)INTERACTIVE_TERMINAL_RUN=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1]
        return line === '' || state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), line, run }]
      } catch {
        return [] // it has just ended
      }
    })
}

/** An agent that leaves a part of itself behind (Codex does) keeps its server: that is no fault of ours. */
export function left() {
  const runs = new Map()
  for (const each of processes())
    if (each.run) runs.set(each.run, each)
    else if (each.parent === 1 && /interactive-terminal\.cjs mcp$/.test(each.line)) runs.set(each.pid, each)
  return [...runs.values()]
}
