import { printed } from './printed-text.ts'
import type { RoughCommand } from './rough-command.ts'
import { isShell, withParameters } from './unwrap.ts'

/**
 * What a line makes and then uses itself: functions with the words they are called with, and files it writes and runs.
 *
 *   f() { rm -rf "$1"; }; f /        echo 'rm -rf /' > x.sh; sh x.sh
 */
export class MadeHere {
  readonly #functions = new Map<string, string>()
  readonly #files = new Map<string, string>()

  constructor(text: string) {
    for (const [, keyword, plain, body = ''] of text.includes('(') || text.includes('function')
      ? text.matchAll(FUNCTION)
      : [])
      this.#functions.set(keyword ?? plain ?? '', body)
  }

  /** What a shell reads because of this command; takes note of what the command writes. */
  readBy(command: RoughCommand): string[] {
    const { argv, sinks } = command
    const [program = '', ...words] = argv
    const body = this.#functions.get(program)
    const runs = isShell(program) || /^(?:source|\.)$/.test(program) ? words : [program.replace(/^\.\//, '')]
    const read = runs.flatMap(word => this.#files.get(word) ?? [])
    const written = sinks.length > 0 && this.#files.size < MOST ? printed(command) : null
    if (written !== null) for (const file of sinks) this.#files.set(file.replace(/^\.\//, ''), written)
    return body === undefined || words.length === 0 ? read : [...read, withParameters(body, argv)]
  }
}

const MOST = 32
export const FUNCTION =
  /(?:^|[\s;&|({])(?:function\s{1,9}([^\s(){}|&;]{1,64})|([^\s(){}|&;]{1,64})\s{0,9}\(\s{0,9}\))\s{0,9}(?:\(\s{0,9}\)\s{0,9})?[{(]([^{}]{0,300})/g
