import type { GateCheck } from '../model/checks.ts'
import type { LineReading } from '../model/reading.ts'
import { readBash } from '../read/bash-reader.ts'
import { readCmd } from '../read/cmd-reader.ts'
import { knownValues } from '../read/line-variables.ts'
import { readPowerShell } from '../read/powershell-reader.ts'
import type { Facts } from '../rules/rules.ts'
import { type Line, wholeText } from './line.ts'

export const LONGEST_LINE = 64 * 1024

/** The commands of a line, by the reader of its shell. `off`: checks of the gate that are taken out. */
export function readLine(line: Line, home: Facts['home'], off: ReadonlySet<GateCheck>): LineReading {
  const { command, args, shell = 'bash' } = line
  if (!off.has('limits') && Buffer.byteLength(wholeText(line)) > LONGEST_LINE)
    return { gaveUp: 'more than 64 KiB', seen: [] }
  if (args) return { commands: [{ argv: [command, ...args], start: 0, end: command.length, globs: [] }] }

  switch (shell) {
    case 'bash':
    case 'sh':
    case 'zsh':
      return readBash(command, shell, {
        checks: {
          positiveList: !off.has('positive_list'),
          coverage: !off.has('coverage'),
          literalWords: !off.has('literal_words'),
          secondOpinion: !off.has('second_opinion'),
        },
        values: knownValues(line.cwd, home),
      })
    case 'powershell':
      return readPowerShell(command)
    case 'cmd':
      return readCmd(command)
    case 'fish':
      return { gaveUp: 'words for a shell we do not read', seen: [] }
  }
}
