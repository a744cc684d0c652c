import type { InputQuestion } from '../contract/wire/approver-frames.ts'

/** What a person is asked while they fill in an answer, and what they are warned of: in the window and in a terminal. */
export const WHY_NOT = 'Why not? The agent reads it. Empty is fine.'
export const RUN_INSTEAD = 'Run this instead, once. It is judged again, and the agent is told what ran.'
export const BEING_JUDGED = 'The host is checking it …'
export const RULES_TO_EDIT = 'What then runs without asking, one rule per line'

/** Above a command that is approved only by a deliberate gesture; what that is differs. */
export const HARD_TO_UNDO = 'Hard to undo.'
export const GRAVE_GESTURE = 'Approved once only: type the words below, then hold the button.'

/** Of a line that is typed into a shell of the person's own. */
export const OWN_SHELL =
  'Goes into your own shell. Aliases and functions there count, so what runs may be something else than it looks.'

/** Who asks to become an approver, too; behind who they are. */
export const ADMISSION_ASKED = 'asks to be admitted as an approver'
export const ADMISSION_CODE = 'If it is you, type the code there.'

/** Of what is to be typed into a program that runs what is typed. */
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
