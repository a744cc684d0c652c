/** What a person is asked while they fill in an answer, and what they are warned of: in the window and in a terminal. */
export const WHY_NOT = 'Why not? The agent reads it. Empty is fine.'
export const RUN_INSTEAD = 'Run this instead, once. It is judged again, and the agent is told what ran.'
export const BEING_JUDGED = 'The host is checking it …'
export const RULES_TO_EDIT = 'What then runs without asking, one rule per line'

/** Above a command that is approved only by a deliberate gesture; what that is differs. */
export const HARD_TO_UNDO = 'Hard to undo.'

/** Of a line that is typed into a shell of the person's own. */
export const OWN_SHELL =
  'Goes into your own shell. Aliases and functions there count, so what runs may be something else than it looks.'

/** Who asks to become an approver, too; behind who they are. */
export const ADMISSION_ASKED = 'asks to be admitted as an approver'
export const ADMISSION_CODE = 'If it is you, type the code there.'
