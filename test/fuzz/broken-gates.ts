import type { GateCheck } from '../../src/policy/model/checks.ts'
import { gateUnderTest, type Judge, remembering } from './gate-under-test.ts'

/**
 * The gate with one eye closed: it judges a line from which one kind of danger was painted over, as if the check for it
 * had been deleted. The fuzz must catch each of these, or it proves nothing about the gate it passes.
 */
const BLINDNESSES: readonly { readonly to: string; readonly paint: (line: string) => string }[] = [
  { to: 'line breaks', paint: line => line.replaceAll('\n', ' ') },
  { to: 'separators', paint: line => line.replaceAll(/[;&]/g, ' ') },
  { to: 'pipes', paint: line => line.replaceAll('|', ' ') },
  { to: 'command substitutions', paint: line => line.replaceAll(/\$\(|`|\)/g, 'x') },
  { to: 'variables', paint: line => line.replaceAll('$', 'x') },
  { to: 'redirections', paint: line => line.replaceAll(/[<>]/g, 'x') },
  { to: 'assignments', paint: line => line.replace(/^\s*\w+\+?=\S*\s/, '') },
  { to: 'tildes', paint: line => line.replaceAll('~', 'x') },
  { to: 'braces', paint: line => line.replaceAll(/[{}]/g, 'x') },
  { to: 'backslashes', paint: line => line.replaceAll('\\', '') },
  { to: 'single quotes', paint: line => line.replaceAll("'", 'x') },
  { to: 'double quotes', paint: line => line.replaceAll('"', 'x') },
  { to: 'parentheses', paint: line => line.replaceAll(/[()]/g, ' ') },
  { to: 'keywords', paint: line => line.replace(/^\s*(time|coproc|!|if|while|then|do)\s/, '') },
  { to: 'comments', paint: line => line.replaceAll('#', 'x') },
  { to: 'carriage returns', paint: line => line.replaceAll('\r', ' ') },
  { to: 'form feeds and vertical tabs', paint: line => line.replaceAll(/[\v\f]/g, ' ') },
  { to: 'no-break spaces', paint: line => line.replaceAll('\xa0', ' ') },
]

/** Checks taken out of the real gate. What stands behind another check is taken out together with it. */
const TAKEN_OUT: readonly (readonly GateCheck[])[] = [
  ['byte_filter'],
  ['globs'],
  ['second_opinion'],
  ['second_opinion', 'positive_list'],
  ['second_opinion', 'coverage'],
  ['second_opinion', 'literal_words'],
]

/** Every broken gate the fuzz must catch. */
export function brokenGates(): { readonly broken: string; readonly judge: Judge; readonly whole: Judge }[] {
  const whole = remembering(gateUnderTest())
  const gates = [
    ...TAKEN_OUT.map(off => ({ broken: `without ${off.join(' and ')}`, judge: gateUnderTest(off) })),
    ...BLINDNESSES.map(({ to, paint }) => ({ broken: `blind to ${to}`, judge: blindTo(paint, whole) })),
  ]
  return gates.map(gate => ({ ...gate, whole }))
}

function blindTo(paint: (line: string) => string, judge: Judge): Judge {
  // Words without a shell are judged as they are: only the reading of lines is broken.
  return trial => judge(trial.args ? trial : { ...trial, line: paint(trial.line) })
}
