/**
 * What a program in a terminal waits for: none · line: a line of text, shown as it is typed · secret: a line that is not
 * shown, so a password, and the person's alone · key: single keys, as editors, pagers and line editors read them.
 */
export const WAIT_STATES = ['none', 'line', 'secret', 'key'] as const
export type WaitState = (typeof WAIT_STATES)[number]

/** Where that is known from. kernel: what the program is blocked in · termios: how the terminal is set · heuristic: what was printed. */
export const WAIT_SOURCES = ['kernel', 'termios', 'heuristic'] as const
