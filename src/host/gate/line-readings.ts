import { TermError } from '../../contract/tool/errors.ts'
import { roughScan } from '../../policy/destructive/rough-scan.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { changesShell } from '../../policy/tools/shell-builtins.ts'

/** Every command the line might run, by either reader: where the gate's gave up a person wants to see most what it names. */
export function readingsOf(command: string, verdict: Verdict): string[][][] {
  const read = verdict.parts.flatMap(part => (part.argv ? [[...part.argv]] : []))
  return [read, roughScan(command).map(({ argv }) => [...argv])]
}

/** Whether a line could leave the shell elsewhere or otherwise than it found it. One that is not fully read could. */
export const mayChangeShell = ({ parts }: Verdict): boolean =>
  parts.some(({ argv }) => argv === null || changesShell(argv[0] ?? ''))

/** Its shell is asked how the parts of a pipeline ended: the exit code is that of the last one alone. */
export const isPiped = (command: string): boolean => command.includes('|')

/** No shell can read it, so there is nothing that a person could approve. */
export const openQuote = (): TermError =>
  new TermError('PM_TERM_INVALID_PAYLOAD', 'The command has a quote that is not closed. Nothing ran.')
