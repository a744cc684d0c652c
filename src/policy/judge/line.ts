import type { Shell } from '../model/reading.ts'

/** What a caller wants to run. With `args` the command is the program and nothing is read as shell. */
export interface Line {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The real directory it would run in. */
  readonly cwd: string
  /** The shell that would run it; bash unless said otherwise. */
  readonly shell?: Shell | undefined
}

/** The loose scans look at both ends of a very long line; without a rule for all of it such a line needs approval anyway. */
const SCANNED_END = 6 * 1024

/** Cut between words: half of `/home/me/app` is another place. */
const startOf = (line: string, length: number): string => line.slice(0, length).replace(/[^\s;&|]*$/, '')
const endOf = (line: string, length: number): string => line.slice(-length).replace(/^[^\s;&|]*/, '')

export const bothEnds = (line: string): string =>
  line.length > 2 * SCANNED_END ? `${startOf(line, SCANNED_END)}\n${endOf(line, SCANNED_END)}` : line

export const wholeText = ({ command, args }: Line): string => [command, ...(args ?? [])].join(' ')

/** Words given one by one are no shell text: an operator in one of them starts nothing. */
export const shownText = ({ command, args }: Line): string =>
  [command, ...(args ?? []).map(word => (/^[\w./=:@%+,-]*$/.test(word) ? word : `'${word.replaceAll("'", '')}'`))].join(
    ' ',
  )
