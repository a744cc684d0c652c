import type { Issue } from './issues.ts'
import { UNKNOWN_FIELD } from './issues.ts'

/** What other tools call these fields. Models bring their habits along. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cmd: 'command',
  commandline: 'command',
  command_line: 'command',
  script: 'command',
  code: 'command',
  argv: 'args',
  arguments: 'args',
  parameters: 'args',
  directory: 'cwd',
  dir: 'cwd',
  path: 'cwd',
  workdir: 'cwd',
  working_dir: 'cwd',
  working_directory: 'cwd',
  environment: 'env',
  wait_seconds: 'wait',
  timeout_seconds: 'timeout_ms',
  timeout_sec: 'timeout_ms',
  timeout_s: 'timeout_ms',
  yield_time_ms: 'timeout_ms',
  offset: 'cursor',
  limit: 'max_bytes',
  description: 'context',
  reason: 'context',
  explanation: 'context',
  stdin: 'input',
  chars: 'input',
  keys: 'input',
  pattern: 'search',
  grep: 'search',
  regex: 'search',
  id: 'session_id',
  run_id: 'session_id',
  pid: 'session_id',
  shell_id: 'session_id',
  bash_id: 'session_id',
  process_id: 'session_id',
  terminal: 'terminal_id',
  shell: 'terminal_profile',
  profile: 'terminal_profile',
}
const BACKGROUND = /^(?:run_in_|is_)?background$|^detach(?:ed)?$/

/** Fields of a contract by their last name: `{ cwd: 'runtime.cwd' }`. */
export type FieldPlaces = ReadonlyMap<string, string>

/** An unknown field with the one that was probably meant. */
export function didYouMean(issue: Issue, places: FieldPlaces): Issue {
  if (issue.problem !== UNKNOWN_FIELD) return issue
  const name = issue.field.slice(issue.field.lastIndexOf('.') + 1)
  if (isBackground(name) && places.has('timeout_ms'))
    return { ...issue, problem: `${UNKNOWN_FIELD}; with ${places.get('timeout_ms')} 0 the call returns at once` }
  const meant = meantPlace(name, places)
  return meant === undefined || meant === issue.field
    ? issue
    : { ...issue, problem: `${UNKNOWN_FIELD}; did you mean ${meant}?` }
}

export const isBackground = (name: string): boolean => BACKGROUND.test(name)

/** Where a field belongs that was given this name. */
export const meantPlace = (name: string, places: FieldPlaces): string | undefined =>
  places.get(name) ?? places.get(OTHER_NAMES[name.toLowerCase()] ?? '') ?? closest(name, places)

/** A name with a slip of the finger in it. */
function closest(name: string, places: FieldPlaces): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const word = plain(name)
  if (word.length < 3 || word.length > 24) return undefined
  let best: string | undefined
  let distance = word.length > 5 ? 3 : 2
  for (const [known, place] of places) {
    const far = steps(word, plain(known))
    if (far < distance) {
      best = place
      distance = far
    }
  }
  return best
}

/** How many letters have to be put in, taken out or exchanged. */
function steps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row[to.length] ?? from.length
}
