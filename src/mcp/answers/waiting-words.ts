import { lastLine } from '../../base/output/last-line.ts'
import type { Result } from '../../contract/tool/response.ts'

const LONGEST = 200

/** What became of the last that was to be typed into it, where that is not said by an error. */
export function inputWords({ input }: Result): string {
  if (input?.state === 'awaiting_approval') return 'The input waits for a person to decide. Nothing was typed so far.'
  return input?.state === 'not_typed' ? `The last input was not typed: ${input.reason ?? 'it was refused'}` : ''
}

/** What a running program waits for, with what it printed last, which is mostly its question. Empty: it waits for nothing. */
export function waitingWords({ wait_state, wait_evidence = '', stdout = '' }: Result): string {
  if (wait_state === undefined || wait_state === 'none') return ''
  const asked = lastLine(stdout).slice(-LONGEST)
  const question = asked === '' ? '.' : `: ${JSON.stringify(asked)}.`
  const known = wait_evidence.startsWith('kernel') ? '' : ` (${wait_evidence})`

  switch (wait_state) {
    case 'line':
      return `It waits for a line of input${question}${known} Type with execution.input.`
    case 'key':
      return `It waits for keys${question}${known} Type with execution.input.`
    case 'secret':
      return `It asks for a secret${question} Only the person types that, in the window; they were told.${known}`
  }
}
