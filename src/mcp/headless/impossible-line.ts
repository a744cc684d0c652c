import { TermError } from '../../contract/tool/errors.ts'
import { drawable } from '../../contract/tool/issues.ts'
import type { Line } from '../../policy/judge/line.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { readBash } from '../../policy/read/bash-reader.ts'
import { hasOpenQuote } from '../../policy/read/open-quote.ts'
import type { Facts } from '../../policy/rules/rules.ts'
import { isBuiltin } from '../../policy/tools/shell-builtins.ts'

/**
 * A refused line that no rule and no person could help: its quote is open, or its program is not there. That is said instead
 * of "no rule covers it", which would send a broken line to a person.
 */
export function refuseImpossible({ command, args }: Line, { verdict, tier }: Verdict, facts: Facts): void {
  if (verdict !== 'blocked' || tier !== 'none') return
  if (!args && hasOpenQuote(command, 'bash')) throw impossible('The command has a quote that is not closed.')
  const reading = args ? null : readBash(command, 'bash')
  if (reading && 'gaveUp' in reading) return
  const [first, ...more] = reading?.commands ?? []
  const program = args ? command : more.length === 0 ? first?.argv[0] : undefined
  if (program === undefined || isBuiltin(program, 'bash')) return
  const found = facts.program(program)
  if (!('problem' in found) || found.problem !== NOT_FOUND) return
  const [name, ...words] = program.trim().split(/\s+/)
  const hint =
    args && words.length > 0
      ? ` With args, command is the program alone: "${drawable(name ?? '')}", and ${words.map(word => `"${drawable(word)}"`).join(', ')} belong to args.`
      : ''
  throw impossible(`There is no program ${drawable(program)} on the PATH.${hint}`)
}

const NOT_FOUND = 'is not found on the PATH'

const impossible = (message: string): TermError => new TermError('PM_TERM_INVALID_PAYLOAD', `${message} Nothing ran.`)
