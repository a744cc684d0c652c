import { isAbsolute, resolve } from 'node:path'
import { invalidPayload } from '../../contract/tool/issues.ts'
import type { CallerDirectory } from './client-root.ts'

/** What a request says about where to run, and what is known about where it comes from. */
export interface WantedDirectory {
  /** As the request names it, or null. */
  readonly cwd: string | null
  /** What the caller's tool calls that field. */
  readonly field: string
  /** Absent where one server has one client, which started it in its project. */
  readonly caller?: CallerDirectory | undefined
}

/** The absolute path a request means: what it names, else where its caller is. `here`: where this server was started. */
export function wantedDirectory({ cwd, field, caller }: WantedDirectory, here: string): string {
  if (cwd !== null && isAbsolute(cwd)) return cwd
  const base = caller === undefined ? here : 'path' in caller ? caller.path : null
  if (base !== null) return cwd === null ? base : resolve(base, cwd)
  const { problem } = caller as { problem: string }
  throw invalidPayload([{ field, problem: `must be the absolute path of a directory: ${problem}` }])
}
