import type { InputQuestion } from '../contract/wire/approver-frames.ts'

/** What a card says about something that is to be typed into a program that runs. */

/** In one line: the text, and each key by its name. The text is an agent's: whoever shows it draws it. */
export const inputInWords = (input: InputQuestion['input']): string =>
  input.map(piece => ('text' in piece ? piece.text : `<${piece.key}>`)).join('')

export const INPUT_EXECUTES: Readonly<Record<'shell' | 'interpreter', string>> = {
  shell: 'What reads there is a shell: what is typed runs as a command.',
  interpreter: 'What reads there can run what is typed.',
}

const WAITS: Readonly<Record<InputQuestion['wait_state'], string>> = {
  none: 'does not wait for input now; it may read this later',
  line: 'waits for a line',
  key: 'waits for keys',
  secret: 'asks for a secret',
}

/** Who would get it, in words. The program is named by the system, so it is drawn. */
export const whoReads = ({ program, wait_state }: Pick<InputQuestion, 'program' | 'wait_state'>): string =>
  `${program ?? 'The program'} ${WAITS[wait_state]}`

/** Why it is approved this once and no further; null: for the rest of the run is possible, too. */
export function whyInputOnce({ executes, grave, program, wait_state }: InputQuestion): string | null {
  if (grave) return 'What is hard to undo is approved once, never for later.'
  if (executes !== null) return 'What runs what is typed gets it once by once.'
  return program === null || wait_state === 'none' ? 'It is not known what reads it, so it is approved once.' : null
}
