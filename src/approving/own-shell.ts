/** Of a line that is typed into a shell of the person's own, in the window and in a terminal. */
export const OWN_SHELL =
  'Goes into your own shell. Aliases and functions there count, so what runs may be something else than it looks.'
