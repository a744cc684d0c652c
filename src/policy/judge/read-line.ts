import type { GateCheck } from '../model/checks.ts'
import type { LineReading } from '../model/reading.ts'
import { readBash } from '../read/bash-reader.ts'
import { readCmd } from '../read/cmd-reader.ts'
import { knownValues } from '../read/line-variables.ts'
import { readPowerShell } from '../read/powershell-reader.ts'
import type { Line } from './line.ts'
import { wholeText } from './line-text.ts'

export const LONGEST_LINE = 64 * 1024

/** The commands of a line, by the reader of its shell. `isOn`: which checks of the gate apply. */
export function readLine(
  line: Line,
  home: string | null | undefined,
  isOn: (check: GateCheck) => boolean,
): LineReading {
  const { command, args, shell = 'bash' } = line
  if (isOn('limits') && Buffer.byteLength(wholeText(line)) > LONGEST_LINE)
    return { gaveUp: 'more than 64 KiB', seen: [] }
  if (args) {
    const argv = [command, ...args]
    return { commands: [{ argv, start: 0, end: command.length, globs: [] }] }
  }

  switch (shell) {
    case 'bash':
    case 'sh':
    case 'zsh':
      return readBash(command, shell, {
        checks: {
          positiveList: isOn('positive_list'),
          coverage: isOn('coverage'),
          literalWords: isOn('literal_words'),
          secondOpinion: isOn('second_opinion'),
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
