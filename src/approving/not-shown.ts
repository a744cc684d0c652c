/** What is said of files that run with what is on the card and are not on it, in the window and in a terminal. */
export const NOT_SHOWN = 'Not shown here, but it runs with it'

export interface NotShown {
  readonly name: string
  readonly path: string | null
  readonly by: string
}

/** Which file, and what loads it; the words are of others, whoever shows them draws them. */
export const notShownWords = ({ name, path, by }: NotShown): string => `${path ?? name}, loaded by ${by}`
