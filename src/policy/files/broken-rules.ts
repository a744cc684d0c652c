import { toType } from '../../base/own-command.ts'
import type { Rule } from '../rules/rules.ts'
import type { WorkspaceRules } from './rule-files.ts'

/** Why nothing runs unasked in a workspace with a file that cannot be read: it may have held a narrower rule than a default. */
export function brokenRules(broken: readonly { readonly file: string; readonly problem: string }[]): string | null {
  const [bad] = broken
  return bad
    ? `${bad.file} ${bad.problem}; until it is fixed no rule counts here ("${toType('doctor')}" names every such file)`
    : null
}

/**
 * The rules that count now; `held`: those of an approval that holds for a while. A broken rule file may have held a narrower
 * rule than a default: until it is fixed neither its workspace nor the defaults count.
 */
export const rulesInForce = (
  { rules, broken }: Pick<WorkspaceRules, 'rules' | 'broken'>,
  defaults: readonly Rule[],
  held: readonly Rule[] = [],
): readonly Rule[] => (broken.length > 0 ? held : [...rules, ...held, ...defaults])
