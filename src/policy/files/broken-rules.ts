import { toType } from '../../base/own-command.ts'

/** Why nothing runs unasked in a workspace with a file that cannot be read: it may have held a narrower rule than a default. */
export function brokenRules(broken: readonly { readonly file: string; readonly problem: string }[]): string | null {
  const [bad] = broken
  return bad
    ? `${bad.file} ${bad.problem}; until it is fixed no rule counts here ("${toType('doctor')}" names every such file)`
    : null
}
