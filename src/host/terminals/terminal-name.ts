import { basename } from 'node:path'
import { BETWEEN } from '../../contract/terminal-name.ts'

export interface NameFacts {
  readonly asker: string
  /** A directory. */
  readonly folder: string
  /** Among those that are called after a folder of that name; 0: nobody has used it yet. */
  readonly number: number
}

const LONGEST_PART = 36
/** Who is at a terminal that the person has opened. */
export const YOU = 'You'

/** How a terminal is called until a person renames it: who runs there and where, `Claude Code · shop 2`. */
export function terminalName({ asker, folder, number }: NameFacts): string {
  return `${short(asker)}${BETWEEN}${short(folderOf(folder))}${number <= 1 ? '' : ` ${number}`}`
}

/** The last part of a directory; of the root the root. */
export const folderOf = (directory: string): string => basename(directory) || directory

/** The name of a client without version and without what stands in brackets: `Claude Code (claude-code 2.1)` is `Claude Code`. */
export function agentName(client: string): string {
  const plain = client.replace(/ \([^()]*\)$/, '').replace(/ v?\d[\w.+-]*$/, '')
  const name = plain.trim() || client.trim() || 'an agent'
  // That one is the person's.
  return name.toLowerCase() === YOU.toLowerCase() ? `“${name}”` : name
}

const short = (text: string): string => {
  const letters = [...text]
  return letters.length > LONGEST_PART ? `${letters.slice(0, LONGEST_PART - 1).join('')}…` : text
}
