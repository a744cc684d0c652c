import { existsSync, readFileSync } from 'node:fs'
import type { MarkSources } from '../../config/container-marks.ts'

/**
 * What this machine shows of itself. A part of its own in the build: the suite's product has another one in its place, so that
 * tests run on machines that are containers. The product itself has no setting, variable or file for that (docs/spec.md D25).
 */
export const machineMarks: MarkSources = {
  exists: existsSync,
  read(path) {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return null // there is none, or it is not ours to read
    }
  },
}
